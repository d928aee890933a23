#include "search/grammar_unfolding.hpp"
#include "search/packing_unfolding.hpp"
#include "search/realization.hpp"
#include "search/realizer.hpp"

namespace widl {

Realization realize(const Packing& packing, const ScoringModels& models, const Weights& weights,
                    const SearchOptions& options, Budget& budget, const Grammar* grammar) {
  if (weights.widl.size() != packing.components())
    throw InputError("weights for " + std::to_string(weights.widl.size()) + " WIDL features, but the packing has " +
                     std::to_string(packing.components()));
  validate_weights(weights, models);
  validate_options(options);
  if (options.lattice) throw InputError("lattices are of tiles, not of packings; ask for n-best lists");
  if (packing.alternatives().empty()) throw InputError("the packing has no phrases");
  Scorer scorer(models, packing.sentence_words(), weights.language_models);
  PackingModel model(packing, scorer, weights, options, budget);
  PackingUnfolding unfolding(model);
  auto estimator = [&](const PackingUnfolding::State& state, const Arrival&) { return unfolding.completion(state); };
  SearchResult found = run_filtered(unfolding, scorer, estimator, options, packing.sentence_words(), grammar, budget);
  if (found.paths.empty()) nothing_found(found, options, grammar, "the packing has no derivation");
  return complete(std::move(found), weights, [&](std::span<const std::uint32_t> labels) {
    Derivation derivation;
    derivation.features.assign(weights.widl.size(), 0.0);
    std::vector<WordId> words;
    for (std::uint32_t label : labels) {
      const PackingOption& option = model.options()[label];
      const Packing::Alternative& alternative = packing.alternatives()[option.alternative];
      auto log_scores = packing.log_scores(alternative);
      for (std::size_t j = 0; j < log_scores.size(); ++j) derivation.features[j] += log_scores[j];
      derivation.phrases.push_back({alternative.first_word, alternative.first_word + alternative.word_count,
                                    alternative.word_count, option.alternative});
      for (WordId word : packing.words(alternative)) words.push_back(word);
    }
    for (WordId word : words) derivation.words.emplace_back(packing.text(word));
    for (double log : scorer.features(words)) derivation.features.push_back(log);
    derivation.features.push_back(static_cast<double>(words.size()));
    derivation.features.push_back(static_cast<double>(labels.size()));
    derivation.features.insert(derivation.features.end(), {0.0, 0.0});  // movement and unknown words
    return derivation;
  });
}

}  // namespace widl
