#include "search/ngram_scorer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "errors.hpp"
#include "expression/number.hpp"
#include "util/murmur_hash.hh"

namespace widl {
namespace {

std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t seed = 0) {
  return util::MurmurHashNative(data, size, seed);
}

}  // namespace

NGramScorer::NGramScorer(const ScoringModels& models, const SentenceWords& words, const std::vector<double>& weights,
                         Budget& budget, bool whole_contexts)
    : models_(&models),
      sentence_words_(&words),
      weights_(weights),
      budget_(budget),
      whole_contexts_(whole_contexts),
      contexts_(models.size(), budget),
      scratch_(2 * models.size()) {
  if (weights.size() != models.size()) throw InternalError("expected one weight per language model");
  const Budget::Grace grace(budget);
  std::vector<LanguageModel::State> begin;
  for (std::size_t m = 0; m < models.size(); ++m) begin.push_back(models.model(m).begin_sentence_state());
  intern(begin);
}

LanguageModel::Word NGramScorer::index(std::size_t m, WordId word) const {
  // The vocabulary may have grown since the models were updated.
  return sentence_words_->is_shared(word) && word < models_->words()
             ? models_->index(m, word)
             : models_->model(m).index(sentence_words_->text(word));
}

/// λ_m times the log-probability of model m. Rejects values that search can't add up and compare: zero probabilities
/// and the contents of damaged files.
double NGramScorer::weighted(std::size_t m, double log_prob) const {
  constexpr double kMost = 1e12;      // far more than the logarithm of any probability
  constexpr double kRounding = 1e-6;  // bounds assume 0 at most
  if (log_prob > kRounding)
    throw InputError("language model lm" + std::to_string(m) +
                     " gives a word a probability above 1 (its logarithm is " + rounded(log_prob) +
                     "), so that nothing could be proved; estimate it again");
  if (!(std::abs(log_prob) < kMost))
    throw InputError("language model lm" + std::to_string(m) + " gives a word the log-probability " +
                     rounded(log_prob) + "; search needs finite ones, so estimate or convert it again");
  return weights_[m] * log_prob;
}

PhraseId NGramScorer::phrase(std::span<const WordId> words) {
  const std::uint64_t hash = hash_bytes(words.data(), words.size_bytes());
  const std::uint32_t existing =
      phrase_index_.find(hash, [&](std::uint32_t id) { return std::ranges::equal(words, this->words(PhraseId(id))); });
  if (existing != HashIndex<>::kNone) return PhraseId(existing);
  if (row_size_) throw InternalError("phrases can't be added to a settled scorer");
  const Budget::Grace grace(budget_);  // a phrase is part of the input
  const PhraseId id(static_cast<std::uint32_t>(phrases_.size()));
  std::size_t bytes = words.size();
  for (WordId word : words) bytes += sentence_words_->text(word).size();
  Phrase phrase{static_cast<std::uint32_t>(words_.size()),
                static_cast<std::uint32_t>(words.size()),
                static_cast<std::uint32_t>(std::min<std::size_t>(bytes, UINT32_MAX / 2)),
                0,
                kUnknown,
                kUnknown,
                0,
                {0, 0}};
  words_.insert(words_.end(), words.begin(), words.end());
  for (std::size_t m = 0; m < models_->size(); ++m)
    for (WordId word : words) indices_.push_back(index(m, word));
  isolated_logs_.resize(indices_.size());
  score_isolated(phrase);
  short_numbers_.push_back(phrase.end == kUnknown && phrase.ends == kUnknown ? short_phrases_++ : kUnknown);
  phrase.prefix = prefix_of(phrase);
  phrases_.push_back(phrase);
  phrase_index_.insert(hash, id);
  return id;
}

void NGramScorer::prefetch(std::span<const WordId> words) const {
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    std::array<LanguageModel::Word, KENLM_MAX_ORDER> before;  // last first
    unsigned length = 0;
    for (WordId word : words) {
      if (!sentence_words_->is_shared(word) || word >= models_->words()) break;  // rare, and its index is not at hand
      const LanguageModel::Word next = models_->index(m, word);
      model.prefetch(before.data(), length, next);
      length = std::min(length + 1, model.order() - 1);
      std::copy_backward(before.begin(), before.begin() + length - 1, before.begin() + length);
      before[0] = next;
    }
  }
}

