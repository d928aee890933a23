#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "search/transition_graph.hpp"

namespace widl {

/// An upper bound of the derivations of tiles: coverage and movement exact, and of language models what two phrases in a
/// row give.
///
/// A state is what is covered and where the last phrase ended, at e. The step to the next phrase *requires* a left context,
/// the last words of some option ending at e, and scores the phrase's prefix, the words that see it, behind it. Only
/// multipliers make the required context agree with the option that was used: φ_e(context), which using an option earns and
/// requiring its context costs, so that they cancel where both agree (Lagrangian relaxation, as Chang & Collins 2011 relax
/// coverage):
///
///   L(φ) = max over coverages Σ steps  max over options o of the step's span, left contexts a at e of
///            score(o) + prefix(o | a) - φ_e(a) + φ_end(o)(context(o))
///
/// Every L(φ) is a bound. A derivation ends at most one phrase at e, and requires at most one left context there; so a
/// multiplier may move by half of the difference of the max-marginals of leaving and of requiring the context (max-product
/// linear programming, Globerson & Jaakkola 2007), at all ends by a part of that at once. What stands before a context that
/// is all of its phrase is not known, and at its best for language models: where good derivations have such a short context,
/// it is told apart by what they require before it. Steps and options whose max-marginal is below `floor` are pruned, and
/// bounds are those of the others.
///
/// Where the space does not know of all positions whether they are realized, each has a multiplier u, which realizing it costs
/// and which all derivations are given back: L(φ, u) = Σ u + the above less u for each position of each span.
template <class Space>
class TransitionBound : private TransitionGraph<Space> {
  using Graph = TransitionGraph<Space>;
  using typename Graph::SpanAfter;
  using Graph::budget_, Graph::forward_, Graph::kNoSpan, Graph::live_, Graph::live, Graph::order_, Graph::spans_,
      Graph::spans_by_key_, Graph::space_, Graph::states_, Graph::values_;

 public:
  using typename Graph::Arc;
  using typename Graph::State;
  using typename Graph::StateId;

  /// @throws OutOfBudget, also where there are more states than `most`
  TransitionBound(const Space& space, std::shared_ptr<ContextMultipliers> contexts, double floor, std::size_t most,
                  Budget& budget)
      : Graph(space, budget),
        model_(space.model()),
        floor_(floor),
        contexts_(std::move(contexts)),
        position_multipliers_(model_.length()) {
    if constexpr (Space::kHasPositionMultipliers) start_position_multipliers();
    this->list_states(most, 0, [&](std::span<const TileOption> options, const State& from, const State&, double) {
      return this->span_of(options, from.last_end, [&](SpanAfter& span) {
        contexts_->add_block(span.previous_end, span.begin);
        for (const TileOption& option : options) live_.push_back({option.label, 0});
      });
    });
  }
  /// The same without what a coarser space's bound leaves out. That must be solved, lends its multipliers, and must not be
  /// tightened any more. @throws OutOfBudget, also where there are more states than `most`
  template <class Coarse>
  TransitionBound(const Space& space, const TransitionBound<Coarse>& coarse, std::size_t most, Budget& budget)
      : Graph(space, budget),
        model_(space.model()),
        floor_(coarse.floor_),
        contexts_(coarse.contexts_),
        position_multipliers_(Space::kHasPositionMultipliers ? coarse.position_multipliers_
                                                             : std::vector<double>(model_.length())),
        bound_(coarse.bound_) {
    const auto span_of_step = [&](std::span<const TileOption> options, const State& from, const State& to, double before) {
      const std::uint32_t* known = coarse.spans_by_key_.find(Graph::key(options, from.last_end));
      if (!known) return kNoSpan;
      const auto& same = coarse.spans_[*known];
      const double value = same.value + (Space::kHasPositionMultipliers ? 0 : same.position_multiplier);
      if (!(before + value + coarse.completion_behind(to) >= floor_)) return kNoSpan;
      return this->span_of(options, from.last_end, [&](SpanAfter& span) {
        span.value = value;
        for (const LiveOption& one : coarse.live(same)) live_.push_back(one);
      });
    };
    this->list_states(most, sum_of_position_multipliers(), span_of_step);
  }

  /// Lowers the bound in so many rounds, fewer where it is `enough` or hardly gets lower.
  /// @throws OutOfBudget, what is lowered until then remains
  void tighten(unsigned rounds, double enough) {
    double at_look = std::numeric_limits<double>::infinity();
    for (unsigned i = 0; i < rounds; ++i) {
      const double now = solve();
      bound_ = std::min(bound_, now);
      if (bound_ <= enough || order_.empty()) return;
      this->look_forward(sum_of_position_multipliers());
      this->leave_out_steps(floor_);
      if (this->leave_out_options(floor_)) keep_prefixes();
      if (i % kRoundsPerLook == 0) {
        if (at_look - bound_ < (Space::kHasPositionMultipliers ? kLeastGainOfPositions : kLeastGain) * (bound_ - floor_)) return;
        at_look = bound_;
      }
      find_marginals();
      if (i >= kRoundsToRefine) find_unclear(now);
      if constexpr (Space::kHasPositionMultipliers) update_position_multipliers(now);
      update_multipliers();
      refine();
    }
    solve();
  }
  double bound() const { return std::max(bound_, floor_); }

