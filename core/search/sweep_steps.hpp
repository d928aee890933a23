#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "search/budget.hpp"
#include "search/claims.hpp"
#include "search/transition_bound.hpp"
#include "search/unfolding.hpp"

namespace widl {

/// The steps of a sweep as the unfolding has them, with an estimator's bounds.
template <OfTiles U>
class FreeSteps {
 public:
  using State = typename U::State;
  using Edge = typename U::Edge;
  /// What language models give an edge's words is not known.
  struct Words {
    double best = std::numeric_limits<double>::infinity();
    double behind(Claims::Tail) const { return best; }
  };

  FreeSteps(const U& unfolding, Estimator<State>& estimator, Budget& budget)
      : unfolding_(unfolding), estimator_(estimator), budget_(budget) {}

  Estimator<State>& estimator() { return estimator_; }
  /// What a path promises, among those to one state.
  double worth(const State&, std::uint32_t, double score) const { return score; }
  /// Calls visit(edge, most that follows it) for the options that may reach the floor behind a path of this worth.
  template <class Visit>
  void for_each(const State& from, double worth, double floor, Visit&& visit) {
    unfolding_.for_each_step(U::covered(from), [&](const auto& options, const auto& to, double movement) {
      budget_.work(1 + options.size() / 8);
      const double rest = estimator_.of_state(unfolding_.moved(from, to)).bound;
      const double least = floor - worth - movement - rest;  // that an option must be able to gain
      for (const auto& option : options) {
        if (option.rest_bound < least) return;
        if (option.bound < least) continue;
        if (auto edge = unfolding_.edge(from, option, to, movement)) visit(*edge, rest);
      }
    });
  }
  /// The same behind a certain path.
  double rest_behind(const State&, std::uint32_t, const Edge&, double rest) const { return rest; }
  Claims::Tail tail(std::uint32_t) const { return 0; }
  Words words(const State&, const Edge&) const { return {}; }
  void arrive(const State&, std::uint32_t, const Edge&, std::uint32_t) {}

 private:
  const U& unfolding_;
  Estimator<State>& estimator_;
  Budget& budget_;
};

/// The steps that a TransitionBound has not left out, with its bounds: a path that leaves a tail behind earned its price.
template <OfTiles U, class Guide>
class GuidedSteps {
 public:
  using State = typename U::State;
  using Edge = typename U::Edge;

  GuidedSteps(const U& unfolding, const Guide& bound, Budget& budget)
      : unfolding_(unfolding), bound_(bound), budget_(budget), bounds_(bound), tails_(1, 0, budget) {}

  Estimator<State>& estimator() { return bounds_; }
  double worth(const State& state, std::uint32_t path, double score) const {
    return score + price(state, tails_[path]);
  }
  template <class Visit>
  void for_each(const State& from, double worth, double floor, Visit&& visit) {
    const auto number = bound_.find(U::coverage(from));
    if (number == bound_.kNoState) return;
    for (const auto& arc : bound_.arcs(number)) {
      const auto options = bound_.options(arc);
      budget_.work(1 + options.size() / 8);
      const double rest = bound_.completion(arc.to);
      const double least = floor - worth - arc.movement - rest;
      if (bound_.best(arc) < least) continue;
      for (const auto& live : options)
        if (live.value >= least) {
          const Edge next = edge(from, live.option, arc);
          const double unkept = unfolding_.is_final(next.to) ? bound_.claims().relief() : 0;  // the edge knows it
          visit(next, rest - unkept + bound_.claims().earned(live.option));
        }
    }
  }
  double rest_behind(const State& from, std::uint32_t path, const Edge& edge, double rest) const {
    const double other = price(edge.to, bound_.claims().left(edge.label, U::coverage(from).last_end, tails_[path]));
    return std::min(rest, rest - bound_.claims().earned(edge.label) + other);
  }
  /// The tail that a path leaves.
  Claims::Tail tail(std::uint32_t path) const { return tails_[path]; }
  Claims::WordBounds words(const State& from, const Edge& edge) const {
    const Claims& claims = bound_.claims();
    return claims.words(claims.block(U::coverage(from).last_end, unfolding_.option(edge.label).begin), edge.label);
  }
  /// A path continues to another one.
  void arrive(const State& from, std::uint32_t path, const Edge& edge, std::uint32_t to) {
    const Claims::Tail left = bound_.claims().left(edge.label, U::coverage(from).last_end, tails_[path]);
    if (to >= tails_.size()) {
      if (to >= tails_.capacity()) tails_.reserve(2 * std::size_t{to});
      tails_.resize(to + 1, kNoTail);
    }
    Claims::Tail& known = tails_[to];
    if (known == kNoTail || price(edge.to, left) < price(edge.to, known)) known = left;
  }

 private:
  static constexpr Claims::Tail kNoTail = ~Claims::Tail{0};

  /// The bounds of states for who does not know the tail.
  class Bounds : public Estimator<State> {
   public:
    explicit Bounds(const Guide& bound) : bound_(bound) {}
    ScoreEstimate operator()(const State& state, const Arrival& arrival) override {
      if (arrival.label == Arrival::kNone) return of_state(state);
      return behind(state, bound_.claims().earned(arrival.label));
    }
    ScoreEstimate of_state(const State& state) override {
      double most = std::numeric_limits<double>::lowest();
      const ClaimEnd& end = bound_.claims().end(U::coverage(state).last_end);
      for (std::size_t t = 0; t < end.tails.size(); ++t)
        if (end.prices[t] != kNobodysPrice) most = std::max(most, end.prices[t]);
      return behind(state, most);
    }

   private:
    ScoreEstimate behind(const State& state, double price) const {
      const auto number = bound_.find(U::coverage(state));
      const double bound = number == bound_.kNoState ? kNeverClaimed : bound_.completion(number) + price;
      return {bound, bound};
    }
    const Guide& bound_;
  };

  Edge edge(const State& from, Claims::Option option, const typename Guide::Arc& arc) const {
    if constexpr (std::is_same_v<State, typename Guide::State>)
      return edge_of(unfolding_.option(option), bound_.state(arc.to), arc.movement);
    else
      return *unfolding_.step(from, option);
  }
  double price(const State& state, Claims::Tail tail) const { return bound_.claims().end(U::coverage(state).last_end).prices[tail]; }

  const U& unfolding_;
  const Guide& bound_;
  Budget& budget_;
  Bounds bounds_;
  Counted<Claims::Tail> tails_;  // by path
};

}  // namespace widl
