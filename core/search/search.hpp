#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include "search/beam_search.hpp"
#include "search/best_first.hpp"
#include "search/certificate.hpp"
#include "search/constants.hpp"
#include "search/cube_pruning.hpp"
#include "search/sweep.hpp"
#include "search/tile_bounds/tile_bound_stages.hpp"

namespace widl {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // clang deduces it from version 17 on

inline bool is_exact(const Search& search) { return std::holds_alternative<AStar>(search); }

/// Tiles whose derivations a TileBound bounds.
template <class U>
concept HasTileBound = OfTiles<U> && requires(const U& unfolding) { unfolding.orientations(); };

/// The result when a bound alone replaces a search: no derivation beats the known one.
inline SearchResult proved(double bound, const Budget& budget) {
  SearchResult result;
  result.bound = bound;
  result.statistics = spent(budget);
  return result;
}

/// Exact search for the derivations above the floor: a sweep under a TileBound, else by the estimator's
/// bounds, else best-first. `reached`: the best known score.
template <OfTiles U, class OfStates>
SearchResult search_above_floor(const U& unfolding, NGramScorer& scorer, OfStates& estimator,
                                const SearchOptions& options, double reached, Budget& budget) {
  const bool can_sweep = options.known.floor != -std::numeric_limits<double>::infinity() && sweep_applies(options);
  double bound = std::numeric_limits<double>::infinity();
  if constexpr (HasTileBound<U>) {
    if (can_sweep) {
      const auto tile_bound =
          make_tile_bound(unfolding.model(), unfolding.orientations(), scorer, options.known.floor, budget, bound);
      if (options.output.nbest == 1 && bound <= reached) return proved(bound, budget);
      if (tile_bound) {
        TileBoundSteps<U> steps(unfolding, *tile_bound, budget);
        SearchResult swept = SweepRun<U, TileBoundSteps<U>>(unfolding, scorer, steps, options, budget).run();
        swept.bound = std::min(swept.bound, bound);
        return swept;
      }
    }
    estimator.solve_coverages();
  }
  SearchResult result;
  if (can_sweep && options.space.distortion_limit <= constants::kSolvableDistortionLimit) {
    FreeSteps<U> steps(unfolding, estimator, budget);
    result = SweepRun<U, FreeSteps<U>>(unfolding, scorer, steps, options, budget).run();
  } else {
    result = BestFirstRun<U>(unfolding, scorer, estimator, options, budget).run();
  }
  result.bound = std::min(result.bound, bound);
  return result;
}

/// Whether one list is the better answer; among equals, the longer one.
inline bool is_better(const RankedPaths& first, const RankedPaths& other) {
  if (first.paths.empty() || other.paths.empty()) return other.paths.empty();
  const double score = first.paths.front().score, others = other.paths.front().score;
  return score > others || (score == others && !other.complete && first.paths.size() > other.paths.size());
}

/// A* whose floor is the score of cube pruning, which takes a fraction of the time.
template <OfTiles U, class OfStates>
SearchResult run_exact(const U& unfolding, NGramScorer& scorer, OfStates& estimator, const SearchOptions& options,
                       Budget& budget) {
  if (!HasTileBound<U>) estimator.solve_coverages();
  const CubePruning quick{.pop_limit = std::max(constants::kPopsForFloor, 2 * options.output.nbest)};
  SearchResult first = CubePruningRun<U>(unfolding, scorer, estimator, quick, options, budget).run();
  if (first.stopped == Resource::none && budget.states_left() == 0) first.stopped = Resource::states;
  if (first.stopped == Resource::seconds || first.stopped == Resource::states) return first;
  SearchOptions exact = options;
  const auto& paths = first.nbest.paths;
  if (first.stopped == Resource::none && !options.output.lattice && paths.size() == options.output.nbest) {
    const double least = paths.back().score;
    exact.known.floor = least - Certificate::recount(least);
  }
  const double reached = paths.empty() ? exact.known.floor : paths.front().score;
  SearchResult second = search_above_floor(unfolding, scorer, estimator, exact, reached, budget);
  if (is_better(first.nbest, second.nbest)) {
    std::swap(first.nbest.paths, second.nbest.paths);
    std::swap(first.explored, second.explored);
  }
  second.bound = std::min(first.bound, second.bound);
  second.exhaustive = first.exhaustive || second.exhaustive;  // either is a proof
  second.statistics.states += first.statistics.states;
  second.statistics.unfolded += first.statistics.unfolded;
  second.statistics.edges += first.statistics.edges;
  return second;
}

/// Runs the search that the options name.
template <Unfolding U, class OfStates>
SearchResult run_search(const U& unfolding, NGramScorer& scorer, OfStates& estimator, const SearchOptions& options,
                        Budget& budget) {
  if constexpr (OfTiles<U>)
    if (is_exact(options.search)) return run_exact(unfolding, scorer, estimator, options, budget);
  return std::visit(
      Overloaded{
          [&](const AStar&) { return BestFirstRun<U>(unfolding, scorer, estimator, options, budget).run(); },
          [&](const AStarK& k) { return BestFirstRun<U>(unfolding, scorer, estimator, k, options, budget).run(); },
          [&](const BeamSearch& layers) {
            return BeamSearchRun<U>(unfolding, scorer, estimator, layers, options, budget).run();
          },
          [&](const CubePruning& cubes) {
            return CubePruningRun<U>(unfolding, scorer, estimator, cubes, options, budget).run();
          },
      },
      options.search);
}

}  // namespace widl
