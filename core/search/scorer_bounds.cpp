#include "search/scorer.hpp"

#include <algorithm>

// Bounds of a Scorer for phrases whose left context is partly known, and their dependencies.

namespace widl {

Scorer::Known Scorer::known(std::span<const PhraseId> phrases, bool from_start) const {
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

std::vector<std::uint32_t> Scorer::signature(std::span<const PhraseId> phrases, bool from_start) const {
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

void Scorer::expect(const Known& context, PhraseId id) const {
  const Phrase& phrase = phrases_[id];
  if (phrase.word_count == 0) return;
  for (std::size_t m = 0; m < models_->size(); ++m)
    models_->model(m).prefetch(context.states[m].words, context.states[m].length, indices(phrase, m)[0]);
}

double Scorer::bound_of_words(const Known& context, const Phrase& phrase, std::size_t count) const {
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

double Scorer::bound_after(const Known& context, PhraseId id) const {
  return bound_of_words(context, phrases_[id], phrases_[id].word_count);
}
double Scorer::prefix_bound_after(const Known& context, PhraseId id) const {
  return bound_of_words(context, phrases_[id], std::min(phrases_[id].word_count, reach()));
}

void Scorer::prefix_bounds_after(const Known& context, std::span<const PhraseId> phrases,
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
          for (const double* log = &isolated_logs_[first_index(phrase, m)]; w < words.size(); ++w) sum += weighted(m, log[w]);
          break;
        }
        sum += bound_of(in, words[w], out, w);
        in = out;
      }
    }
  }
}

double Scorer::finish_bound_after(const Known& context) const {
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

ScoreEstimate Scorer::finish_estimate() const {
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
