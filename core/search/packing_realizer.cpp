#include "search/derivations.hpp"
#include "search/packing_unfolding.hpp"
#include "search/realizer.hpp"

namespace widl {
namespace {

class PackingEstimator : public Estimator<PackingUnfolding::State> {
 public:
  explicit PackingEstimator(const PackingUnfolding& unfolding) : unfolding_(unfolding) {}
  ScoreEstimate of_state(const PackingUnfolding::State& state) override { return unfolding_.completion(state); }

 private:
  const PackingUnfolding& unfolding_;
};

}  // namespace

Realization realize(const Packing& packing, const ScoringModels& models, const Weights& weights,
                    const SearchOptions& options, Budget& budget, const Grammar* grammar) {
  require_components(weights, packing.components(), "the packing has");
  validate_weights(weights, models);
  refuse_strings(options, "packings");
  if (packing.alternatives().empty()) throw InputError("the packing has no phrases");
  Scorer scorer(models, packing.sentence_words(), weights.language_models);
  PackingModel model(packing, scorer, weights, options.space, budget);
  PackingUnfolding unfolding(model);
  PackingEstimator estimator(unfolding);
  return realize_with(unfolding, scorer, estimator, packing.sentence_words(), weights, options, grammar, budget,
                      "the packing has no derivation");
}

}  // namespace widl
