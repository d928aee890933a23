#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "search/certificate.hpp"
#include "search/derivations.hpp"
#include "search/lower_bound.hpp"
#include "search/projected_tiles.hpp"
#include "search/transition_bound.hpp"

namespace widl {
namespace {

constexpr unsigned kMostRounds = 1000;
constexpr std::size_t kMostCoverages = 300'000;  // of a sentence that are listed at once

using CoverageTransitions = TransitionBound<TilesUnfolding>;
using ProjectedTransitions = TransitionBound<ProjectedTiles>;

/// Positions to track next: some that the best derivation realizes twice, and some that it leaves out.
std::uint64_t to_track(std::span<const std::uint32_t> visits, std::uint64_t tracked) {
  constexpr int kAtOnce = 4;
  std::uint64_t chosen = 0;
  for (const bool twice : {true, false})
    for (std::uint32_t p = 0; p < visits.size() && std::popcount(chosen) < kAtOnce; ++p)
      if (!(tracked >> p & 1) && (twice ? visits[p] > 1 : visits[p] == 0)) chosen |= ProjectedTiles::bits(p, p + 1);
  return chosen;
}

/// Lists coverages that there are too many of, without those that relaxations leave out: at first a state knows how many
/// positions are realized, then of more and more positions whether they are. None, once the bound is at most `satisfied`.
std::unique_ptr<CoverageTransitions> list_in_stages(const TilesUnfolding& unfolding,
                                                    std::shared_ptr<ContextMultipliers> contexts, double floor,
                                                    double satisfied, Budget& budget, double& bound) {
  constexpr std::size_t kMostInStages = 2'000'000;
  constexpr unsigned kFirstRounds = 300, kRounds = 20;  // the first ones cost little
  constexpr double kEnough = 0.5;                       // nats
  const TileModel& model = unfolding.model();
  std::uint64_t tracked = 0;
  auto stage = std::make_unique<ProjectedTransitions>(ProjectedTiles(model, tracked), std::move(contexts), floor,
                                                      kMostCoverages, budget);
  unsigned rounds = kFirstRounds;
  while (true) {
    stage->tighten(rounds, floor + kEnough);
    bound = std::min(bound, stage->bound());
    if (bound <= satisfied) return nullptr;
    const std::uint64_t more = stage->is_empty() ? 0 : to_track(stage->visits(), tracked);
    if (more == 0) break;
    tracked |= more;
    rounds = kRounds;
    stage = std::make_unique<ProjectedTransitions>(ProjectedTiles(model, tracked), *stage, kMostInStages, budget);
  }
  return std::make_unique<CoverageTransitions>(unfolding, *stage, kMostInStages, budget);
}

/// A bound that is lowered until it is `enough` or hardly gets lower. `bound`: the same, also where the budget ends that.
/// None where coverages need not be listed for a bound that `satisfies`. @throws OutOfBudget
std::unique_ptr<CoverageTransitions> lowered(const TilesUnfolding& unfolding, const TileOrientations* orientations,
                                             const Scorer& scorer, double floor, double enough, double satisfied,
                                             Budget& budget, double& bound) {
  auto contexts = std::make_shared<ContextMultipliers>(unfolding.model(), orientations, scorer, budget);
  std::unique_ptr<CoverageTransitions> made;
  if (ProjectedTiles::pay_for(unfolding.model())) {
    made = list_in_stages(unfolding, contexts, floor, satisfied, budget, bound);
    if (!made) return made;
  } else {
    made = std::make_unique<CoverageTransitions>(unfolding, contexts, floor, kMostCoverages, budget);
  }
  const auto out = interruption_of([&] { made->tighten(kMostRounds, enough); });
  bound = std::min(bound, made->bound());  // what was proved until then remains
  if (out) throw *out;
  return made;
}

}  // namespace

void lower_bound(const TilesUnfolding& unfolding, const TileOrientations* orientations, const Scorer& scorer,
                 double gap, Budget& budget, Realization& result) {
  auto& [score, bound] = result.certificate;
  const double tolerance = Certificate::tolerance(score), enough = score + std::max(gap, tolerance);
  if (bound <= enough) return;
  const auto lower = [&] { lowered(unfolding, orientations, scorer, score - tolerance, enough, enough, budget, bound); };
  std::ignore = interruption_of(lower);  // what was proved until then remains
  bound = std::max(score, bound);
}

std::unique_ptr<const CoverageTransitions> transition_bound(const TilesUnfolding& unfolding,
                                                            const TileOrientations* orientations, const Scorer& scorer,
                                                            double floor, Budget& budget, double& bound) {
  constexpr double kEnough = 3;  // nats: what is left then takes a sweep less time than lowering the bound further
  constexpr double kShare = 0.5, kShareInStages = 0.8;  // nothing else would prove what stages don't
  std::unique_ptr<CoverageTransitions> made;
  const auto out = interruption_of([&] {
    const Budget::Share share(budget, ProjectedTiles::pay_for(unfolding.model()) ? kShareInStages : kShare);
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    made = lowered(unfolding, orientations, scorer, floor, floor + kEnough, kNever, budget, bound);
  });
  if (out) return nullptr;
  return made;
}

}  // namespace widl
