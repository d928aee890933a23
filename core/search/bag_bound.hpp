#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "log_zero.hpp"
#include "search/budget.hpp"
#include "search/constants.hpp"
#include "search/counting_bound.hpp"
#include "search/explored_graph.hpp"
#include "search/graph_unfolding.hpp"
#include "search/options.hpp"
#include "search/sequence_bound.hpp"

namespace widl {

/// SequenceBound for a WIDL-graph that is a bag: one interleave whose arguments take one step each.
///
/// An argument is a group, an edge an option of its group, and equal arguments are one group. The bound of a state is
///
///   completion(placed, previous, last)  -  Σ λ_g over the remaining arguments  +  the best score of ending the interleave
///
/// Movement is not in the bound, so it must not be rewarded. For ∥uniform(a, b, c) after a: `placed` is 1, `previous`
/// the start, `last` a, and λ_b + λ_c is subtracted.
template <std::size_t Words>
class BagBound : public Estimator<Cut<Words>> {
 public:
  /// Whether the graph is a bag small enough to bound within seconds.
  static bool applies(const GraphModel& model) {
    const WidlGraph& graph = model.graph();
    const WidlGraph::Node& root = graph.node(graph.root());
    if (root.kind != WidlGraph::NodeKind::interleave || root.child_count == 0) return false;
    for (WidlGraph::NodeId child : graph.children(root)) {
      const WidlGraph::Node& node = graph.node(child);
      if (node.kind != WidlGraph::NodeKind::automaton || node.vertex_count != 2) return false;
    }
    // The bound ignores movement, so movement may not be rewarded.
    return SequenceBound::work(root.child_count, graph.edges().size()) <= constants::kMaxWorkOfBag &&
           model.movement(root.interleave) <= 0;
  }

  /// `only_best`: whether search needs only the one best derivation, exactly. The bound may then exclude other
  /// derivations. @throws OutOfBudget
  BagBound(const GraphUnfolding<Words>& unfolding, NGramScorer& scorer, Budget& budget, bool only_best = false)
      : budget_(budget),
        unfolding_(unfolding),
        model_(unfolding.model()),
        graph_(model_.graph()),
        root_(graph_.node(graph_.root())),
        group_(root_.child_count),
        option_of_edge_(graph_.edges().size()),
        bound_(make(scorer)) {
    double work = SequenceBound::work(bound_.length(), option_count_);
    const auto most = static_cast<unsigned>(std::clamp(constants::kTighteningWork / work, 5.0, 250.0));
    bound_.tighten(only_best ? std::min(most, constants::kFirstPasses) : most);
    if (!only_best || bound_.is_realized()) return;
    if (root_.child_count > constants::kShortBag) bound_.tighten(most);
    count(scorer);
  }

  /// Upper bound of the score of completing `state`; also used as the estimate.
  ScoreEstimate operator()(const Cut<Words>& state, const Arrival& arrival) override {
    budget_.work(root_.child_count / 4);
    double most = completion(state, arrival) + unfolding_.flat_frame(state);
    return {most, most};
  }
  ScoreEstimate of_state(const Cut<Words>& state) override {
    budget_.work(root_.child_count / 4);
    return unfolding_.completion(state);
  }
  /// Search may begin with the best path found while computing the bounds. Bounds that count groups depend on the path.
  KnownFacts known() const {
    return {.path = known_path_ ? &*known_path_ : nullptr, .reestimates = counting_.has_value()};
  }

 private:
  static constexpr double kAside = 1e9;     // ranks a completion after all others
  static constexpr std::size_t kAhead = 8;  // options whose first words are prefetched while others are scored

  double completion(const Cut<Words>& state, const Arrival& arrival) const {
    if (arrival.label == Arrival::kNone) return counting_ ? counting_->bound() : bound_.bound();
    double left = 0, left_by_counting = 0;
    std::uint32_t placed = 0, index = 0;
    auto children = graph_.children(root_);
    for (std::uint32_t k = 0; k < root_.child_count; ++k)
      if (state.get(graph_.node(children[k]).bits) == 0) {
        left += bound_.multipliers()[group_[k]];
        if (counting_) left_by_counting += counting_->multipliers()[group_[k]];
      } else {
        ++placed;
        if (counting_) index += counting_->stride(group_[k]);
      }
    const auto previous =
        arrival.previous == Arrival::kNone ? SequenceBound::kStart : option_of_edge_[arrival.previous];
    const auto last = option_of_edge_[arrival.label];
    const double most = bound_.completion(placed, previous, last) - left;
    if (!counting_) return most;
    const double counted = counting_->completion(placed, previous, last, index) - left_by_counting;
    // An approximate order still helps a search that must stop early.
    return counted == kLogZero ? most - kAside : std::min(most, counted);
  }

