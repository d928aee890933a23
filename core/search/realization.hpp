#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "errors.hpp"
#include "expression/grammar.hpp"
#include "search/options.hpp"
#include "search/realizer.hpp"
#include "search/search_run.hpp"

namespace widl {

inline constexpr double kOptimalTolerance = 1e-6;

/// The search's paths as derivations, re-scored from their features: `derive(labels)` gives one without score.
/// A pruned improvement of an inner state can make a path better than search had recorded.
template <class Derive>
Realization complete(SearchResult found, const Weights& weights, Derive&& derive) {
  Realization result;
  for (const RankedPath& path : found.paths) {
    Derivation derivation = derive(path.labels);
    derivation.score = weighted_sum(weights, derivation.features);
    if (derivation.score < path.score - 1e-6 * std::abs(path.score) - 1e-6)
      throw InternalError("a path scores less than search said");
    result.nbest.push_back(std::move(derivation));
  }
  std::stable_sort(result.nbest.begin(), result.nbest.end(),
                   [](const Derivation& a, const Derivation& b) { return a.score > b.score; });
  const double score = result.nbest.front().score;
  result.bound = std::max(found.bound, score);
  result.optimal = result.bound - score <= kOptimalTolerance * std::abs(score);
  result.stopped = std::move(found.stopped);
  result.statistics = found.statistics;
  result.trace = trace_of(found.reached, [&](const std::vector<std::uint32_t>& labels) { return derive(labels).words; });
  return result;
}

/// The error for a search without a complete path. `otherwise`: its reason when no budget, limit or grammar caused it.
[[noreturn]] inline void nothing_found(const SearchResult& found, const SearchOptions& options, const Grammar* grammar,
                                       const char* otherwise) {
  const std::string what = grammar ? "realization that the grammar accepts" : "complete realization";
  if (!found.exhaustive)
    throw InputError(found.stopped.empty() ? "found no " + what + ", but has not tried all of them; search with astar or bfs"
                                           : "no " + what + " found within " + found.stopped + "; raise it");
  std::string limits;
  if (options.max_words) limits = std::to_string(options.max_words) + " words";
  if (options.max_bytes) limits += (limits.empty() ? "" : " and ") + std::to_string(options.max_bytes) + " bytes";
  if (grammar) throw InputError("the grammar accepts none of the realizations" + (limits.empty() ? "" : " within " + limits));
  if (!limits.empty()) throw InputError("nothing can be realized within " + limits);
  throw InputError(otherwise);
}

}  // namespace widl
