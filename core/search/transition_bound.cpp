#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "search/derivations.hpp"
#include "search/lower_bound.hpp"
#include "search/projected_tiles.hpp"
#include "search/transition_bound.hpp"

namespace widl {
namespace {

constexpr unsigned kMostRounds = 1000;
constexpr std::size_t kMostStates = 300'000;


template <std::size_t Words>
using BoundOf = TransitionBound<TilesUnfolding<Words>>;

int number_from(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

/// The bound, listed in stages where there are too many coverages.
template <std::size_t Words>
std::unique_ptr<BoundOf<Words>> make_bound(const TilesUnfolding<Words>& unfolding, const TileOrientations* orientations,
                                           const Scorer& scorer, double floor, double enough, Budget& budget, double& bound) {
  const TileModel& model = unfolding.model();
  auto claims = std::make_shared<Claims>(model, orientations, scorer, budget);
  const bool few = model.distortion_limit() <= 8 || model.length() <= 12;
  if constexpr (Words == 1) {
    if (!few && !model.early_distortion()) {
      using Coarse = TransitionBound<ProjectedTiles>;
      const bool talk = std::getenv("WIDL_TALK");
      std::uint64_t tracked = 0;
      auto coarse = std::make_unique<Coarse>(ProjectedTiles(model, tracked), claims, floor, kMostStates, budget);
      int rounds = number_from("R0", 100);
      while (true) {
        const auto before = coarse->states();
        const auto arcs_before = coarse->all_arcs();
        coarse->tighten(static_cast<unsigned>(rounds), enough);
        bound = std::min(bound, coarse->bound());
        if (talk)
          std::fprintf(stderr, "  tracked %d states %zu -> %zu arcs %zu -> %zu gap %.3f  %.2f s\n", std::popcount(tracked), before, coarse->states(),
                       arcs_before, coarse->all_arcs(), coarse->bound() - floor, budget.seconds());
        if (coarse->bound() <= floor + 1e-9 || coarse->states() == 0) break;
        const auto visits = coarse->visits();
        int added = 0;
        const int group = number_from("GROUP", 4);
        for (const bool twice : {true, false})
          for (std::uint32_t p = 0; p < model.length() && added < group; ++p)
            if (!(tracked >> p & 1) && (twice ? visits[p] > 1 : visits[p] == 0)) tracked |= std::uint64_t{1} << p, ++added;
        if (added == 0) break;
        if (std::popcount(tracked) > number_from("MOST", 64)) break;
        rounds = number_from("R1", 20);
        coarse = std::make_unique<Coarse>(ProjectedTiles(model, tracked), *coarse, 10 * kMostStates, budget);
      }
      auto fine = std::make_unique<BoundOf<1>>(unfolding, *coarse, 10 * kMostStates, budget);
      const auto before = fine->states();
      fine->tighten(30, enough);
      if (talk) std::fprintf(stderr, "  all states %zu -> %zu arcs %zu gap %.3f %.2f s\n", before, fine->states(), fine->all_arcs(), fine->bound() - floor, budget.seconds());
      return fine;
    }
  }
  auto made = std::make_unique<BoundOf<Words>>(unfolding, claims, floor, kMostStates, budget);
  made->tighten(kMostRounds, enough);
  return made;
}

}  // namespace

template <std::size_t Words>
void lower_bound(const TilesUnfolding<Words>& unfolding, const TileOrientations* orientations, const Scorer& scorer,
                 double gap, Budget& budget, Realization& result) {
  const double score = result.nbest.front().score, tolerance = kOptimalTolerance * std::abs(score);
  if (result.bound - score <= std::max(gap, tolerance)) return;
  double bound = result.bound;
  try {
    bound = std::min(bound, make_bound(unfolding, orientations, scorer, score - tolerance, score + std::max(gap, tolerance), budget, bound)->bound());
  } catch (const OutOfBudget&) {  // what was proved until then remains
  }
  result.bound = std::max(score, std::min(result.bound, bound));
  result.optimal = result.bound - score <= tolerance;
}

template <std::size_t Words>
std::unique_ptr<const TransitionBound<TilesUnfolding<Words>>> transition_bound(const TilesUnfolding<Words>& unfolding,
                                                               const TileOrientations* orientations,
                                                               const Scorer& scorer, double floor, Budget& budget,
                                                               double& bound) {
  constexpr double kEnough = 3;  // nats: what is left then takes a sweep less time than lowering the bound further
  std::unique_ptr<BoundOf<Words>> made;
  try {
    const Budget::Share share(budget, 0.5);
    made = make_bound(unfolding, orientations, scorer, floor, floor + kEnough, budget, bound);
    bound = std::min(bound, made->bound());
  } catch (const OutOfBudget&) {
  }
  return made;
}

template <std::size_t Words>
using Made = std::unique_ptr<const TransitionBound<TilesUnfolding<Words>>>;
template Made<1> transition_bound(const TilesUnfolding<1>&, const TileOrientations*, const Scorer&, double, Budget&, double&);
template Made<16> transition_bound(const TilesUnfolding<16>&, const TileOrientations*, const Scorer&, double, Budget&, double&);
template void lower_bound(const TilesUnfolding<1>&, const TileOrientations*, const Scorer&, double, Budget&, Realization&);
template void lower_bound(const TilesUnfolding<16>&, const TileOrientations*, const Scorer&, double, Budget&, Realization&);

}  // namespace widl
