#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "search/ngram_scorer.hpp"

namespace widl {

/// Least length of a completion, in words and in bytes (each word with a separator).
struct Extent {
  static constexpr std::uint64_t kEndless = std::uint64_t{1} << 40;

  std::uint64_t words = 0;
  std::uint64_t bytes = 0;
};

inline Extent operator+(const Extent& a, const Extent& b) { return {a.words + b.words, a.bytes + b.bytes}; }
inline Extent better(const Extent& a, const Extent& b) {
  return {std::min(a.words, b.words), std::min(a.bytes, b.bytes)};
}

/// A step of an acceptor that is unfolded on demand: a phrase, and the state after it.
template <class State>
struct UnfoldedEdge {
  State to;
  PhraseId phrase;
  double score;         ///< all weighted features except language models
  std::uint32_t label;  ///< number of the realized item, in the unfolding's own model
  std::uint32_t word_count;
  std::uint32_t bytes;  ///< of the words, with one separator per word
};

/// A scored phrase that may be realized.
struct StepOption {
  PhraseId phrase;
  std::uint32_t label;
  std::uint32_t word_count;
  std::uint32_t bytes;
  double score;            ///< all weighted features except language models and movement
  double estimate;         ///< score + language models inside the phrase
  double bound;            ///< score + upper bound of the language models
  double bound_from_here;  ///< the largest bound of this option and the later options of the same step
};

/// Sets bound_from_here in a list of options; `same_step(a, b)` for neighbors.
template <class Options, class SameStep>
void bound_from_each(Options& options, SameStep&& same_step) {
  for (std::size_t i = options.size(); i-- > 0;) {
    const bool last = i + 1 == options.size() || !same_step(options[i], options[i + 1]);
    options[i].bound_from_here = last ? options[i].bound : std::max(options[i].bound, options[i + 1].bound_from_here);
  }
}

/// The interface of an acceptor that is unfolded on demand.
///
/// A state is the set of items realized so far, as bits, plus a little memory. A *step* leads to another state. A few
/// options may realize it; they differ only in words and scores. `progress` grows with every step, by the same amount
/// on all paths from one state to another. States of equal progress are the layers of stack decoding.
template <class U>
concept Unfolding = requires(const U& unfolding, const typename U::State& state) {
  typename U::Option;
  { unfolding.initial() } -> std::same_as<typename U::State>;
  { unfolding.is_final(state) } -> std::same_as<bool>;
  { U::hash(state) } -> std::same_as<std::uint64_t>;
  unfolding.successors(state, [](const typename U::Edge&) {});
  { unfolding.shortest(state) } -> std::same_as<Extent>;
  // Steps are planned with the coverage part of a state.
  U::covered(state);
  { unfolding.progress(U::covered(state)) } -> std::same_as<std::uint32_t>;
  { unfolding.length() } -> std::same_as<std::uint32_t>;  // upper bound on the progress of a complete state
  { unfolding.is_complete(U::covered(state)) } -> std::same_as<bool>;
  unfolding.for_each_step(U::covered(state), [](std::span<const typename U::Option>, const auto&, double) {});
};

/// Tiles are realized in any order; a rescue covers them from left to right.
template <class U>
concept OfTiles = Unfolding<U> && requires(const typename U::Option& option) { option.begin; };

/// The edge of one option of a step.
template <class State, class Option>
UnfoldedEdge<State> edge_of(const Option& option, const State& to, double step_score) {
  return {to, option.phrase, option.score + step_score, option.label, option.word_count, option.bytes};
}

/// The first arrival at a state. All paths that end in one node have the same continuations, so any of them can serve
/// to bound these.
struct Arrival {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  ContextId context;
  std::uint32_t label;     ///< of the last edge; kNone at the start
  std::uint32_t previous;  ///< label of the previous edge; kNone at the start
};

/// Estimates and bounds of the scores of completions.
template <class State>
class Estimator {
 public:
  virtual ~Estimator() = default;
  /// For a state reached by a given path.
  virtual ScoreEstimate operator()(const State& state, const Arrival&) { return of_state(state); }
  /// The estimate of a state, for any path.
  virtual ScoreEstimate of_state(const State& state) = 0;
};

}  // namespace widl
