#pragma once

#include <optional>

#include "search/coverage_bound.hpp"
#include "search/derivations.hpp"
#include "search/lower_bound.hpp"
#include "search/tiles_unfolding.hpp"

namespace widl {

/// Bounds of the free part of a sentence: sums over its gaps or, for exact search under a small distortion limit, the
/// solution of every coverage.
template <class U>
class TilesEstimator final : public Estimator<typename U::State> {
 public:
  TilesEstimator(const U& unfolding, const TileModel& model, Budget& budget)
      : unfolding_(unfolding), model_(model), budget_(budget) {}
  /// Solves all coverages if this takes at most half of the remaining budget.
  void solve_coverages() {
    if (model_.distortion_limit() > constants::kSolvableDistortionLimit) return;
    const auto out = catch_out_of_budget([&] {
      const Budget::Share share(budget_, constants::kShareOfBounds);
      solved_.emplace(unfolding_, model_, budget_);
      (*solved_)(U::coverage(unfolding_.initial()));
    });
    if (out) solved_.reset();
  }
  ScoreEstimate of_state(const U::State& state) override {
    if (!solved_ || unfolding_.is_final(state)) return unfolding_.completion(state);
    const double bound = (*solved_)(U::coverage(state));
    return {bound, bound};
  }

 private:
  const U& unfolding_;
  const TileModel& model_;
  Budget& budget_;
  std::optional<CoverageBound<U>> solved_;
};

template <class U>
Realization search_tiles(const U& unfolding, const TileModel& model, Scorer& scorer, const Weights& weights,
                         const SearchOptions& options, const Constraint* constraint, Budget& budget) {
  TilesEstimator<U> estimator(unfolding, model, budget);
  Realization result =
      realize_with(unfolding, scorer, estimator, model.tiles().sentence_words(), weights, options, constraint, budget,
                   "the tiles within the distortion limit");
  if (result.outcome == Outcome::found && result.stopped == Resource::none)
    lower_bound(model, unfolding.orientations(), scorer, options.gap, budget, result);
  return result;
}

/// Searches tiles with a reordering model. It is compiled separately, so that both variants are inlined fully.
Realization oriented_search(const Tiles& tiles, Scorer& scorer, const Weights& weights, const SearchOptions& options,
                            const Constraint* constraint, Budget& budget);

}  // namespace widl
