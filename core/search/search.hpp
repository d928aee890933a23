#pragma once

#include <algorithm>
#include <cmath>

#include "errors.hpp"
#include "search/best_first.hpp"
#include "search/cube_pruning.hpp"
#include "search/layered.hpp"
#include "search/sweep.hpp"

namespace widl {

/// A* with the score of cube pruning as its floor, which is found in a fraction of the time.
template <CoversTiles U, class Estimator>
SearchResult run_exact(const U& unfolding, Scorer& scorer, Estimator& estimator, const SearchOptions& options,
                       Budget& budget) {
  constexpr std::size_t kPops = 200;
  SearchOptions quick = options;
  quick.algorithm = Algorithm::cube;
  quick.beam = 0;
  quick.beam_size = 0;
  quick.pop_limit = std::max(kPops, 2 * options.nbest);
  SearchResult first = CubePruning<U, Estimator>(unfolding, scorer, estimator, quick, budget).run();
  if (first.stopped == "max_seconds") return first;
  SearchOptions exact = options;
  if (first.stopped.empty() && !options.lattice && first.paths.size() == options.nbest) {
    const double least = first.paths.back().score;
    exact.floor = least - 1e-6 * std::max(1.0, std::abs(least));  // so that rounding loses nothing
  }
  const bool sweep = exact.floor != options.floor && options.distortion_limit <= kSolvableDistortionLimit &&
                     Sweep<U, Estimator>::can_do(options);
  SearchResult second = sweep ? Sweep<U, Estimator>(unfolding, scorer, estimator, exact, budget).run()
                              : BestFirst<U, Estimator>(unfolding, scorer, estimator, exact, budget).run();
  if (second.paths.empty() || (!first.paths.empty() && first.paths.front().score > second.paths.front().score)) {
    second.paths = std::move(first.paths);
    second.explored = std::move(first.explored);
  }
  second.bound = std::min(first.bound, second.bound);
  second.exhaustive = first.exhaustive && second.exhaustive;
  second.statistics.states += first.statistics.states;
  second.statistics.unfolded += first.statistics.unfolded;
  second.statistics.edges += first.statistics.edges;
  return second;
}

/// Runs the search that the options name.
/// @throws InputError for stack decoding of what is not made of tiles.
template <Unfolding U, class Estimator>
SearchResult run_search(const U& unfolding, Scorer& scorer, Estimator& estimator, const SearchOptions& options,
                        Budget& budget) {
  const bool stacks = options.algorithm == Algorithm::stack || options.algorithm == Algorithm::cube;
  if (stacks && !CoversTiles<U>) throw InputError("stack decoding is for tiles; search this with astar, beam or bfs");
  switch (options.algorithm) {
    case Algorithm::bfs:
    case Algorithm::beam:
    case Algorithm::stack: return Layered<U, Estimator>(unfolding, scorer, estimator, options, budget).run();
    case Algorithm::cube:
      if constexpr (CoversTiles<U>) return CubePruning<U, Estimator>(unfolding, scorer, estimator, options, budget).run();
      [[fallthrough]];
    case Algorithm::astar:
      if constexpr (CoversTiles<U>) return run_exact(unfolding, scorer, estimator, options, budget);
      break;
    case Algorithm::astar_k: break;
  }
  return BestFirst<U, Estimator>(unfolding, scorer, estimator, options, budget).run();
}

}  // namespace widl
