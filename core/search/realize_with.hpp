#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "errors.hpp"
#include "search/constrained_unfolding.hpp"
#include "search/derivations.hpp"
#include "search/ngram_scorer.hpp"
#include "search/options.hpp"
#include "search/realization.hpp"
#include "search/weight_vector.hpp"

namespace widl {

// The parts that the realizers of tiles, expressions and lattices share.

/// @throws InputError unless there is a finite weight for each of the models, none negative, and all others are finite.
void validate_weights(const WeightVector& weights, const ScoringModels& models);

/// The options for a space with phrases without words. Such steps would not advance layers of words, so layers count
/// positions.
SearchOptions in_growing_layers(const SearchOptions& options, bool all_have_words);

/// @throws InputError unless there is a weight for each of the components. `have`: their owner, for the message.
void require_components(const WeightVector& weights, std::size_t components, const char* have);

/// One line that explains why a search found no derivation. `space`: the name of the search space, for the message.
std::string failure_of(const Realization& nothing, const SpaceOptions& options, bool is_constrained, const char* space);

/// Searches an unfolding and converts its paths to derivations. If an improvement of an inner state was pruned, a path
/// can be better than its recorded score.
template <Unfolding U, class OfStates>
[[gnu::cold]] Realization realize_with(const U& unfolding, NGramScorer& scorer, OfStates& estimator,
                                       const SentenceWords& words, const WeightVector& weights,
                                       const SearchOptions& options, const Constraint* constraint, Budget& budget,
                                       const char* space) {
  SearchOptions run_options = options;
  SearchRecorder recorder(options.output.record);
  if (options.output.record) run_options.recorder = &recorder;
  SearchResult search_result = run_constrained(unfolding, scorer, estimator, run_options, words, constraint, budget);
  Derivations<U> derivations(unfolding, scorer, words, weights);
  Realization result;
  result.outcome = search_result.outcome();
  result.stopped = search_result.stopped;
  result.statistics = search_result.statistics;
  if (run_options.recorder) {
    const Budget::Grace grace(budget);  // all recorded paths have scores
    result.record = derivations.record(recorder);
  }
  if (result.outcome != Outcome::found) {
    if (result.outcome != Outcome::proved_empty) result.certificate.bound = search_result.bound;
    result.failure = failure_of(result, options.space, constraint != nullptr, space);
    result.nbest_complete = result.lattice_complete = result.outcome == Outcome::proved_empty;
    return result;
  }
  for (const RankedPath& path : search_result.nbest.paths) {
    result.nbest.push_back(derivations.derivation(path.labels));
    if (result.nbest.back().score < path.score - Certificate::recount(path.score))
      throw InternalError("a path scores less than its search reported");
  }
  std::stable_sort(result.nbest.begin(), result.nbest.end(),
                   [](const Derivation& a, const Derivation& b) { return a.score > b.score; });
  const double score = result.nbest.front().score;
  result.certificate = {score, std::max(search_result.bound, score)};
  result.nbest_complete = search_result.nbest.complete;
  if (options.output.lattice) {
    result.lattice = derivations.lattice(search_result.explored);
    result.lattice_complete = search_result.explored.complete;
  }
  return result;
}

}  // namespace widl