  /// What search asks, after the last round: bounds hold of derivations above the floor, and of the completion of a state
  /// the multiplier of the last left context is left aside.
  using Graph::arcs, Graph::best, Graph::completion, Graph::find, Graph::is_empty, Graph::kNoState, Graph::options,
      Graph::state;
  const ContextMultipliers& contexts() const { return *contexts_; }
  /// Where derivations that realize a position more than once, or never, are what the bound is the score of: how often the
  /// best one does.
  using Graph::visits;

 private:
  template <class>
  friend class TransitionBound;
  static constexpr unsigned kRoundsPerLook = 8;
  static constexpr double kLeastGain = 0.04;           // of the gap, between two looks
  static constexpr double kLeastGainOfPositions = 0.02;  // they take more rounds
  static constexpr double kStep = 0.5;                 // of the way to equal max-marginals of leaving and requiring
  static constexpr double kPositionStep = 0.25;            // of what would close the gap if the best derivation stayed
  static constexpr double kBelowFloor = 5;             // nats; see update_multipliers()
  static constexpr unsigned kRoundsToRefine = 4;       // first multipliers as good as they get without
  static constexpr double kUnclear = 0.03;             // of the gap: what is so near the best is told apart
  static constexpr std::size_t kMostRefinements = 10;  // a round, for each position

  ContextMultipliers& contexts() { return *contexts_; }

  /// Prefixes that no option begins with any more need no scores.
  void keep_prefixes() {
    contexts().keep_prefixes([&](auto&& mark) {
      for (const SpanAfter& span : spans_) {
        budget_.work(1 + (span.last - span.first) / 4);
        PrefixBlock& block = contexts().block(span.previous_end, span.begin);
        for (const LiveOption& one : live(span)) mark(block, one.option);
      }
    });
  }

  /// L(φ, u).
  double solve() {
    contexts().value_prefixes();
    for (SpanAfter& span : spans_) {
      budget_.work(1 + span.last - span.first);
      const PrefixBlock& block = contexts().block(span.previous_end, span.begin);
      const auto first = position_multipliers_.begin();
      span.position_multiplier = std::accumulate(first + span.begin, first + span.end, 0.0);
      span.value = kUnreachable;
      for (LiveOption& one : live(span))
        span.value = std::max(span.value, one.value = contexts().value(block, one.option));
      span.value -= span.position_multiplier;
    }
    this->look_back([&](const State& state) {
      const LeftContextsAt& end = contexts().end(state.last_end);
      return best_after(end, end.finishes.data(), end.multipliers.data());
    });
    return order_.empty() ? kUnreachable : sum_of_position_multipliers() + values_[order_[0]];
  }

  /// Max-marginals of leaving, and of requiring, each left context.
  void find_marginals() {
    for (std::uint32_t e = 0; e < contexts().ends(); ++e) {
      std::ranges::fill(contexts().end(e).used, kUnreachable);
      std::ranges::fill(contexts().end(e).required, kUnreachable);
    }
    for (PrefixBlock& block : contexts().blocks())
      for (const std::uint32_t h : block.live) block.outside_scores[h] = kUnreachable;
    for (const SpanAfter& span : spans_) {
      budget_.work(1 + span.last - span.first);
      for (const LiveOption& one : live(span)) find_marginals(span, one);
    }
    for (const PrefixBlock& block : contexts().blocks()) {
      LeftContextsAt& end = contexts().end(block.end);
      for (const std::uint32_t h : block.live)
        if (block.outside_scores[h] != kUnreachable)
          raise_required(end, block.outside_scores[h], &block.scores[h * end.multipliers.size()], end.multipliers.data());
      budget_.work(1 + block.live.size() * end.multipliers.size() / 4);
    }
    for (StateId number : order_) {
      if (!space_.is_final(states_[number])) continue;
      LeftContextsAt& end = contexts().end(states_[number].last_end);
      raise_required(end, forward_[number], end.finishes.data(), end.multipliers.data());
    }
  }
  void find_marginals(const SpanAfter& span, const LiveOption& one) {
    PrefixBlock& block = contexts().block(span.previous_end, span.begin);
    LeftContextsAt& before = contexts().end(span.previous_end);
    Counted<double>& used = contexts().end(model_.options()[one.option].end).used;
    double& own = used[contexts().own_left_context(one.option)];
    const double outside_score = span.outside_score + contexts().own(block, one.option);
    const auto refinements = contexts().refinements(one.option, span.previous_end);
    if (refinements.empty()) {
      own = std::max(own, span.outside_score + one.value);
      double& of_prefix = block.outside_scores[contexts().prefix(one.option)];
      of_prefix = std::max(of_prefix, outside_score);
      return;
    }
    budget_.work(before.multipliers.size() / 8);
    const double* scores = contexts().scores(block, one.option);
    const double* multipliers = contexts().multipliers_before(block, one.option);
    raise_required(before, outside_score, scores, multipliers);
    others_.assign(multipliers, multipliers + before.multipliers.size());
    for (const ContextMultipliers::Refinement& refined : refinements) {
      others_[refined.required] = kUnreachableMultiplier;
      if (before.multipliers[refined.required] == kUnreachableMultiplier) continue;
      double& left = used[refined.left];
      left = std::max(left, outside_score + (scores[refined.required] - multipliers[refined.required]));
    }
    own = std::max(own, outside_score + best_after(before, scores, others_.data()));
  }

