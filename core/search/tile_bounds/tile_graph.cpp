#include "search/tile_bounds/tile_graph.hpp"

#include <algorithm>

#include "log_zero.hpp"
#include "search/constants.hpp"

namespace widl {

std::uint32_t TileGraph::span_of(SpanOptions options, std::uint32_t end, const std::function<void(SpanAfter&)>& fill) {
  const auto [number, is_new] = spans_by_key_.find_or_insert(key(options, end));
  if (is_new) {
    *number = static_cast<std::uint32_t>(spans_.size());
    const auto first = static_cast<std::uint32_t>(live_.size());
    SpanAfter span{end, options.front().begin, options.front().end, first, first};
    fill(span);
    span.last = static_cast<std::uint32_t>(live_.size());
    spans_.push_back(span);
  }
  return *number;
}

const TileGraph::SpanAfter* TileGraph::find_span(SpanOptions options, std::uint32_t end) const {
  const std::uint32_t* index = spans_by_key_.find(key(options, end));
  return index ? &spans_[*index] : nullptr;
}

void TileGraph::list_states(
    std::size_t most, double start,
    const std::function<std::uint32_t(SpanOptions, const State&, const State&, double)>& span_of_step) {
  std::vector<MeteredVector<StateId>> layers(space_.model().length() + 1, MeteredVector<StateId>(budget_));
  const State initial{};
  layers[0].push_back(states_.intern(initial, initial.hash()));
  forward_.push_back(start);
  for (const auto& layer : layers)
    for (std::size_t i = 0; i < layer.size(); ++i) {
      const State state = states_[layer[i]];
      const double before = forward_[layer[i]];
      order_.push_back(layer[i]);
      first_arc_.push_back(arcs_.size());
      space_.for_each_step(state, [&](SpanOptions options, const State& to, double movement) {
        budget_.work(kWorkPerArc);
        const std::uint32_t span = span_of_step(options, state, to, before + movement);
        if (span == kNoSpan) return;
        const StateId number = states_.intern(to, to.hash());
        if (number == forward_.size()) {
          layers[space_.count(to)].push_back(number);
          forward_.push_back(kLogZero);
        }
        forward_[number] = std::max(forward_[number], before + movement + spans_[span].value);
        arcs_.push_back({span, number, movement});
      });
      if (states_.size() > most || arcs_.size() > constants::kMaxArcs) throw OutOfBudget{Resource::memory};
    }
  first_arc_.push_back(arcs_.size());
  values_.resize(states_.size());
  positions_.assign(states_.size(), 0);
  number_positions();
}

void TileGraph::find_completions(const std::function<double(const State&)>& finish) {
  for (std::size_t i = order_.size(); i-- > 0;) {
    budget_.work(1 + (first_arc_[i + 1] - first_arc_[i]) / 4);
    const State& state = states_[order_[i]];
    double best = space_.is_final(state) ? finish(state) : kLogZero;
    for (std::size_t a = first_arc_[i]; a < first_arc_[i + 1]; ++a) best = std::max(best, through(arcs_[a]));
    values_[order_[i]] = best;
  }
}

void TileGraph::find_forward_scores(double start) {
  budget_.work(1 + arcs_.size() / 4);
  std::ranges::fill(forward_, kLogZero);
  for (SpanAfter& span : spans_) span.outside_score = kLogZero;
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

void TileGraph::prune_arcs(double floor) {
  std::size_t arcs = 0, listed = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const StateId number = order_[i];
    const std::size_t first = first_arc_[i], last = first_arc_[i + 1];
    if (forward_[number] + values_[number] < floor) {
      positions_[number] = kNoPosition;
      continue;
    }
    order_[listed] = number;
    first_arc_[listed++] = arcs;
    for (std::size_t a = first; a < last; ++a) {
      const Arc arc = arcs_[a];
      if (forward_[number] + through(arc) >= floor) arcs_[arcs++] = arc;
    }
  }
  order_.resize(listed);
  first_arc_.resize(listed + 1);
  first_arc_[listed] = arcs;
  arcs_.resize(arcs);
  number_positions();
}

void TileGraph::number_positions() {
  for (std::size_t i = 0; i < order_.size(); ++i) positions_[order_[i]] = static_cast<std::uint32_t>(i);
}

bool TileGraph::prune_options(double floor) {
  std::size_t pruned = 0;
  for (SpanAfter& span : spans_) {
    const auto below = std::ranges::remove_if(
        live(span), [&](const LiveOption& option) { return !(span.outside_score + option.value >= floor); });
    span.last -= static_cast<std::uint32_t>(below.size());
    pruned += below.size();
  }
  return pruned > 0;
}

std::span<const TileGraph::Arc> TileGraph::arcs(StateId number) const {
  const std::size_t position = positions_[number];
  if (position == kNoPosition) return {};
  return {arcs_.data() + first_arc_[position], arcs_.data() + first_arc_[position + 1]};
}

std::vector<std::uint32_t> TileGraph::visits() const {
  std::vector<std::uint32_t> counts(space_.model().length());
  for (StateId state = order_[0];;) {
    const auto steps = arcs(state);
    const auto best = std::ranges::max_element(steps, {}, [&](const Arc& arc) { return through(arc); });
    if (best == steps.end() || through(*best) == kLogZero) return counts;
    for (std::uint32_t p = span(*best).begin; p < span(*best).end; ++p) ++counts[p];
    state = best->to;
  }
}

}  // namespace widl
