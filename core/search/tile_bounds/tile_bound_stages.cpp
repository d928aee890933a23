#include "search/tile_bounds/tile_bound_stages.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>

#include "log_zero.hpp"
#include "search/certificate.hpp"
#include "search/constants.hpp"

namespace widl {
namespace {

/// Positions to track next: some that the best derivation realizes twice, and some that it misses.
std::uint64_t to_track(std::span<const std::uint32_t> visits, std::uint64_t tracked) {
  std::uint64_t chosen = 0;
  for (const bool twice : {true, false})
    for (std::uint32_t p = 0; p < visits.size() && std::popcount(chosen) < constants::kTrackedAtOnce; ++p)
      if (!(tracked >> p & 1) && (twice ? visits[p] > 1 : visits[p] == 0)) chosen |= TileSpace::bits(p, p + 1);
  return chosen;
}

/// Lists coverages in stages if there are too many, and skips coverages that relaxations prune. At first a state knows
/// the number of realized positions; later states track more and more positions. Returns none once the bound is at most
/// `satisfied`.
std::unique_ptr<TileBound> list_in_stages(const TileModel& model, std::shared_ptr<LeftContexts> contexts, double floor,
                                          double satisfied, Budget& budget, double& bound) {
  std::uint64_t tracked = 0;
  auto stage = std::make_unique<TileBound>(TileSpace(model, tracked), std::move(contexts), floor,
                                           constants::kMaxCoverages, budget);
  unsigned rounds = constants::kFirstRounds;
  while (true) {
    stage->tighten(rounds, floor + constants::kEnoughForStage);
    bound = std::min(bound, stage->bound());
    if (bound <= satisfied) return nullptr;
    const std::uint64_t more = stage->is_empty() ? 0 : to_track(stage->visits(), tracked);
    if (more == 0) break;
    tracked |= more;
    rounds = constants::kRoundsOfStage;
    stage = std::make_unique<TileBound>(TileSpace(model, tracked), *stage, constants::kMaxInStages, budget);
  }
  return std::make_unique<TileBound>(TileSpace(model), *stage, constants::kMaxInStages, budget);
}

/// Lowers a bound until it is `enough` or progress stalls. `bound` receives its value, even if the budget runs
/// out. None if the bound reaches `satisfied` before coverages are listed. @throws OutOfBudget
std::unique_ptr<TileBound> lowered(const TileModel& model, const TileOrientations* orientations,
                                   const NGramScorer& scorer, double floor, double enough, double satisfied,
                                   Budget& budget, double& bound) {
  auto contexts = std::make_shared<LeftContexts>(model, orientations, scorer, budget);
  std::unique_ptr<TileBound> tile_bound;
  if (TileSpace::needs_projections(model)) {
    tile_bound = list_in_stages(model, contexts, floor, satisfied, budget, bound);
    if (!tile_bound) return tile_bound;
  } else {
    tile_bound = std::make_unique<TileBound>(TileSpace(model), contexts, floor, constants::kMaxCoverages, budget);
  }
  const auto out = catch_out_of_budget([&] { tile_bound->tighten(constants::kMaxRounds, enough); });
  bound = std::min(bound, tile_bound->bound());  // the bound proved before the interruption stays valid
  if (out) throw *out;
  return tile_bound;
}

}  // namespace

void tighten_tile_bound(const TileModel& model, const TileOrientations* orientations, const NGramScorer& scorer,
                        double gap, Budget& budget, Realization& result) {
  auto& [score, bound] = result.certificate;
  const double tolerance = Certificate::tolerance(score), enough = score + std::max(gap, tolerance);
  if (bound <= enough) return;
  const auto lower = [&] { lowered(model, orientations, scorer, score - tolerance, enough, enough, budget, bound); };
  std::ignore = catch_out_of_budget(lower);  // the bound proved before the interruption stays valid
  bound = std::max(score, bound);
}

std::unique_ptr<const TileBound> make_tile_bound(const TileModel& model, const TileOrientations* orientations,
                                                 const NGramScorer& scorer, double floor, Budget& budget,
                                                 double& bound) {
  std::unique_ptr<TileBound> tile_bound;
  const auto out = catch_out_of_budget([&] {
    const Budget::Share share(
        budget, TileSpace::needs_projections(model) ? constants::kShareOfStages : constants::kShareOfBounds);
    tile_bound =
        lowered(model, orientations, scorer, floor, floor + constants::kEnoughForSweep, kLogZero, budget, bound);
  });
  if (out) return nullptr;
  return tile_bound;
}

}  // namespace widl
