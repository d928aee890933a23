#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/budget.hpp"
#include "search/context_multipliers.hpp"
#include "search/hash_table.hpp"
#include "search/tiles_unfolding.hpp"

namespace widl {

/// An alternative that a derivation above the floor may have, with its best left context.
struct LiveOption {
  ContextMultipliers::Option option;
  double value;
};

/// The states of a space of tiles and the arcs between them, listed, with inside and outside scores. Prunes states and arcs
/// whose max-marginal is below a floor.
template <class Space>
class TransitionGraph {
 public:
  using State = typename Space::State;
  using StateId = std::uint32_t;
  struct Arc {
    std::uint32_t span;
    StateId to;
    double movement;
  };
  static constexpr StateId kNoState = StateStore<State>::kNone;

  StateId find(const State& state) const { return states_.find(state, state.hash()); }
  const State& state(StateId number) const { return states_[number]; }
  /// The best completion of a state; minus infinity where there is none.
  double completion(StateId number) const { return places_[number] == kNoPlace ? kUnreachable : values_[number]; }
  std::span<const Arc> arcs(StateId number) const {
    const std::size_t place = places_[number];
    if (place == kNoPlace) return {};
    return {arcs_.data() + first_arc_[place], arcs_.data() + first_arc_[place + 1]};
  }
  std::span<const LiveOption> options(const Arc& arc) const { return live(spans_[arc.span]); }
  double best(const Arc& arc) const { return spans_[arc.span].value; }
  /// Whether no derivation is left.
  bool is_empty() const { return order_.empty(); }

 protected:
  static constexpr std::uint32_t kNoPlace = ~std::uint32_t{0}, kNoSpan = ~std::uint32_t{0};

  /// The options of a span behind an end.
  struct SpanAfter {
    std::uint32_t previous_end, begin, end;
    std::uint32_t first, last;     // in live_
    double position_multiplier;                   // of its positions
    double value;                  // of the best one, its position multiplier paid
    double outside_score;          // the best rest of derivations with one of them, less the position multiplier
  };

  TransitionGraph(const Space& space, Budget& budget) : space_(space), budget_(budget) {}

  static std::uint64_t key(std::span<const TileOption> options, std::uint32_t end) {
    return std::uint64_t{options.front().label} << 32 | end;  // the first option of a span, as it is in the model
  }
  /// The span of a span behind an end; `fill` makes a new one's options.
  template <class Fill>
  std::uint32_t span_of(std::span<const TileOption> options, std::uint32_t end, Fill&& fill) {
    const auto [number, is_new] = spans_by_key_.find_or_insert(key(options, end));
    if (is_new) {
      *number = static_cast<std::uint32_t>(spans_.size());
      const auto first = static_cast<std::uint32_t>(live_.size());
      SpanAfter span{end, options.front().begin, options.front().end, first, first, 0, 0, 0};
      fill(span);
      span.last = static_cast<std::uint32_t>(live_.size());
      spans_.push_back(span);
    }
    return *number;
  }

  /// Lists the states that can be reached, by the number of positions covered, with the steps between them for which
  /// `span_of_step(options, from, to, best score before)` has a span. @throws OutOfBudget, also where they are too many
  template <class SpanOfStep>
  void list_states(std::size_t most, double start, SpanOfStep&& span_of_step) {
    std::vector<Counted<StateId>> layers(space_.model().length() + 1, Counted<StateId>(budget_));
    const State initial = space_.initial();
    layers[0].push_back(states_.intern(initial, initial.hash()));
    forward_.push_back(start);
    for (const auto& layer : layers)
      for (std::size_t i = 0; i < layer.size(); ++i) {
        const State state = states_[layer[i]];
        const double before = forward_[layer[i]];
        order_.push_back(layer[i]);
        first_arc_.push_back(arcs_.size());
        space_.for_each_step(state, [&](std::span<const TileOption> options, const State& to, double movement) {
          budget_.work(kWorkPerArc);
          const std::uint32_t span = span_of_step(options, state, to, before + movement);
          if (span == kNoSpan) return;
          const StateId number = states_.intern(to, to.hash());
          if (number == forward_.size()) {
            layers[to.count()].push_back(number);
            forward_.push_back(kUnreachable);
          }
          forward_[number] = std::max(forward_[number], before + movement + spans_[span].value);
          arcs_.push_back({span, number, movement});
        });
        if (states_.size() > most || arcs_.size() > kMostArcs) throw OutOfBudget{"max_memory"};
      }
    first_arc_.push_back(arcs_.size());
    values_.resize(states_.size());
    places_.assign(states_.size(), 0);
    number_places();
  }