void NGramScorer::prefetch(ContextId context, PhraseId id) const {
  if (row_size_) return;  // it is known most often
  if (steps_.find(step_key(context, id))) return;
  const Phrase& phrase = phrases_[id];
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    const LanguageModel::State& state = states(context)[m];
    const auto prefix = indices(phrase, m).first(std::min(phrase.word_count, model.order() - 1));
    std::array<LanguageModel::Word, 2 * KENLM_MAX_ORDER> words;  // the prefix and the context, last first
    const auto after_prefix = std::reverse_copy(prefix.begin(), prefix.end(), words.begin());
    std::copy_n(state.words, state.length, after_prefix);
    for (unsigned i = 0; i < prefix.size(); ++i)
      model.prefetch(&*after_prefix - i, std::min(state.length + i, model.order() - 1), prefix[i]);
  }
}

std::uint32_t NGramScorer::reach() const {
  std::uint32_t reach = 0;
  for (std::size_t m = 0; m < models_->size(); ++m) reach = std::max(reach, models_->model(m).order() - 1);
  return reach;
}

std::uint32_t NGramScorer::prefix_of(const Phrase& phrase) {
  const auto size = std::min(phrase.word_count, reach());
  const std::span<const WordId> words(words_.data() + phrase.first_word, size);
  const std::uint64_t hash = hash_bytes(words.data(), words.size_bytes());
  auto equal = [&](std::uint32_t prefix) {
    return std::ranges::equal(words, std::span<const WordId>(words_.data() + prefixes_[prefix], prefix_sizes_[prefix]));
  };
  std::uint32_t existing = prefix_index_.find(hash, equal);
  if (existing != HashIndex<>::kNone) return existing;
  auto prefix = static_cast<std::uint32_t>(prefixes_.size());
  prefixes_.push_back(phrase.first_word);
  prefix_sizes_.push_back(size);
  prefix_index_.insert(hash, prefix);
  return prefix;
}

double NGramScorer::prefix_score(ContextId context, PhraseId id) {
  const double score = score_prefix(context, phrases_[id], false);
  prefix_row(context);
  prefix_scores_.set(context, phrases_[id].prefix, score);
  return score;
}

ContextId NGramScorer::add_end(ContextId context, PhraseId id) {
  const ContextId end = compute(context, id).next;
  ends_after_.set(context, short_numbers_[id], end);
  return end;
}

/// Restores the words that the model dropped from its state after a word because no n-gram continues them. Each
/// restored word has a back-off weight of ln 1, so that scores do not change.
void NGramScorer::keep_whole(std::size_t m, const LanguageModel::State& in, LanguageModel::Word word,
                             LanguageModel::State& out) const {
  if (!whole_contexts_) return;
  const unsigned length = std::min<unsigned>(in.length + 1, models_->model(m).order() - 1);
  for (unsigned i = out.length; i < length; ++i) {
    out.words[i] = i == 0 ? word : in.words[i - 1];
    out.backoff[i] = 0;
  }
  out.length = static_cast<unsigned char>(length);
}

/// Scores a phrase without left context, and finds the parts of its score and end state that no context changes.
void NGramScorer::score_isolated(Phrase& phrase) {
  bool ends_alike = true, some_end_alike = false;
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    const unsigned reach = model.order() - 1;  // words whose score depends on the left context
    std::span<const LanguageModel::Word> words = indices(phrase, m);
    LanguageModel::State in = model.empty_state();
    for (std::uint32_t i = 0; i < phrase.word_count; ++i) {
      auto [log_prob, bound] = model.bounded(in, words[i], scratch_[m], i);
      const double weighted_log = weighted(m, log_prob);
      isolated_logs_[first_index(phrase, m) + i] = log_prob;
      phrase.isolated.estimate += weighted_log;
      phrase.isolated.bound += weighted(m, bound);
      if (i >= reach) phrase.inner_score += weighted_log;
      keep_whole(m, in, words[i], scratch_[m]);
      in = scratch_[m];
    }
    ends_alike = ends_alike && phrase.word_count >= reach;
    some_end_alike = some_end_alike || phrase.word_count > reach;
  }
  if (phrase.word_count == 0) return;
  if (ends_alike) {
    phrase.end = intern({scratch_.data(), models_->size()});
  } else if (some_end_alike) {
    phrase.ends = static_cast<std::uint32_t>(ends_.size());
    ends_.insert(ends_.end(), scratch_.begin(), scratch_.begin() + static_cast<std::ptrdiff_t>(models_->size()));
  }
}

