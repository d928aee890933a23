#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <variant>

#include "search/best_first.hpp"
#include "search/certificate.hpp"
#include "search/cube_pruning.hpp"
#include "search/layered.hpp"
#include "search/sweep.hpp"
#include "search/sweep_steps.hpp"
#include "search/lower_bound.hpp"

namespace widl {

/// Solving all coverages beforehand pays for exact search over tiles as long as there are few of them.
inline constexpr std::uint32_t kSolvableDistortionLimit = 8;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

inline bool is_exact(const Search& search) {
  return std::holds_alternative<AStar>(search);
}

/// Tiles whose derivations a TransitionBound bounds.
template <class U>
concept HasTransitionBound = OfTiles<U> && requires(const U& unfolding) { unfolding.orientations(); };

/// What is left of a search where a bound alone proves that nothing is better.
inline SearchResult proved(double bound, const Budget& budget) {
  SearchResult result;
  result.bound = bound;
  result.statistics = spent(budget);
  return result;
}

/// Exact search among the derivations from the floor on: guided by a TransitionBound, or else with the estimator's bounds,
/// by a sweep or best-first. `reached`: the best score that is known.
template <OfTiles U>
SearchResult search_above_floor(const U& unfolding, Scorer& scorer, Estimator<typename U::State>& estimator,
                                const SearchOptions& options, double reached, Budget& budget) {
  const bool has_floor = options.floor != -std::numeric_limits<double>::infinity();
  double bound = std::numeric_limits<double>::infinity();
  if constexpr (HasTransitionBound<U>) {
    if (has_floor && Sweep<U, FreeSteps<U>>::can_do(options)) {
      const auto guide = transition_bound(unfolding.coverages(), unfolding.orientations(), scorer, options.floor, budget, bound);
      if (options.answer.nbest == 1 && bound <= reached) return proved(bound, budget);
      if (guide) {
        GuidedSteps<U, std::remove_cvref_t<decltype(*guide)>> steps(unfolding, *guide, budget);
        SearchResult found = Sweep<U, decltype(steps)>(unfolding, scorer, steps, options, budget).run();
        found.bound = std::min(found.bound, bound);
        return found;
      }
    }
    estimator.sharpen();
  }
  SearchResult found;
  if (has_floor && options.space.distortion_limit <= kSolvableDistortionLimit && Sweep<U, FreeSteps<U>>::can_do(options)) {
    FreeSteps<U> steps(unfolding, estimator, budget);
    found = Sweep<U, FreeSteps<U>>(unfolding, scorer, steps, options, budget).run();
  } else {
    found = BestFirst<U>(unfolding, scorer, estimator, options, budget).run();
  }
  found.bound = std::min(found.bound, bound);
  return found;
}

/// Whether one list is the better answer; among equals, the longer one.
inline bool is_better(const RankedPaths& one, const RankedPaths& other) {
  if (one.paths.empty() || other.paths.empty()) return other.paths.empty();
  const double score = one.paths.front().score, others = other.paths.front().score;
  return score > others || (score == others && !other.complete && one.paths.size() > other.paths.size());
}

/// A* with the score of cube pruning as its floor, which is found in a fraction of the time.
template <OfTiles U>
SearchResult run_exact(const U& unfolding, Scorer& scorer, Estimator<typename U::State>& estimator,
                       const SearchOptions& options, Budget& budget) {
  constexpr std::size_t kPops = 200;
  if (!HasTransitionBound<U>) estimator.sharpen();
  const CubeStacks quick{.kept = {}, .pops = std::max(kPops, 2 * options.answer.nbest)};
  SearchResult first = CubePruning<U>(unfolding, scorer, estimator, quick, options, budget).run();
  if (first.stopped.empty() && budget.states_left() == 0) first.stopped = "max_states";
  if (first.stopped == "max_seconds" || first.stopped == "max_states") return first;
  SearchOptions exact = options;
  const auto& known = first.nbest.paths;
  if (first.stopped.empty() && !options.answer.lattice && known.size() == options.answer.nbest) {
    const double least = known.back().score;
    exact.floor = least - Certificate::recount(least);
  }
  const double reached = known.empty() ? exact.floor : known.front().score;
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
template <Unfolding U>
SearchResult run_search(const U& unfolding, Scorer& scorer, Estimator<typename U::State>& estimator,
                        const SearchOptions& options, Budget& budget) {
  if constexpr (OfTiles<U>)
    if (is_exact(options.search)) return run_exact(unfolding, scorer, estimator, options, budget);
  const auto layered = [&](LengthUnit unit, const LayerLimits& kept) {
    return Layered<U>(unfolding, scorer, estimator, unit, kept, options, budget).run();
  };
  return std::visit(
      Overloaded{
          [&](const BreadthFirst&) { return layered(LengthUnit::words, {}); },
          [&](const AStar&) { return BestFirst<U>(unfolding, scorer, estimator, options, budget).run(); },
          [&](const AStarK& k) { return BestFirst<U>(unfolding, scorer, estimator, k, options, budget).run(); },
          [&](const Beam& beam) { return layered(LengthUnit::words, beam.kept); },
          [&](const Stacks& stacks) { return layered(LengthUnit::positions, stacks.kept); },
          [&](const CubeStacks& cubes) { return CubePruning<U>(unfolding, scorer, estimator, cubes, options, budget).run(); },
      },
      options.search);
}

}  // namespace widl
