#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "expression/tiles.hpp"
#include "lm/language_model.hpp"
#include "search/hash_table.hpp"
#include "search/weights.hpp"

namespace widl {

/// Language models that share a vocabulary with the expressions they score.
///
/// Looks every word of the vocabulary up once in every model. Several threads may read it; `refresh`
/// must run alone.
class ScoringModels {
 public:
  ScoringModels(const Vocabulary& vocabulary, std::vector<const LanguageModel*> models);
  /// Takes in words that were interned since.
  void refresh();

  const Vocabulary& vocabulary() const { return *vocabulary_; }
  std::size_t size() const { return models_.size(); }
  const LanguageModel& model(std::size_t m) const { return *models_[m]; }
  LanguageModel::Word index(std::size_t m, WordId word) const { return indices_[m][word]; }

 private:
  const Vocabulary* vocabulary_;
  std::vector<const LanguageModel*> models_;
  std::vector<std::vector<LanguageModel::Word>> indices_;
};

/// What all language models together remember of the words so far; equal contexts score alike.
using ContextId = std::uint32_t;
/// A sequence of words known to a Scorer.
using PhraseId = std::uint32_t;

/// The weighted language-model score  Σ_m λ_m ln p_m  of one sentence's phrases in their contexts.
///
/// Contexts are hash-consed and every (context, phrase) is scored once. One scorer per sentence and
/// thread.
class Scorer {
 public:
  struct Step {
    double score;
    ContextId next;
  };
  /// What is known of a phrase's score whatever stands to its left.
  struct Outlook {
    double estimate;  ///< its words scored with the context inside the phrase only
    double bound;     ///< at least the score in any context
  };

  Scorer(const ScoringModels& models, const Tiles& tiles, const std::vector<double>& weights);

  /// The phrase of these words; equal words give the same phrase.
  PhraseId phrase(std::span<const WordId> words);
  ContextId start() const { return 0; }
  Step extend(ContextId context, PhraseId phrase) {
    std::uint64_t key = (std::uint64_t{context} << 32) | phrase;
    auto [slot, added] = steps_.find_or_insert(key);
    if (added) *slot = compute(context, phrase);
    return *slot;
  }
  /// The weighted ln p(</s> | context).
  double finish(ContextId context);
  Outlook outlook(PhraseId phrase) const;
  Outlook finish_outlook() const;

  /// Σ ln p per model, unweighted, of a whole sentence including </s>.
  std::vector<double> features(std::span<const WordId> sentence) const;

 private:
  struct Phrase {
    std::uint32_t first_word, word_count;  // into indices_, times the number of models
  };
  LanguageModel::Word index(std::size_t m, WordId word) const;
  Step compute(ContextId context, PhraseId phrase);
  ContextId intern(std::span<const LanguageModel::State> states);
  std::span<const LanguageModel::State> states(ContextId context) const {
    return {contexts_.data() + std::size_t{context} * models_->size(), models_->size()};
  }

  const ScoringModels* models_;
  const Tiles* tiles_;
  std::vector<double> weights_;
  std::vector<Phrase> phrases_;
  std::vector<WordId> words_;
  std::vector<LanguageModel::Word> indices_;          // [model][word], like words_ within a phrase
  std::vector<LanguageModel::State> contexts_;        // models_->size() states each
  HashTable<Step> steps_;
  std::unordered_multimap<std::uint64_t, ContextId> context_ids_;
  std::unordered_multimap<std::uint64_t, PhraseId> phrase_ids_;
  std::vector<LanguageModel::State> scratch_;
};

}  // namespace widl
