#include "search/oriented_realizer.hpp"

#include "search/oriented_unfolding.hpp"
#include "search/tile_orientations.hpp"
#include "search/tile_search.hpp"

namespace widl {

Realization oriented_search(const Tiles& tiles, NGramScorer& scorer, const WeightVector& weights,
                            const SearchOptions& options, const Constraint* constraint, Budget& budget) {
  TileOrientations orientations(tiles, weights, options.space.estimate_movement);
  const TileModel model(tiles, scorer, weights, options.space, needs_own_contexts(options.search), budget,
                        &orientations);
  {
    const Budget::Grace grace(budget);  // linear in the input
    orientations.rank(model, budget);
  }
  return search_tiles(OrientedUnfolding(model, orientations), model, scorer, weights, options, constraint, budget);
}

}  // namespace widl
