#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "expression/vocabulary.hpp"
#include "lm/language_model.hpp"
#include "search/context_table.hpp"
#include "search/hash_index.hpp"
#include "search/hash_table.hpp"
#include "search/scoring_models.hpp"
#include "search/sparse_rows.hpp"
#include "search/weight_vector.hpp"
#include "strong_id.hpp"

namespace widl {

/// A sequence of words known to an NGramScorer.
using PhraseId = Id<struct PhraseKind>;

/// A score whose left context is not known.
struct ScoreEstimate {
  double estimate;  ///< its words scored with the context inside the phrase only
  double bound;     ///< at least the score in any context
};
inline ScoreEstimate operator+(const ScoreEstimate& a, const ScoreEstimate& b) {
  return {a.estimate + b.estimate, a.bound + b.bound};
}
inline ScoreEstimate better(const ScoreEstimate& a, const ScoreEstimate& b) {
  return {std::max(a.estimate, b.estimate), std::max(a.bound, b.bound)};
}

/// The weighted language-model score  Σ_m λ_m ln p_m  of one sentence's phrases in their contexts.
///
/// Contexts are hash-consed and every (context, phrase) is scored once: into a hash table or, when the phrases are few,
/// into one row per context. A long phrase is scored by its first words only: the remaining words have all their
/// context inside the phrase. One scorer per sentence and thread.
class NGramScorer {
 public:
  struct Step {
    double score;
    ContextId next;
  };
  /// The known part of a phrase's left context.
  struct Known {
    std::vector<LanguageModel::State> states;  ///< by model
    unsigned words;                            ///< how many; the whole context if from the start
    bool from_start;
  };

  /// All methods that score throw InputError if a model gives no finite log-probability. Methods that cache their
  /// result also throw OutOfBudget. `whole_contexts` keeps the last n - 1 words as context, even if the model can't
  /// distinguish it from a shorter context. Scores stay the same; the number of contexts grows.
  NGramScorer(const ScoringModels& models, const SentenceWords& words, const std::vector<double>& weights,
              Budget& budget, bool whole_contexts = false);

  /// The phrase of these words; equal words give the same phrase.
  PhraseId phrase(std::span<const WordId> words);
  /// Call this after all phrases are added. If there are few phrases, contexts get rows with a score per phrase.
  void settle();
  std::span<const WordId> words(PhraseId phrase) const {
    return {words_.data() + phrases_[phrase].first_word, phrases_[phrase].word_count};
  }
  /// UTF-8 bytes of the words, with one separator per word.
  std::uint32_t bytes(PhraseId phrase) const { return phrases_[phrase].bytes; }
  std::size_t phrases() const { return phrases_.size(); }
  ContextId start() const { return ContextId(0); }
  Step extend(ContextId context, PhraseId phrase) {
    if (row_size_) {
      Step step = rows_[std::size_t{context} * row_size_ + phrase];
      if (step.next != kUnknown) return step;
      step = compute(context, phrase);  // may move rows_
      return rows_[std::size_t{context} * row_size_ + phrase] = step;
    }
    auto [slot, added] = steps_.find_or_insert(step_key(context, phrase));
    if (added) slot->next = kUnknown;
    if (slot->next == kUnknown) *slot = compute(context, phrase);  // may throw: then it is not known
    return *slot;
  }
  /// Like `extend`, without the score.
  ContextId end_after(ContextId context, PhraseId phrase) {
    const std::uint32_t number = short_numbers_[phrase];
    if (row_size_ || number == kUnknown) return extend(context, phrase).next;
    const Ends::Row row = ends_after_.row(context, short_phrases_);
    if (!ends_after_.has(number)) return extend(context, phrase).next;
    const ContextId cached = Ends::at(row, number);
    return cached != kUnknown ? cached : add_end(context, phrase);
  }
  /// Prefetches the memory for scoring these words, or a phrase after a context; useful some steps ahead.
  void prefetch(std::span<const WordId> words) const;
  void prefetch(ContextId context, PhraseId phrase) const;
  /// Prefetches the entry of a phrase's first word.
  void prefetch(const Known& context, PhraseId phrase) const;
  /// Prefetches a remembered score, if its location is known.
  void prefetch_step(ContextId context, PhraseId phrase) const {
    if (!row_size_) steps_.prefetch(step_key(context, phrase));
  }
  /// The prefix of a phrase: its first words, whose scores depend on the left context. Phrases with equal prefixes have
  /// equal scores, apart from a part that is the same in every context.
  std::uint32_t prefix(PhraseId phrase) const { return phrases_[phrase].prefix; }
  std::size_t prefixes() const { return prefixes_.size(); }
  /// Maximum context length of the language models, in words.
  std::uint32_t reach() const;
  /// The weighted score of all words after the prefix.
  double inner_score(PhraseId phrase) const { return phrases_[phrase].inner_score; }
  /// Whether the context after the phrase is the same in every left context, and that context.
  bool ends_alike(PhraseId phrase) const { return phrases_[phrase].end != kUnknown; }
  ContextId end(PhraseId phrase) const { return phrases_[phrase].end; }
  using Prefixes = SparseRows<double>;
  /// The weighted scores of all prefixes in a context; NaN if prefix_score was not called. The row does not move.
  Prefixes::Row prefix_row(ContextId context) { return prefix_scores_.row(context, prefixes_.size()); }
  double prefix_score(ContextId context, PhraseId phrase);
  /// The weighted ln p(</s> | context).
  double finish(ContextId context);
  ScoreEstimate estimate_of(PhraseId phrase) const { return phrases_[phrase].isolated; }
  ScoreEstimate finish_estimate() const;
  /// The context after some phrases, which follow <s> or unknown words.
  Known known(std::span<const PhraseId> phrases, bool from_start) const;
  /// The part of that context that language models see. Equal signatures give equal scores and bounds.
  std::vector<std::uint32_t> signature(std::span<const PhraseId> phrases, bool from_start) const;
  /// Upper bound on the score of a phrase, of its prefix, or of </s>, given the known words.
  double bound_after(const Known& context, PhraseId phrase) const;
  double prefix_bound_after(const Known& context, PhraseId phrase) const;
  /// Prefix bounds of many phrases: writes the bound of phrases[i] to bounds[i * stride], for each i in `chosen`.
  /// Phrases with equal first words should be adjacent.
  void prefix_bounds_after(const Known& context, std::span<const PhraseId> phrases,
                           std::span<const std::uint32_t> chosen, double* bounds, std::size_t stride) const;
  double finish_bound_after(const Known& context) const;

