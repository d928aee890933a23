#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "errors.hpp"
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

/// For when there is no path at all.
[[noreturn]] inline void nothing_found(const SearchResult& found, const SearchOptions& options, const char* otherwise) {
  if (!found.stopped.empty())
    throw InputError("no complete realization found within " + found.stopped + "; raise it");
  if (options.max_words || options.max_bytes)
    throw InputError("nothing can be realized within " +
                     (options.max_words ? std::to_string(options.max_words) + " words" : std::string()) +
                     (options.max_words && options.max_bytes ? " and " : "") +
                     (options.max_bytes ? std::to_string(options.max_bytes) + " bytes" : std::string()));
  throw InputError(otherwise);
}

}  // namespace widl
