#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "log_zero.hpp"
#include "search/budget.hpp"
#include "search/hash_table.hpp"
#include "search/state_store.hpp"
#include "search/tile_bounds/left_contexts.hpp"
#include "search/tile_bounds/tile_space.hpp"

namespace widl {

/// An option that may be part of a derivation above the floor, with its best left context.
struct LiveOption {
  LeftContexts::OptionId option;
  double value;
};

/// The states of a TileSpace and the arcs between them, listed, with inside and outside scores:
///
///   completion(s) = max over arcs s -> t  movement + value(span) + completion(t)
///   forward(t)    = max over arcs s -> t  forward(s) + movement + value(span)
///
/// An arc whose max-marginal forward + movement + value + completion is below a floor is pruned. Arcs share spans: the
/// options of a span after one end have the same value in every arc.
class TileGraph {
 public:
  using State = TileSpace::State;
  using StateId = std::uint32_t;
  static constexpr StateId kNoState = StateStore<State>::kNone;
  static constexpr std::uint32_t kNoSpan = ~std::uint32_t{0};

  struct Arc {
    std::uint32_t span;
    StateId to;
    double movement;
  };
  /// The options of a span after an end.
  struct SpanAfter {
    std::uint32_t previous_end, begin, end;
    std::uint32_t first, last;       // in live_
    double position_multiplier = 0;  // the sum for its positions
    double value = 0;                // of the best option, minus the position multiplier
    double outside_score = 0;        // best remainder of derivations through its arcs, minus the position multiplier
  };
  using SpanOptions = std::span<const TileOption>;

  TileGraph(const TileSpace& space, Budget& budget) : space_(space), budget_(budget) {}

  /// Lists the reachable states by number of realized positions, with the steps that have a span.
  /// `span_of_step(options, from, to, best score before the options)` returns a number of span_of, or kNoSpan.
  /// @throws OutOfBudget, also for more than `most` states
  void list_states(std::size_t most, double start,
                   const std::function<std::uint32_t(SpanOptions, const State&, const State&, double)>& span_of_step);
  /// The number of a span after an end. A new one gets its options from `fill(span)`, which calls add_option.
  std::uint32_t span_of(SpanOptions options, std::uint32_t end, const std::function<void(SpanAfter&)>& fill);
  void add_option(const LiveOption& option) { live_.push_back(option); }
  /// The matching span of a coarser graph; null if it was pruned there or never listed.
  const SpanAfter* find_span(SpanOptions options, std::uint32_t end) const;

  /// Computes completions from the values of spans; `finish(state)` completes a final state.
  void find_completions(const std::function<double(const State&)>& finish);
  /// Scores of the best ways to each state, and outside scores of spans.
  void find_forward_scores(double start);
  void prune_arcs(double floor);
  /// Returns whether any option was pruned.
  bool prune_options(double floor);

  const TileSpace& space() const { return space_; }
  StateId find(const State& state) const { return states_.find(state, state.hash()); }
  const State& state(StateId number) const { return states_[number]; }
  double forward(StateId number) const { return forward_[number]; }
  /// Minus infinity if the state was pruned.
  double completion(StateId number) const { return positions_[number] == kNoPosition ? kLogZero : values_[number]; }
  std::span<const Arc> arcs(StateId number) const;
  std::span<SpanAfter> spans() { return spans_; }
  const SpanAfter& span(const Arc& arc) const { return spans_[arc.span]; }
  std::span<LiveOption> live(const SpanAfter& span) { return {live_.data() + span.first, live_.data() + span.last}; }
  std::span<const LiveOption> live(const SpanAfter& span) const {
    return {live_.data() + span.first, live_.data() + span.last};
  }
  /// The states that were not pruned, by the number of positions realized.
  std::span<const StateId> order() const { return order_; }
  /// Whether no derivation is left.
  bool is_empty() const { return order_.empty(); }
  /// Number of times the best derivation realizes each position.
  std::vector<std::uint32_t> visits() const;

 private:
  static constexpr std::uint32_t kNoPosition = ~std::uint32_t{0};
  static constexpr std::size_t kWorkPerArc = 8;

  static std::uint64_t key(SpanOptions options, std::uint32_t end) {
    return std::uint64_t{options.front().label} << 32 | end;  // the first option of a span, as in the model
  }
  double through(const Arc& arc) const { return arc.movement + spans_[arc.span].value + values_[arc.to]; }
  void number_positions();

  TileSpace space_;
  Budget& budget_;
  StateStore<State> states_{budget_};
  MeteredVector<StateId> order_{budget_};
  MeteredVector<std::uint32_t> positions_{budget_};  // by state, in the order
  MeteredVector<Arc> arcs_{budget_};
  MeteredVector<std::size_t> first_arc_{budget_};  // by position in the order
  MeteredVector<double> values_{budget_};          // of the completion, by state
  MeteredVector<double> forward_{budget_};         // of the path to the state, by state
  MeteredVector<SpanAfter> spans_{budget_};
  HashTable<std::uint32_t> spans_by_key_;
  MeteredVector<LiveOption> live_{budget_};  // by span
};

}  // namespace widl
