#pragma once

#include <cstddef>

#include "search/budget.hpp"
#include "search/realize_with.hpp"
#include "search/tile_bounds/coverage_bound.hpp"
#include "search/tile_bounds/tile_bound_stages.hpp"
#include "search/tile_model.hpp"

namespace widl {

/// Raises the bound of a result to that of the derivations that no search unfolds, and claims no more than it proves.
void include_derivations_beyond_window(const TileModel& model, std::size_t nbest, Realization& result);

template <class U>
Realization search_tiles(const U& unfolding, const TileModel& model, NGramScorer& scorer, const WeightVector& weights,
                         const SearchOptions& options, const Constraint* constraint, Budget& budget) {
  TilesEstimator<U> estimator(unfolding, model, budget);
  Realization result = realize_with(unfolding, scorer, estimator, model.tiles().sentence_words(), weights, options,
                                    constraint, budget, "the tiles within the distortion limit");
  if (result.outcome == Outcome::found && result.stopped == Resource::none)
    tighten_tile_bound(model, unfolding.orientations(), scorer, options.gap, budget, result);
  include_derivations_beyond_window(model, options.output.nbest, result);
  return result;
}

}  // namespace widl
