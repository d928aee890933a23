#pragma once

#include <memory>

#include "search/budget.hpp"
#include "search/ngram_scorer.hpp"
#include "search/realization.hpp"
#include "search/tile_bounds/tile_bound.hpp"
#include "search/tile_model.hpp"
#include "search/tile_orientations.hpp"

namespace widl {

/// A TileBound for exact search above the floor, or null if the budget has no room for it. `bound` is
/// lowered in either case. A sentence with too many coverages is listed in stages: at first its states know the number
/// of realized positions, then more and more positions are tracked. Each stage omits everything that the previous stage
/// pruned.
std::unique_ptr<const TileBound> make_tile_bound(const TileModel& model, const TileOrientations* orientations,
                                                 const NGramScorer& scorer, double floor, Budget& budget,
                                                 double& bound);

/// Lowers the bound of a search's result until it is at most `gap` above the score or progress stalls.
void tighten_tile_bound(const TileModel& model, const TileOrientations* orientations, const NGramScorer& scorer,
                        double gap, Budget& budget, Realization& result);

}  // namespace widl