  /// Continues with CountingBound, if the budget allows.
  void count(NGramScorer& scorer) {
    const auto score_of = [&](std::span<const SequenceBound::OptionId> path) {
      const std::optional<RankedPath> ordered = in_order(scorer, path);
      if (!ordered) return kLogZero;
      if (!known_path_ || ordered->score > known_path_->score) known_path_ = ordered;
      return ordered->score - unfolding_.flat_frame(unfolding_.initial());
    };
    const auto out = catch_out_of_budget([&] {
      counting_.emplace(bound_, score_of, budget_);
      if (!counting_->find_floor()) return counting_.reset();
      counting_->refine();
      counting_->settle();
    });
    if (out) counting_.reset();
  }

  /// The path of the bag in this order; none if the order is impossible.
  std::optional<RankedPath> in_order(NGramScorer& scorer, std::span<const SequenceBound::OptionId> path) const {
    Cut<Words> state = unfolding_.initial();
    ContextId context = scorer.start();
    RankedPath result{{}, 0};
    for (SequenceBound::OptionId option : path) {
      std::optional<typename GraphUnfolding<Words>::Edge> match;
      unfolding_.moves(state, [&](std::uint32_t number) {
        if (!match && option_of_edge_[number] == option) match = unfolding_.step(state, number);
      });
      if (!match) return std::nullopt;
      const NGramScorer::Step step = scorer.extend(context, match->phrase);
      result.score += match->score + step.score;
      result.labels.push_back(match->label);
      std::tie(state, context) = std::pair(match->to, step.next);
    }
    result.score += scorer.finish(context);
    return result;
  }

  /// Equal arguments form one group; the unfolding takes them in order.
  SequenceBound make(const NGramScorer& scorer) {
    const WidlGraph::Interleave& interleave = graph_.interleave(root_);
    std::vector<std::uint32_t> multiplicity;
    std::vector<SequenceBound::Option> options;
    std::vector<PhraseId> phrases;
    for (std::uint32_t k = 0; k < root_.child_count; ++k) {
      std::uint32_t twin = interleave.twin.empty() ? WidlGraph::kNone : interleave.twin[k];
      if (twin != WidlGraph::kNone) {
        ++multiplicity[group_[k] = group_[twin]];
        for (std::size_t e = 0; e < edges(k).size(); ++e)
          option_of_edge_[graph_.number_of(edges(k)[e])] = option_of_edge_[graph_.number_of(edges(twin)[e])];
        continue;
      }
      group_[k] = static_cast<std::uint32_t>(multiplicity.size());
      multiplicity.push_back(1);
      for (const WidlGraph::Edge& edge : edges(k)) {
        std::uint32_t number = graph_.number_of(edge);
        option_of_edge_[number] = static_cast<SequenceBound::OptionId>(options.size());
        options.push_back({group_[k], model_.edge_score(number)});
        phrases.push_back(model_.phrase(number));
      }
    }
    option_count_ = options.size();
    return SequenceBound(std::move(multiplicity), std::move(options), scores(scorer, phrases), budget_);
  }

  std::span<const WidlGraph::Edge> edges(std::uint32_t argument) const {
    return graph_.edges(graph_.vertex(graph_.node(graph_.children(root_)[argument]), 0));
  }

  static SequenceBound::Scores scores(const NGramScorer& scorer, std::vector<PhraseId> of_options) {
    const auto phrases = std::make_shared<const std::vector<PhraseId>>(std::move(of_options));
    const auto context_after = [&scorer, phrases](SequenceBound::OptionId previous, SequenceBound::OptionId last) {
      std::vector<PhraseId> before;
      if (previous != SequenceBound::kStart) before.push_back((*phrases)[previous]);
      if (last != SequenceBound::kStart) before.push_back((*phrases)[last]);
      return scorer.known(before, previous == SequenceBound::kStart);
    };
    return {[&scorer, phrases, context_after](auto previous, auto last) {
              return [&scorer, phrases, from = context_after(previous, last)](SequenceBound::OptionId next) {
                if (next + kAhead < phrases->size()) scorer.prefetch(from, (*phrases)[next + kAhead]);
                return scorer.bound_after(from, (*phrases)[next]);
              };
            },
            [&scorer, context_after](auto previous, auto last) {
              return scorer.finish_bound_after(context_after(previous, last));
            }};
  }

  Budget& budget_;
  const GraphUnfolding<Words>& unfolding_;
  const GraphModel& model_;
  const WidlGraph& graph_;
  const WidlGraph::Node& root_;
  std::vector<std::uint32_t> group_;                     // by argument
  std::vector<SequenceBound::OptionId> option_of_edge_;  // by edge
  std::size_t option_count_ = 0;
  SequenceBound bound_;
  std::optional<CountingBound> counting_;
  std::optional<RankedPath> known_path_;
};

}  // namespace widl
