#include "search/transition_bound.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "search/derivations.hpp"

namespace widl {

template <std::size_t Words>
void lower_bound(const TilesUnfolding<Words>& unfolding, const TileModel& model, const Scorer& scorer, double gap,
                 Budget& budget, Realization& result) {
  constexpr unsigned kMostSteps = 1000;
  const double score = result.nbest.front().score, tolerance = kOptimalTolerance * std::abs(score);
  if (result.bound - score <= std::max(gap, tolerance)) return;
  std::optional<TransitionBound<Words>> bound;
  try {
    bound.emplace(unfolding, model, scorer, budget);
    bound->tighten(kMostSteps, score, score + std::max(gap, tolerance));
  } catch (const OutOfBudget&) {  // what was proved until then remains
  }
  if (bound) result.bound = std::max(score, std::min(result.bound, bound->bound()));
  result.optimal = result.bound - score <= tolerance;
}

template void lower_bound(const TilesUnfolding<1>&, const TileModel&, const Scorer&, double, Budget&, Realization&);
template void lower_bound(const TilesUnfolding<16>&, const TileModel&, const Scorer&, double, Budget&, Realization&);

}  // namespace widl