  /// Adds Σ ln p, unweighted, of a phrase after a context and, at the end, of </s> to `values`, one per model.
  void add_features(ContextId context, PhraseId phrase, bool at_end, std::span<double> values) const;

  /// Σ ln p per model, unweighted, of a whole sentence including </s>.
  std::vector<double> features(std::span<const WordId> sentence) const;

 private:
  struct Phrase {
    std::uint32_t first_word, word_count;  // into indices_, times the number of models
    std::uint32_t bytes;
    std::uint32_t prefix;
    ContextId end;       // the context after the phrase if it is always the same, else kUnknown
    std::uint32_t ends;  // else the first of its states in ends_, or kUnknown if all depend on the context
    double inner_score;  // of the words whose left context no model sees
    ScoreEstimate isolated;
  };
  using Ends = SparseRows<ContextId>;
  static constexpr ContextId kUnknown = ContextTable::kNone;
  static constexpr std::size_t kLongestRow = 64;
  static std::uint64_t step_key(ContextId context, PhraseId phrase) { return std::uint64_t{context} << 32 | phrase; }
  LanguageModel::Word index(std::size_t m, WordId word) const;
  double weighted(std::size_t m, double log_prob) const;
  double bound_of_words(const Known& context, const Phrase& phrase, std::size_t count) const;
  void score_isolated(Phrase& phrase);
  void keep_whole(std::size_t m, const LanguageModel::State& in, LanguageModel::Word word,
                  LanguageModel::State& out) const;
  std::uint32_t prefix_of(const Phrase& phrase);
  double score_prefix(ContextId context, const Phrase& phrase, bool needed);
  Step compute(ContextId context, PhraseId phrase);
  ContextId add_end(ContextId context, PhraseId phrase);
  void resize_rows(std::size_t contexts);
  ContextId end_of(const Phrase& phrase);
  ContextId intern(std::span<const LanguageModel::State> states);
  std::span<const LanguageModel::Word> indices(const Phrase& phrase, std::size_t m) const {
    return {indices_.data() + first_index(phrase, m), phrase.word_count};
  }
  std::size_t first_index(const Phrase& phrase, std::size_t m) const {
    return std::size_t{phrase.first_word} * models_->size() + m * phrase.word_count;
  }
  std::span<const LanguageModel::State> states(ContextId context) const { return contexts_.states(context); }

  const ScoringModels* models_;
  const SentenceWords* sentence_words_;
  std::vector<double> weights_;
  Budget& budget_;
  bool whole_contexts_;
  std::vector<Phrase> phrases_;
  std::vector<WordId> words_;
  std::vector<LanguageModel::Word> indices_;  // [model][word], like words_ within a phrase
  ContextTable contexts_;
  std::vector<LanguageModel::State> ends_;  // of all models, after phrases that fill only some models' context
  std::size_t row_size_ = 0;                // number of phrases, once settled with few of them
  MeteredVector<Step> rows_{budget_};       // [context][phrase]
  HashTable<Step, BudgetAllocator> steps_{16, budget_};
  HashIndex<> phrase_index_, prefix_index_;
  std::vector<std::uint32_t> prefixes_;  // where each phrase's words begin in words_
  std::vector<std::uint32_t> prefix_sizes_;
  Prefixes prefix_scores_{std::numeric_limits<double>::quiet_NaN(), budget_};  // by context and prefix
  std::vector<LanguageModel::State> scratch_;
  // parallel to indices_: ln p of each word within its phrase
  std::vector<double> isolated_logs_;
  // by phrase: its number among phrases that are only a prefix and end in a different context after each context, else
  // kUnknown
  std::vector<std::uint32_t> short_numbers_;
  std::uint32_t short_phrases_ = 0;
  Ends ends_after_{kUnknown, budget_};  // by context and short phrase
};

}  // namespace widl
