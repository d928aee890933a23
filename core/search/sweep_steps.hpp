#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "search/budget.hpp"
#include "search/context_multipliers.hpp"
#include "search/transition_bound.hpp"
#include "search/unfolding.hpp"

namespace widl {

/// The steps of a sweep from the unfolding, with an estimator's bounds.
template <OfTiles U>
class FreeSteps {
 public:
  using State = typename U::State;
  using Edge = typename U::Edge;
  /// The edge's language-model scores have not been computed yet.
  struct Words {
    double best = std::numeric_limits<double>::infinity();
    double behind(ContextMultipliers::LeftContext) const { return best; }
  };

  FreeSteps(const U& unfolding, Estimator<State>& estimator, Budget& budget)
      : unfolding_(unfolding), estimator_(estimator), budget_(budget) {}

  Estimator<State>& estimator() { return estimator_; }
  /// The value that ranks the paths to one state.
  double score_plus_multiplier(const State&, std::uint32_t, double score) const { return score; }
  /// Calls visit(edge, bound on its completion) for the options that may reach the floor after a path of this score,
  /// multiplier included.
  template <class Visit>
  void for_each(const State& from, double score_plus_multiplier, double floor, Visit&& visit) {
    unfolding_.for_each_step(U::covered(from), [&](const auto& options, const auto& to, double movement) {
      budget_.work(1 + options.size() / 8);
      const double rest = estimator_.of_state(unfolding_.moved(from, to)).bound;
      const double least = floor - score_plus_multiplier - movement - rest;  // that an option must be able to gain
      for (const auto& option : options) {
        if (option.rest_bound < least) return;
        if (option.bound < least) continue;
        if (auto edge = unfolding_.edge(from, option, to, movement)) visit(*edge, rest);
      }
    });
  }
  /// The same after a particular path.
  double rest_behind(const State&, std::uint32_t, const Edge&, double rest) const { return rest; }
  ContextMultipliers::LeftContext left_context(std::uint32_t) const { return 0; }
  Words words(const State&, const Edge&) const { return {}; }
  void arrive(const State&, std::uint32_t, const Edge&, std::uint32_t) {}

 private:
  const U& unfolding_;
  Estimator<State>& estimator_;
  Budget& budget_;
};

/// The steps that a TransitionBound has not pruned, with its bounds: a path has earned the multiplier of its left
/// context.
template <OfTiles U>
class GuidedSteps {
 public:
  using State = typename U::State;
  using Edge = typename U::Edge;

  GuidedSteps(const U& unfolding, const TransitionBound& bound, Budget& budget)
      : unfolding_(unfolding), bound_(bound), budget_(budget), bounds_(bound), left_contexts_(1, 0, budget) {}

  Estimator<State>& estimator() { return bounds_; }
  double score_plus_multiplier(const State& state, std::uint32_t path, double score) const {
    return score + multiplier(state, left_contexts_[path]);
  }
  template <class Visit>
  void for_each(const State& from, double score_plus_multiplier, double floor, Visit&& visit) {
    const auto number = bound_.find(U::coverage(from));
    if (number == bound_.kNoState) return;
    for (const auto& arc : bound_.arcs(number)) {
      const auto options = bound_.options(arc);
      budget_.work(1 + options.size() / 8);
      const double rest = bound_.completion(arc.to);
      const double least = floor - score_plus_multiplier - arc.movement - rest;
      if (bound_.best(arc) < least) continue;
      for (const auto& live : options)
        if (live.value >= least) {
          const Edge next = edge(from, live.option, arc);
          const double already_in_edge_score = unfolding_.is_final(next.to) ? bound_.contexts().final_bound() : 0;
          visit(next, rest - already_in_edge_score + bound_.contexts().earned(live.option));
        }
    }
  }
  double rest_behind(const State& from, std::uint32_t path, const Edge& edge, double rest) const {
    const double other = multiplier(edge.to, left_context_after(edge, from, path));
    return std::min(rest, rest - bound_.contexts().earned(edge.label) + other);
  }
  /// The left context that a path leaves.
  ContextMultipliers::LeftContext left_context(std::uint32_t path) const { return left_contexts_[path]; }
  ContextMultipliers::WordBounds words(const State& from, const Edge& edge) const {
    const ContextMultipliers& contexts = bound_.contexts();
    return contexts.words(contexts.block(U::coverage(from).last_end, unfolding_.option(edge.label).begin), edge.label);
  }
  /// A path is extended to another path.
  void arrive(const State& from, std::uint32_t path, const Edge& edge, std::uint32_t to) {
    const ContextMultipliers::LeftContext left = left_context_after(edge, from, path);
    if (to >= left_contexts_.size()) {
      if (to >= left_contexts_.capacity()) left_contexts_.reserve(2 * std::size_t{to});
      left_contexts_.resize(to + 1, kNoLeftContext);
    }
    ContextMultipliers::LeftContext& cheapest = left_contexts_[to];
    if (cheapest == kNoLeftContext || multiplier(edge.to, left) < multiplier(edge.to, cheapest)) cheapest = left;
  }

 private:
  static constexpr ContextMultipliers::LeftContext kNoLeftContext = ~ContextMultipliers::LeftContext{0};

  /// Bounds of states for callers that don't know the left context.
  class Bounds : public Estimator<State> {
   public:
    explicit Bounds(const TransitionBound& bound) : bound_(bound) {}
    ScoreEstimate operator()(const State& state, const Arrival& arrival) override {
      if (arrival.label == Arrival::kNone) return of_state(state);
      return behind(state, bound_.contexts().earned(arrival.label));
    }
    ScoreEstimate of_state(const State& state) override {
      double most = std::numeric_limits<double>::lowest();
      const LeftContextsAt& end = bound_.contexts().end(U::coverage(state).last_end);
      for (std::size_t t = 0; t < end.left_contexts.size(); ++t)
        if (end.multipliers[t] != kUnreachableMultiplier) most = std::max(most, end.multipliers[t]);
      return behind(state, most);
    }

   private:
    ScoreEstimate behind(const State& state, double multiplier) const {
      const auto number = bound_.find(U::coverage(state));
      const double bound = number == bound_.kNoState ? kUnreachable : bound_.completion(number) + multiplier;
      return {bound, bound};
    }
    const TransitionBound& bound_;
  };

  Edge edge(const State& from, ContextMultipliers::Option option, const TransitionBound::Arc& arc) const {
    if constexpr (std::is_same_v<State, TransitionBound::State>)
      return edge_of(unfolding_.option(option), bound_.state(arc.to), arc.movement);
    else
      return *unfolding_.step(from, option);
  }
  ContextMultipliers::LeftContext left_context_after(const Edge& edge, const State& from, std::uint32_t path) const {
    return bound_.contexts().left_context_after(edge.label, U::coverage(from).last_end, left_contexts_[path]);
  }
  double multiplier(const State& state, ContextMultipliers::LeftContext left_context) const {
    return bound_.contexts().end(U::coverage(state).last_end).multipliers[left_context];
  }

  const U& unfolding_;
  const TransitionBound& bound_;
  Budget& budget_;
  Bounds bounds_;
  Counted<ContextMultipliers::LeftContext> left_contexts_;  // by path
};

}  // namespace widl
