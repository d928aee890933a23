#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "search/hash_table.hpp"
#include "search/scorer.hpp"

namespace widl {

/// What search needs of an acceptor that is unfolded on demand.
template <class U>
concept Unfolding = requires(const U& unfolding, const typename U::State& state) {
  { unfolding.initial() } -> std::same_as<typename U::State>;
  { unfolding.is_final(state) } -> std::same_as<bool>;
  { U::hash(state) } -> std::same_as<std::uint64_t>;
  unfolding.successors(state, [](const typename U::Edge&) {});
};

/// The explored part of an unfolding intersected with n-gram language models.
///
/// Nodes are hash-consed: of two paths to the same (unfolding state, language-model context) the
/// better one survives, and all complete paths end in one goal node. `Outlook` maps an unfolding state to
/// the estimate and the bound of its completion.
template <Unfolding U, class Outlook>
class SearchGraph {
 public:
  using State = typename U::State;
  using Edge = typename U::Edge;
  using NodeId = std::uint32_t;
  static constexpr NodeId kNone = ~NodeId{0};
  static constexpr double kWorst = -std::numeric_limits<double>::infinity();

  struct Node {
    State state;
    double score;         ///< of the best path here
    double estimate;      ///< of the completion
    double bound;         ///< of the completion; minus infinity at a dead end
    ContextId context;
    NodeId parent;
    std::uint32_t label;  ///< of the edge from the parent
    std::uint32_t length; ///< words of the best path
    bool is_goal;
  };

  SearchGraph(const U& unfolding, Scorer& scorer, Outlook& outlook)
      : unfolding_(unfolding), scorer_(scorer), outlook_(outlook) {
    Edge edge{};
    edge.to = unfolding_.initial();
    reach(edge, kNone, 0.0, scorer_.start(), 0);
  }

  const Node& operator[](NodeId node) const { return nodes_[node]; }
  std::size_t size() const { return nodes_.size(); }
  NodeId root() const { return 0; }
  NodeId goal() const { return goal_; }
  std::size_t edges() const { return edges_; }

  /// Follows all edges out of a node; calls reached(node) for each target that is new or now has a
  /// better path, dead ends aside.
  template <class Reached>
  void unfold(NodeId number, Reached&& reached) {
    const Node from = nodes_[number];  // nodes_ moves while it grows
    unfolding_.successors(from.state, [&](const Edge& edge) {
      ++edges_;
      Scorer::Step step = scorer_.extend(from.context, edge.phrase);
      auto [to, better] = reach(edge, number, from.score + edge.score + step.score, step.next,
                                from.length + edge.word_count);
      if (better && nodes_[to].bound != kWorst) reached(to);
    });
  }

  /// Labels of the best path to a node, from the start.
  std::vector<std::uint32_t> labels_to(NodeId node) const {
    std::vector<std::uint32_t> labels;
    for (; nodes_[node].parent != kNone; node = nodes_[node].parent) labels.push_back(nodes_[node].label);
    std::reverse(labels.begin(), labels.end());
    return labels;
  }

 private:
  std::pair<NodeId, bool> reach(const Edge& edge, NodeId parent, double score, ContextId context,
                                std::uint32_t length) {
    bool is_goal = unfolding_.is_final(edge.to);
    if (is_goal) score += scorer_.finish(context);
    NodeId number = is_goal ? goal_ : find(edge.to, context);
    if (number == kNone) {
      Scorer::Outlook outlook = is_goal ? Scorer::Outlook{0, 0} : outlook_(edge.to);
      return {insert({edge.to, score, outlook.estimate, outlook.bound, context, parent, edge.label, length, is_goal}),
              true};
    }
    Node& node = nodes_[number];
    if (node.score >= score) return {number, false};
    node.score = score;
    node.parent = parent;
    node.label = edge.label;
    node.length = length;
    return {number, true};
  }

  NodeId find(const State& state, ContextId context) const {
    std::size_t i = slot(state, context);
    while (slots_[i] != kNone) {
      const Node& node = nodes_[slots_[i]];
      if (node.context == context && node.state == state) return slots_[i];
      i = (i + 1) & (slots_.size() - 1);
    }
    return kNone;
  }

  NodeId insert(const Node& node) {
    auto number = static_cast<NodeId>(nodes_.size());
    nodes_.push_back(node);
    if (node.is_goal) return goal_ = number;
    if (nodes_.size() * 2 >= slots_.size()) {
      slots_.assign(slots_.size() * 2, kNone);
      for (NodeId n = 0; n < number; ++n)
        if (!nodes_[n].is_goal) place(n);
    }
    place(number);
    return number;
  }

  void place(NodeId number) {
    std::size_t i = slot(nodes_[number].state, nodes_[number].context);
    while (slots_[i] != kNone) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = number;
  }

  std::size_t slot(const State& state, ContextId context) const {
    return mix(U::hash(state) + context) & (slots_.size() - 1);
  }

  const U& unfolding_;
  Scorer& scorer_;
  Outlook& outlook_;
  std::vector<Node> nodes_;
  std::vector<NodeId> slots_ = std::vector<NodeId>(256, kNone);
  NodeId goal_ = kNone;
  std::size_t edges_ = 0;
};

}  // namespace widl
