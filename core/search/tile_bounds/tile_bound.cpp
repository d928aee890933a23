#include "search/tile_bounds/tile_bound.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "log_zero.hpp"
#include "search/constants.hpp"

namespace widl {

TileBound::TileBound(const TileSpace& space, std::shared_ptr<LeftContexts> contexts, double floor, std::size_t most,
                     Budget& budget)
    : budget_(budget),
      model_(space.model()),
      floor_(floor),
      contexts_(std::move(contexts)),
      graph_(space, budget),
      position_multipliers_(model_.length()) {
  if (has_position_multipliers()) start_position_multipliers();
  graph_.list_states(most, 0, [&](TileGraph::SpanOptions options, const State& from, const State&, double) {
    return graph_.span_of(options, from.last_end, [&](SpanAfter& span) {
      contexts_->add_block(span.previous_end, span.begin);
      for (const TileOption& option : options) graph_.add_option({option.label, 0});
    });
  });
}

TileBound::TileBound(const TileSpace& space, const TileBound& coarse, std::size_t most, Budget& budget)
    : budget_(budget),
      model_(space.model()),
      floor_(coarse.floor_),
      contexts_(coarse.contexts_),
      graph_(space, budget),
      position_multipliers_(model_.length()),
      bound_(coarse.bound_) {
  if (has_position_multipliers()) position_multipliers_ = coarse.position_multipliers_;
  const auto span_of_step = [&](TileGraph::SpanOptions options, const State& from, const State& to, double before) {
    const SpanAfter* same = coarse.graph_.find_span(options, from.last_end);
    if (!same) return TileGraph::kNoSpan;
    const double value = same->value + (has_position_multipliers() ? 0 : same->position_multiplier);
    if (!(before + value + coarse.completion_of_finer(to, space) >= floor_)) return TileGraph::kNoSpan;
    return graph_.span_of(options, from.last_end, [&](SpanAfter& span) {
      span.value = value;
      for (const LiveOption& option : coarse.graph_.live(*same)) graph_.add_option(option);
    });
  };
  graph_.list_states(most, sum_of_position_multipliers(), span_of_step);
}

void TileBound::tighten(unsigned rounds, double enough) {
  const double least_gain = has_position_multipliers() ? constants::kMinGainOfPositions : constants::kMinGain;
  double at_last_look = std::numeric_limits<double>::infinity();
  for (unsigned i = 0; i < rounds; ++i) {
    const double now = solve();
    bound_ = std::min(bound_, now);
    if (bound_ <= enough || graph_.is_empty()) return;
    graph_.find_forward_scores(sum_of_position_multipliers());
    graph_.prune_arcs(floor_);
    if (graph_.prune_options(floor_)) keep_prefixes();
    if (i % constants::kRoundsPerLook == 0) {
      if (at_last_look - bound_ < least_gain * (bound_ - floor_)) return;
      at_last_look = bound_;
    }
    find_marginals();
    if (i >= constants::kRoundsToRefine) find_candidates(now);
    if (has_position_multipliers()) update_position_multipliers(now);
    update_multipliers();
    refine();
  }
  solve();
}

/// L(φ, u).
double TileBound::solve() {
  contexts_->value_prefixes();
  for (SpanAfter& span : graph_.spans()) {
    budget_.work(1 + span.last - span.first);
    const PrefixBlock& block = contexts_->block(span.previous_end, span.begin);
    const auto first = position_multipliers_.begin();
    span.position_multiplier = std::accumulate(first + span.begin, first + span.end, 0.0);
    span.value = kLogZero;
    for (LiveOption& option : graph_.live(span))
      span.value = std::max(span.value, option.value = contexts_->value(block, option.option));
    span.value -= span.position_multiplier;
  }
  graph_.find_completions([&](const State& state) {
    const LeftContextsAt& end = contexts_->end(state.last_end);
    return best_after(end, end.finishes.data(), end.multipliers.data());
  });
  return graph_.is_empty() ? kLogZero : sum_of_position_multipliers() + graph_.completion(graph_.order()[0]);
}

/// Drops the scores of prefixes whose options are all pruned.
void TileBound::keep_prefixes() {
  contexts_->keep_prefixes([&](auto&& mark) {
    for (const SpanAfter& span : graph_.spans()) {
      budget_.work(1 + (span.last - span.first) / 4);
      PrefixBlock& block = contexts_->block(span.previous_end, span.begin);
      for (const LiveOption& option : graph_.live(span)) mark(block, option.option);
    }
  });
}

/// Max-marginals of leaving, and of requiring, each left context.
void TileBound::find_marginals() {
  for (std::uint32_t e = 0; e < contexts_->ends(); ++e) {
    std::ranges::fill(contexts_->end(e).leaving, kLogZero);
    std::ranges::fill(contexts_->end(e).requiring, kLogZero);
  }
  for (PrefixBlock& block : contexts_->blocks())
    for (const std::uint32_t prefix : block.live) block.outside_scores[prefix] = kLogZero;
  for (const SpanAfter& span : graph_.spans()) {
    budget_.work(1 + span.last - span.first);
    for (const LiveOption& option : graph_.live(span)) find_marginals(span, option);
  }
  for (const PrefixBlock& block : contexts_->blocks()) {
    LeftContextsAt& end = contexts_->end(block.end);
    for (const std::uint32_t prefix : block.live)
      if (block.outside_scores[prefix] != kLogZero)
        raise_requiring(end, block.outside_scores[prefix], &block.scores[prefix * end.multipliers.size()],
                        end.multipliers.data());
    budget_.work(1 + block.live.size() * end.multipliers.size() / 4);
  }
  for (StateId number : graph_.order()) {
    if (!graph_.space().is_final(graph_.state(number))) continue;
    LeftContextsAt& end = contexts_->end(graph_.state(number).last_end);
    raise_requiring(end, graph_.forward(number), end.finishes.data(), end.multipliers.data());
  }
}

void TileBound::find_marginals(const SpanAfter& span, const LiveOption& option) {
  PrefixBlock& block = contexts_->block(span.previous_end, span.begin);
  LeftContextsAt& before = contexts_->end(span.previous_end);
  MeteredVector<double>& leaving = contexts_->end(model_.options()[option.option].end).leaving;
  double& of_own = leaving[contexts_->own_left_context(option.option)];
  const double outside_score = span.outside_score + contexts_->own(block, option.option);
  const auto refinements = contexts_->refinements(option.option, span.previous_end);
  if (refinements.empty()) {
    of_own = std::max(of_own, span.outside_score + option.value);
    double& of_prefix = block.outside_scores[contexts_->prefix(option.option)];
    of_prefix = std::max(of_prefix, outside_score);
    return;
  }
  budget_.work(before.multipliers.size() / 8);
  const double* scores = contexts_->scores(block, option.option);
  const double* multipliers = contexts_->multipliers_before(block, option.option);
  raise_requiring(before, outside_score, scores, multipliers);
  others_.assign(multipliers, multipliers + before.multipliers.size());
  for (const LeftContexts::Refinement& refined : refinements) {
    others_[refined.required] = kUnreachableMultiplier;
    if (before.multipliers[refined.required] == kUnreachableMultiplier) continue;
    double& left = leaving[refined.left];
    left = std::max(left, outside_score + (scores[refined.required] - multipliers[refined.required]));
  }
  of_own = std::max(of_own, outside_score + best_after(before, scores, others_.data()));
}

/// Finds short options of good derivations to refine, the best first.
void TileBound::find_candidates(double now) {
  const double least = now - constants::kRefinedShare * (now - floor_);
  for (const SpanAfter& span : graph_.spans()) {
    const PrefixBlock& block = contexts_->block(span.previous_end, span.begin);
    const LeftContextsAt& before = contexts_->end(span.previous_end);
    for (const LiveOption& option : graph_.live(span)) {
      if (span.outside_score + option.value < least || !contexts_->is_short(option.option)) continue;
      budget_.work(1 + before.left_contexts.size() / 4);
      const double outside_score = span.outside_score + contexts_->own(block, option.option);
      const double* scores = contexts_->scores(block, option.option);
      const double* multipliers = contexts_->multipliers_before(block, option.option);
      const auto refinements = contexts_->refinements(option.option, span.previous_end);
      for (std::uint32_t t = 0; t < before.left_contexts.size(); ++t)
        if (const double through = outside_score + (scores[t] - multipliers[t]);
            through >= least &&
            std::ranges::find(refinements, t, &LeftContexts::Refinement::required) == refinements.end())
          candidates_.push_back({through, option.option, span.previous_end, t});
    }
  }
  const std::size_t most = constants::kMaxRefinements * contexts_->ends();
  if (candidates_.size() <= most) return;
  std::ranges::nth_element(
      candidates_, candidates_.begin() + static_cast<std::ptrdiff_t>(most), {}, [](const Candidate& candidate) {
        return std::tuple(-candidate.max_marginal, candidate.option, candidate.end, candidate.required);
      });
  candidates_.resize(most);
}
void TileBound::refine() {
  for (const Candidate& candidate : candidates_) contexts_->refine(candidate.option, candidate.end, candidate.required);
  candidates_.clear();
}

/// Moves all multipliers toward equal max-marginals of leaving and of requiring a left context.
void TileBound::update_multipliers() {
  const double low = floor_ - constants::kBelowFloor;  // the distance below does not matter
  for (std::uint32_t e = 1; e < contexts_->ends(); ++e) {
    LeftContextsAt& end = contexts_->end(e);
    for (std::size_t t = 0; t < end.left_contexts.size(); ++t) {
      double& multiplier = end.multipliers[t];
      if (multiplier == kUnreachableMultiplier) {
        assert(end.leaving[t] < floor_);
      } else if (end.leaving[t] == kLogZero) {
        multiplier = kUnreachableMultiplier;
      } else {
        multiplier -= constants::kStep / 2 * (std::max(end.leaving[t], low) - std::max(end.requiring[t], low));
      }
    }
  }
}

/// A position's multiplier begins as its best share in any tile, so that difficult positions are realized, too.
void TileBound::start_position_multipliers() {
  std::ranges::fill(position_multipliers_, kLogZero);
  for (const TileOption& option : model_.options())
    for (std::uint32_t p = option.begin; p < option.end; ++p)
      position_multipliers_[p] = std::max(position_multipliers_[p], option.bound / (option.end - option.begin));
  for (double& multiplier : position_multipliers_)
    if (multiplier == kLogZero) multiplier = 0;  // no tile covers it
}
double TileBound::sum_of_position_multipliers() const {
  return std::accumulate(position_multipliers_.begin(), position_multipliers_.end(), 0.0);
}
/// Raises the multipliers of positions that the best derivation realizes twice and lowers those it misses: a
/// subgradient step (Polyak 1969), shorter than if the gap were due to these multipliers alone.
void TileBound::update_position_multipliers(double now) {
  const std::vector<std::uint32_t> counts = visits();
  double square = 0;
  for (const double count : counts) square += (count - 1) * (count - 1);
  if (square == 0) return;
  const double step = constants::kPositionStep * (now - floor_) / square;
  for (std::size_t p = 0; p < counts.size(); ++p)
    position_multipliers_[p] += step * (static_cast<double>(counts[p]) - 1);
}

/// Upper bound on completing a state of a finer space. Like the completions here, it has the position multipliers
/// subtracted if that space has them.
double TileBound::completion_of_finer(const State& finer, const TileSpace& space) const {
  const StateId number = find(graph_.space().project(finer, space));
  if (number == kNoState) return kLogZero;
  double value = completion(number);
  if (has_position_multipliers() && !space.is_projection())
    for (std::uint32_t p = finer.base; p < model_.length(); ++p)
      if (!finer.covered(p)) value += position_multipliers_[p];
  return value;
}

}  // namespace widl