void NGramScorer::settle() {
  if (phrases_.size() > kLongestRow) return;
  row_size_ = phrases_.size();
  const Budget::Grace grace(budget_);
  resize_rows(std::max<std::size_t>(1, contexts_.size()));
}

void NGramScorer::resize_rows(std::size_t contexts) { rows_.resize(contexts * row_size_, {0, kUnknown}); }

/// Leaves the states after the prefix in scratch_ if they are `needed`. Once a state covers only the phrase's own
/// words, the remaining words score as without context.
double NGramScorer::score_prefix(ContextId context, const Phrase& phrase, bool needed) {
  double score = 0;
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    std::span<const LanguageModel::Word> words = indices(phrase, m);
    LanguageModel::State in = scratch_[m] = states(context)[m];
    double sum = 0;
    for (std::uint32_t i = 0, last = std::min(phrase.word_count, model.order() - 1); i < last; ++i) {
      const bool alone = !needed && i > 0 && in.length <= i;
      sum += alone ? isolated_logs_[first_index(phrase, m) + i] : model.score(in, words[i], scratch_[m]);
      if (alone) continue;
      keep_whole(m, in, words[i], scratch_[m]);
      in = scratch_[m];
    }
    score += weighted(m, sum);
  }
  return score;
}

NGramScorer::Step NGramScorer::compute(ContextId context, PhraseId id) {
  const Phrase& phrase = phrases_[id];
  const double score = phrase.inner_score + score_prefix(context, phrase, true);
  return {score, phrase.end != kUnknown ? phrase.end : end_of(phrase)};
}

/// The context after a phrase whose prefix was just scored. A model with a short reach was queried for the phrase's
/// first words only: its state after the last ones is the same in every context.
ContextId NGramScorer::end_of(const Phrase& phrase) {
  for (std::size_t m = 0; phrase.ends != kUnknown && m < models_->size(); ++m)
    if (phrase.word_count >= models_->model(m).order()) scratch_[m] = ends_[phrase.ends + m];
  return intern({scratch_.data(), models_->size()});
}

ContextId NGramScorer::intern(std::span<const LanguageModel::State> states) {
  if (models_->size() == 0) return ContextId(0);
  const std::uint64_t hash = ContextTable::hash(states);
  if (const ContextId existing = contexts_.find(states, hash); existing != ContextTable::kNone) return existing;
  // Both may run out of memory; no context is added until the last one succeeds.
  if (row_size_) resize_rows(contexts_.size() + 1);
  return contexts_.add(states, hash);
}

double NGramScorer::finish(ContextId context) {
  double score = 0;
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    score += weighted(m, model.score(states(context)[m], model.end_of_sentence(), scratch_[m]));
  }
  return score;
}

void NGramScorer::add_features(ContextId context, PhraseId id, bool at_end, std::span<double> values) const {
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    LanguageModel::State in = states(context)[m], out;
    double sum = 0;
    for (LanguageModel::Word word : indices(phrases_[id], m)) {
      sum += model.score(in, word, out);
      in = out;
    }
    values[m] += at_end ? sum + model.score(in, model.end_of_sentence(), out) : sum;
  }
}

std::vector<double> NGramScorer::features(std::span<const WordId> sentence) const {
  std::vector<double> sums;
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    LanguageModel::State in = model.begin_sentence_state(), out;
    double sum = 0;
    for (WordId word : sentence) {
      sum += model.score(in, index(m, word), out);
      in = out;
    }
    sums.push_back(sum + model.score(in, model.end_of_sentence(), out));
  }
  return sums;
}

// Bounds of phrases whose left context is partly known.

NGramScorer::Known NGramScorer::known(std::span<const PhraseId> phrases, bool from_start) const {
  Known context{{}, 0, from_start};
  for (PhraseId id : phrases) context.words += phrases_[id].word_count;
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    LanguageModel::State in = from_start ? model.begin_sentence_state() : model.empty_state(), out;
    for (PhraseId id : phrases)
      for (LanguageModel::Word word : indices(phrases_[id], m)) {
        model.score(in, word, out);
        in = out;
      }
    context.states.push_back(in);
  }
  return context;
}

