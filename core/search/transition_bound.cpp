#include <algorithm>
#include <cmath>
#include <optional>

#include "search/derivations.hpp"
#include "search/lower_bound.hpp"
#include "search/transition_bound.hpp"

namespace widl {
namespace {

constexpr unsigned kMostRounds = 1000;

}  // namespace

template <std::size_t Words>
void lower_bound(const TilesUnfolding<Words>& unfolding, const TileOrientations* orientations, const Scorer& scorer,
                 double gap, Budget& budget, Realization& result) {
  const double score = result.nbest.front().score, tolerance = kOptimalTolerance * std::abs(score);
  if (result.bound - score <= std::max(gap, tolerance)) return;
  std::optional<TransitionBound<Words>> bound;
  try {
    bound.emplace(unfolding, orientations, scorer, score - tolerance, budget);
    bound->tighten(kMostRounds, score + std::max(gap, tolerance));
  } catch (const OutOfBudget&) {  // what was proved until then remains
  }
  if (bound) result.bound = std::max(score, std::min(result.bound, bound->bound()));
  result.optimal = result.bound - score <= tolerance;
}

template <std::size_t Words>
std::unique_ptr<const TransitionBound<Words>> transition_bound(const TilesUnfolding<Words>& unfolding,
                                                               const TileOrientations* orientations,
                                                               const Scorer& scorer, double floor, Budget& budget,
                                                               double& bound) {
  constexpr double kEnough = 3;  // nats: what is left then takes a sweep less time than lowering the bound further
  std::unique_ptr<TransitionBound<Words>> made;
  try {
    const Budget::Share share(budget, 0.5);
    made = std::make_unique<TransitionBound<Words>>(unfolding, orientations, scorer, floor, budget);
    made->tighten(kMostRounds, floor + kEnough);
    bound = made->bound();
  } catch (const OutOfBudget&) {
    if (made) bound = made->bound();
    made.reset();
  }
  return made;
}

template <std::size_t Words>
using Made = std::unique_ptr<const TransitionBound<Words>>;
template Made<1> transition_bound(const TilesUnfolding<1>&, const TileOrientations*, const Scorer&, double, Budget&, double&);
template Made<16> transition_bound(const TilesUnfolding<16>&, const TileOrientations*, const Scorer&, double, Budget&, double&);
template void lower_bound(const TilesUnfolding<1>&, const TileOrientations*, const Scorer&, double, Budget&, Realization&);
template void lower_bound(const TilesUnfolding<16>&, const TileOrientations*, const Scorer&, double, Budget&, Realization&);

}  // namespace widl
