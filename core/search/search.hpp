#pragma once

#include "errors.hpp"
#include "search/best_first.hpp"
#include "search/cube_pruning.hpp"
#include "search/layered.hpp"

namespace widl {

/// Runs the search that the options name.
/// @throws InputError for stack decoding of what is not made of tiles.
template <Unfolding U, class Outlook>
SearchResult run_search(const U& unfolding, Scorer& scorer, Outlook& outlook, const SearchOptions& options) {
  const bool stacks = options.algorithm == Algorithm::stack || options.algorithm == Algorithm::cube;
  if (stacks && !CoversTiles<U>) throw InputError("stack decoding is for tiles; search this with astar, beam or bfs");
  switch (options.algorithm) {
    case Algorithm::bfs:
    case Algorithm::beam:
    case Algorithm::stack: return Layered<U, Outlook>(unfolding, scorer, outlook, options).run();
    case Algorithm::cube:
      if constexpr (CoversTiles<U>) return CubePruning<U, Outlook>(unfolding, scorer, outlook, options).run();
      [[fallthrough]];
    case Algorithm::astar:
    case Algorithm::astar_k: break;
  }
  return BestFirst<U, Outlook>(unfolding, scorer, outlook, options).run();
}

}  // namespace widl