std::vector<std::uint32_t> NGramScorer::signature(std::span<const PhraseId> phrases, bool from_start) const {
  const Known context = known(phrases, from_start);
  std::vector<std::uint32_t> signature;
  for (std::size_t m = 0; m < models_->size(); ++m) {
    // More words in front would not change a state that is shorter than the known words, or that has the maximum
    // length.
    const LanguageModel::State& state = context.states[m];
    const bool whole = from_start || state.length < context.words || context.words + 1 >= models_->model(m).order();
    signature.push_back(whole ? ~std::uint32_t{0} : context.words);
    signature.push_back(state.length);
    signature.insert(signature.end(), state.words, state.words + state.length);
  }
  return signature;
}

void NGramScorer::prefetch(const Known& context, PhraseId id) const {
  const Phrase& phrase = phrases_[id];
  if (phrase.word_count == 0) return;
  for (std::size_t m = 0; m < models_->size(); ++m)
    models_->model(m).prefetch(context.states[m].words, context.states[m].length, indices(phrase, m)[0]);
}

double NGramScorer::bound_of_words(const Known& context, const Phrase& phrase, std::size_t count) const {
  double sum = 0;
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    LanguageModel::State in = context.states[m], out;
    unsigned before = context.words;
    for (LanguageModel::Word word : indices(phrase, m).first(count)) {
      const double log = context.from_start ? model.score(in, word, out) : model.bounded(in, word, out, before++).bound;
      sum += weighted(m, log);
      in = out;
    }
  }
  return sum;
}

double NGramScorer::bound_after(const Known& context, PhraseId id) const {
  return bound_of_words(context, phrases_[id], phrases_[id].word_count);
}
double NGramScorer::prefix_bound_after(const Known& context, PhraseId id) const {
  return bound_of_words(context, phrases_[id], std::min(phrases_[id].word_count, reach()));
}

void NGramScorer::prefix_bounds_after(const Known& context, std::span<const PhraseId> phrases,
                                      std::span<const std::uint32_t> chosen, double* bounds, std::size_t stride) const {
  constexpr std::size_t kAhead = 6;  // phrases whose first words are prefetched while others are scored
  const std::size_t reach = this->reach();
  for (const std::uint32_t i : chosen) bounds[i * stride] = 0;
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    const LanguageModel::State& state = context.states[m];
    const auto bound_of = [&](const LanguageModel::State& in, LanguageModel::Word word, LanguageModel::State& out,
                              std::size_t before) {
      const auto words = static_cast<unsigned>(context.words + before);
      return weighted(m, context.from_start ? model.score(in, word, out) : model.bounded(in, word, out, words).bound);
    };
    // Once a state covers only the phrase's own words although more are known, the remaining words score as without
    // context.
    const bool may_forget = context.from_start || (context.words > 0 && model.has_rest_costs());
    LanguageModel::State first_state{}, in, out;
    LanguageModel::Word first_word = 0;
    double first_bound = 0;
    bool has_first = false;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (i + kAhead < chosen.size())
        if (const Phrase& later = phrases_[phrases[chosen[i + kAhead]]]; later.word_count > 0)
          model.prefetch(state.words, state.length, indices(later, m)[0]);
      const Phrase& phrase = phrases_[phrases[chosen[i]]];
      const auto words = indices(phrase, m).first(std::min<std::size_t>(phrase.word_count, reach));
      if (words.empty()) continue;
      if (!has_first || words[0] != first_word) {
        first_word = words[0];
        first_bound = bound_of(state, first_word, first_state, 0);
        has_first = true;
      }
      double& sum = bounds[chosen[i] * stride];
      sum += first_bound;
      in = first_state;
      for (std::size_t w = 1; w < words.size(); ++w) {
        if (may_forget && in.length <= w) {
          for (const double* log = &isolated_logs_[first_index(phrase, m)]; w < words.size(); ++w)
            sum += weighted(m, log[w]);
          break;
        }
        sum += bound_of(in, words[w], out, w);
        in = out;
      }
    }
  }
}

double NGramScorer::finish_bound_after(const Known& context) const {
  double sum = 0;
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    LanguageModel::State out;
    LanguageModel::Word end = model.end_of_sentence();
    sum += weighted(m, context.from_start ? model.score(context.states[m], end, out)
                                          : model.bounded(context.states[m], end, out, context.words).bound);
  }
  return sum;
}

ScoreEstimate NGramScorer::finish_estimate() const {
  ScoreEstimate sum{0, 0};
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    LanguageModel::State out;
    auto [log_prob, bound] = model.bounded(model.empty_state(), model.end_of_sentence(), out);
    sum.estimate += weighted(m, log_prob);
    sum.bound += weighted(m, bound);
  }
  return sum;
}

}  // namespace widl