  /// The best completion of each state, from the values of spans. `finish(state)`: of a final one.
  template <class Finish>
  void look_back(Finish&& finish) {
    for (std::size_t i = order_.size(); i-- > 0;) {
      budget_.work(1 + (first_arc_[i + 1] - first_arc_[i]) / 4);
      const State& state = states_[order_[i]];
      double best = space_.is_final(state) ? finish(state) : kUnreachable;
      for (std::size_t a = first_arc_[i]; a < first_arc_[i + 1]; ++a) best = std::max(best, through(arcs_[a]));
      values_[order_[i]] = best;
    }
  }

  /// The best way to each state, and what each span is the middle of.
  void look_forward(double start) {
    budget_.work(1 + arcs_.size() / 4);
    std::ranges::fill(forward_, kUnreachable);
    for (SpanAfter& span : spans_) span.outside_score = kUnreachable;
    forward_[order_[0]] = start;
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (std::size_t a = first_arc_[i]; a < first_arc_[i + 1]; ++a) {
        const Arc& arc = arcs_[a];
        SpanAfter& span = spans_[arc.span];
        const double to_span = forward_[order_[i]] + arc.movement;
        forward_[arc.to] = std::max(forward_[arc.to], to_span + span.value);
        span.outside_score = std::max(span.outside_score, to_span + values_[arc.to] - span.position_multiplier);
      }
  }

  void leave_out_steps(double floor) {
    std::size_t arcs = 0, places = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const StateId number = order_[i];
      const std::size_t first = first_arc_[i], last = first_arc_[i + 1];
      if (forward_[number] + values_[number] < floor) {
        places_[number] = kNoPlace;
        continue;
      }
      order_[places] = number;
      first_arc_[places++] = arcs;
      for (std::size_t a = first; a < last; ++a) {
        const Arc arc = arcs_[a];
        if (forward_[number] + through(arc) >= floor) arcs_[arcs++] = arc;
      }
    }
    order_.resize(places);
    first_arc_.resize(places + 1);
    first_arc_[places] = arcs;
    arcs_.resize(arcs);
    number_places();
  }
  void number_places() {
    for (std::size_t i = 0; i < order_.size(); ++i) places_[order_[i]] = static_cast<std::uint32_t>(i);
  }
  /// Returns whether there were any.
  bool leave_out_options(double floor) {
    std::size_t left_out = 0;
    for (SpanAfter& span : spans_) {
      const auto out =
          std::ranges::remove_if(live(span), [&](const LiveOption& one) {
            return !(span.outside_score + one.value >= floor);
          });
      span.last -= static_cast<std::uint32_t>(out.size());
      left_out += out.size();
    }
    return left_out > 0;
  }

  /// How often the best derivation realizes each position.
  std::vector<std::uint32_t> visits() const {
    std::vector<std::uint32_t> counts(space_.model().length());
    for (StateId state = order_[0];;) {
      const auto steps = arcs(state);
      const auto best = std::ranges::max_element(steps, {}, [&](const Arc& arc) { return through(arc); });
      if (best == steps.end() || through(*best) == kUnreachable) return counts;
      const SpanAfter& span = spans_[best->span];
      for (std::uint32_t p = span.begin; p < span.end; ++p) ++counts[p];
      state = best->to;
    }
  }

  double through(const Arc& arc) const { return arc.movement + spans_[arc.span].value + values_[arc.to]; }
  std::span<LiveOption> live(const SpanAfter& span) { return {live_.data() + span.first, live_.data() + span.last}; }
  std::span<const LiveOption> live(const SpanAfter& span) const {
    return {live_.data() + span.first, live_.data() + span.last};
  }

  Space space_;
  Budget& budget_;
  StateStore<State> states_{budget_};
  Counted<StateId> order_{budget_};          // states by positions covered
  Counted<std::uint32_t> places_{budget_};   // by state, in the order
  Counted<Arc> arcs_{budget_};
  Counted<std::size_t> first_arc_{budget_};  // by place in the order
  Counted<double> values_{budget_};          // of the completion, by state
  Counted<double> forward_{budget_};         // of the way there, by state
  Counted<SpanAfter> spans_{budget_};
  HashTable<std::uint32_t> spans_by_key_;
  Counted<LiveOption> live_{budget_};        // by span

 private:
  static constexpr std::size_t kWorkPerArc = 8;
  static constexpr std::size_t kMostArcs = 32'000'000;
};

}  // namespace widl
