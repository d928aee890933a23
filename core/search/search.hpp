#pragma once

#include "search/best_first.hpp"
#include "search/layered.hpp"

namespace widl {

/// Runs the search that the options name.
template <Unfolding U, class Outlook>
SearchResult run_search(const U& unfolding, Scorer& scorer, Outlook& outlook, const SearchOptions& options) {
  switch (options.algorithm) {
    case Algorithm::bfs:
    case Algorithm::beam:
    case Algorithm::stack: return Layered<U, Outlook>(unfolding, scorer, outlook, options).run();
    case Algorithm::astar:
    case Algorithm::astar_k:
    case Algorithm::cube: break;
  }
  return BestFirst<U, Outlook>(unfolding, scorer, outlook, options).run();
}

}  // namespace widl
