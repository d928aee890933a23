#include "search/graph_realizer.hpp"

#include <cstddef>
#include <optional>

#include "errors.hpp"
#include "search/bag_bound.hpp"
#include "search/context_bound.hpp"
#include "search/graph_unfolding.hpp"
#include "search/realize_with.hpp"
#include "search/tile_realizer.hpp"

namespace widl {
namespace {

/// Sums over the remaining parts, each word in its best possible context.
template <std::size_t Words>
class FixedEstimator : public Estimator<Cut<Words>> {
 public:
  FixedEstimator(const GraphUnfolding<Words>& unfolding, Budget& budget)
      : unfolding_(unfolding), work_(unfolding.model().graph().nodes().size() / 8), budget_(budget) {}
  ScoreEstimate of_state(const Cut<Words>& state) override {
    budget_.work(work_);
    return unfolding_.completion(state);
  }

 private:
  const GraphUnfolding<Words>& unfolding_;
  std::size_t work_;
  Budget& budget_;
};

/// An expression prepared for search: its graph, scored under the models.
class GraphRealizer {
 public:
  GraphRealizer(const Expression& expression, const ScoringModels& models, const WeightVector& weights,
                const SpaceOptions& space, Budget& budget)
      : budget_(budget),
        words_(models.vocabulary()),
        graph_(expression, weights.widl.size(), words_),
        scorer_(models, words_, weights.language_models, budget, space.whole_contexts),
        model_(graph_, scorer_, weights, space.printed.get()),
        weights_(weights) {
    if (!graph_.empty_derivations().empty())
      throw InputError("the whole expression may be empty, so it can't be realized");
    budget.take_input(graph_.memory() + model_.memory());
  }

  Realization realize(const SearchOptions& options, const Constraint* constraint) {
    return graph_.bits() <= 64 ? search<1>(options, constraint) : search<WidlGraph::kMaxBits / 64>(options, constraint);
  }

 private:
  template <std::size_t Words>
  Realization search(const SearchOptions& options, const Constraint* constraint) {
    // Equal arguments may be written differently, and the 2005 paper treats them as separate items.
    GraphUnfolding<Words> unfolding(model_, /*twins=*/options.space.printed != nullptr || options.space.whole_contexts);
    budget_.take_input(unfolding.memory());
    const Bound bound = options.space.bound;
    std::optional<BagBound<Words>> bag;
    std::optional<ContextBound<Words>> available;
    FixedEstimator<Words> fixed(unfolding, budget_);
    if (bound == Bound::lagrangian && BagBound<Words>::applies(model_))
      make_within_budget(bag, unfolding, wants_only_the_best(options) && !constraint);
    const bool as_written = bound == Bound::eq2, applies = ContextBound<Words>::applies(unfolding, as_written);
    if (as_written && !applies)
      throw InputError(
          "Equation 2, the bound eq2, is for lines of up to 64 different words and, except for bags, 500 phrases; take "
          "a shorter line or another bound; the preset paper-2005 has no other");
    if (!bag && bound != Bound::loose && applies) make_within_budget(available, unfolding, as_written);
    SearchOptions run_options = options;
    Estimator<Cut<Words>>* estimator = &fixed;
    if (bag) {
      estimator = &*bag;
      run_options.known = bag->known();
    }
    if (available) estimator = &*available;
    return realize_with(unfolding, scorer_, *estimator, words_, weights_, run_options, constraint, budget_,
                        "the expression");
  }

  /// Whether an exact search is to find the best derivation alone: no list, lattice, record or limit of length.
  static bool wants_only_the_best(const SearchOptions& options) {
    return is_exact(options.search) && !options.output.needs_arcs() && options.output.record == 0 &&
           options.space.max_words == 0 && options.space.max_bytes == 0;
  }

  /// Creates a bound within half of the remaining budget; none if the budget is too small.
  template <class OfWords, class Unfolding, class... More>
  void make_within_budget(std::optional<OfWords>& bound, const Unfolding& unfolding, More... more) {
    const auto out = catch_out_of_budget([&] {
      const Budget::Share share(budget_, constants::kShareOfBounds);
      bound.emplace(unfolding, scorer_, budget_, more...);
    });
    if (out) bound.reset();
  }

  Budget& budget_;
  SentenceWords words_;
  WidlGraph graph_;
  NGramScorer scorer_;
  GraphModel model_;
  const WeightVector& weights_;
};

}  // namespace

Realization realize(const Expression& expression, const ScoringModels& models, const WeightVector& weights,
                    const SearchOptions& options, Budget& budget, const Constraint* constraint) {
  // Equation 2 is of graphs; other bounds have a search of their own for tiles.
  if (expression.kind() == Expression::Kind::tiles && options.space.bound != Bound::eq2) {
    const Tiles tiles = Tiles::compile(expression, models.vocabulary(), weights.widl.size());
    return realize(tiles, models, weights, options, budget, constraint);
  }
  validate_weights(weights, models);
  return GraphRealizer(expression, models, weights, options.space, budget).realize(options, constraint);
}

}  // namespace widl
