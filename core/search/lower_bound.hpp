#pragma once

#include <memory>

#include "search/realization.hpp"
#include "search/tiles_unfolding.hpp"
#include "search/transition_bound.hpp"

namespace widl {

/// A bound that exact search above the floor can use, or nothing where the budget has no place for it. `bound`: what the
/// bound was lowered to in either case.
std::unique_ptr<const TransitionBound<TilesUnfolding>> transition_bound(const TilesUnfolding& unfolding,
                                                                        const TileOrientations* orientations,
                                                                        const Scorer& scorer, double floor,
                                                                        Budget& budget, double& bound);

/// Lowers the bound of a search's result until it is at most `gap` above the score or hardly gets lower.
void lower_bound(const TilesUnfolding& unfolding, const TileOrientations* orientations, const Scorer& scorer,
                 double gap, Budget& budget, Realization& result);

}  // namespace widl