  /// Finds short left contexts of good derivations to tell apart by what is required before them, the best first.
  void find_unclear(double now) {
    const double least = now - kUnclear * (now - floor_);
    for (const SpanAfter& span : spans_) {
      const PrefixBlock& block = contexts().block(span.previous_end, span.begin);
      const LeftContextsAt& before = contexts().end(span.previous_end);
      for (const LiveOption& one : live(span)) {
        if (span.outside_score + one.value < least || !contexts().is_short(one.option)) continue;
        budget_.work(1 + before.left_contexts.size() / 4);
        const double outside_score = span.outside_score + contexts().own(block, one.option);
        const double* scores = contexts().scores(block, one.option);
        const double* multipliers = contexts().multipliers_before(block, one.option);
        const auto known = contexts().refinements(one.option, span.previous_end);
        for (std::uint32_t t = 0; t < before.left_contexts.size(); ++t)
          if (const double through = outside_score + (scores[t] - multipliers[t]); through >= least &&
              std::ranges::find(known, t, &ContextMultipliers::Refinement::required) == known.end())
            unclear_.emplace_back(-through, one.option, span.previous_end, t);
      }
    }
    const std::size_t most = kMostRefinements * contexts().ends();
    if (unclear_.size() <= most) return;
    std::ranges::nth_element(unclear_, unclear_.begin() + static_cast<std::ptrdiff_t>(most));
    unclear_.resize(most);
  }
  void refine() {
    for (const auto& [through, option, end, left_context] : unclear_) contexts().refine(option, end, left_context);
    unclear_.clear();
  }

  /// Moves all multipliers towards where the max-marginals of leaving and of requiring a left context are equal.
  void update_multipliers() {
    const double low = floor_ - kBelowFloor;  // how bad a left context is that no good derivation has does not matter
    for (std::uint32_t e = 1; e < contexts().ends(); ++e) {
      LeftContextsAt& end = contexts().end(e);
      for (std::size_t t = 0; t < end.left_contexts.size(); ++t) {
        double& multiplier = end.multipliers[t];
        if (multiplier == kUnreachableMultiplier) {
          assert(end.used[t] < floor_);
          continue;
        }
        if (end.used[t] == kUnreachable) {
          multiplier = kUnreachableMultiplier;
        } else {
          multiplier -= kStep / 2 * (std::max(end.used[t], low) - std::max(end.required[t], low));
        }
      }
    }
  }

  /// At first the best score a position that any tile has, so that what is hard to translate must be translated, too.
  void start_position_multipliers() {
    std::ranges::fill(position_multipliers_, kUnreachable);
    for (const TileOption& option : model_.options())
      for (std::uint32_t p = option.begin; p < option.end; ++p)
        position_multipliers_[p] = std::max(position_multipliers_[p], option.bound / (option.end - option.begin));
    for (double& position_multiplier : position_multipliers_)
      if (position_multiplier == kUnreachable) position_multiplier = 0;  // no tile covers it
  }
  double sum_of_position_multipliers() const {
    return std::accumulate(position_multipliers_.begin(), position_multipliers_.end(), 0.0);
  }
  /// Raises the multipliers of positions that the best derivation realizes twice, lowers those of positions that it leaves out:
  /// a subgradient step (Polyak 1969), shorter than if the gap were due to these multipliers alone.
  void update_position_multipliers(double now) {
    const std::vector<std::uint32_t> counts = visits();
    double square = 0;
    for (const double count : counts) square += (count - 1) * (count - 1);
    if (square == 0) return;
    const double step = kPositionStep * (now - floor_) / square;
    for (std::size_t p = 0; p < counts.size(); ++p) position_multipliers_[p] += step * (static_cast<double>(counts[p]) - 1);
  }

  /// The most that completes a state of a finer space: with multipliers of positions as here or, where that has none, without.
  template <class Finer>
  double completion_behind(const Finer& finer) const {
    const StateId number = find(space_.project(finer));
    if (number == kNoState) return kUnreachable;
    double value = completion(number);
    if constexpr (!std::is_same_v<Finer, State>)
      for (std::uint32_t p = finer.base; p < model_.length(); ++p)
        if (!finer.covered(p)) value += position_multipliers_[p];
    return value;
  }

  const TileModel& model_;
  double floor_;
  std::shared_ptr<ContextMultipliers> contexts_;
  std::vector<double> position_multipliers_;  // of realizing each position
  std::vector<double> others_;
  std::vector<std::tuple<double, ContextMultipliers::Option, std::uint32_t, ContextMultipliers::LeftContext>> unclear_;
  double bound_ = std::numeric_limits<double>::infinity();
};

}  // namespace widl
