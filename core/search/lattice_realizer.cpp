#include "search/lattice_realizer.hpp"

#include "search/lattice_unfolding.hpp"
#include "search/realize_with.hpp"

namespace widl {
namespace {

class LatticeEstimator : public Estimator<LatticeUnfolding::State> {
 public:
  explicit LatticeEstimator(const LatticeModel& model) : model_(model) {}
  ScoreEstimate operator()(const LatticeUnfolding::State& state, const Arrival& arrival) override {
    if (arrival.label == Arrival::kNone || state.node == model_.last()) return of_state(state);
    const double bound = model_.rest_after(arrival.label);
    return {bound, bound};
  }
  ScoreEstimate of_state(const LatticeUnfolding::State& state) override {
    if (state.node == model_.last()) return {0, 0};
    return {model_.rest(state.node), model_.rest(state.node)};
  }

 private:
  const LatticeModel& model_;
};

}  // namespace

Realization realize(const Lattice& lattice, const ScoringModels& models, const WeightVector& weights,
                    const SearchOptions& options, Budget& budget, const Constraint* constraint) {
  require_components(weights, lattice.width(), "the lattice has");
  validate_weights(weights, models);
  SentenceWords words(models.vocabulary());
  NGramScorer scorer(models, words, weights.language_models, budget);
  const LatticeModel model(lattice, words, scorer, weights, budget);
  LatticeEstimator estimator(model);
  return realize_with(LatticeUnfolding(model), scorer, estimator, words, weights,
                      in_growing_layers(options, !model.has_empty_phrases()), constraint, budget, "the lattice");
}

}  // namespace widl
