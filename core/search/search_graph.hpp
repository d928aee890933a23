#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "log_zero.hpp"
#include "search/budget.hpp"
#include "search/explored_graph.hpp"
#include "search/hash_index.hpp"
#include "search/length_limits.hpp"
#include "search/metered_list.hpp"
#include "search/ngram_scorer.hpp"
#include "search/options.hpp"
#include "search/search_record.hpp"
#include "search/state_store.hpp"
#include "search/unfolding.hpp"

namespace widl {

/// The explored part of an unfolding intersected with n-gram language models.
///
/// Nodes are hash-consed: of two paths to the same (unfolding state, language-model context) the better one survives,
/// and all complete paths end in one goal node. Under hard length limits, paths of different lengths stay apart, and
/// states that can't be completed within the limits are not created.
template <Unfolding U>
class SearchGraph {
 public:
  using State = typename U::State;
  using Edge = typename U::Edge;
  using NodeId = std::uint32_t;
  using StateId = std::uint32_t;
  static constexpr NodeId kNone = ~NodeId{0};

  struct Node {
    double score;     ///< of the best path here
    double estimate;  ///< of the completion
    double bound;     ///< of the completion; minus infinity at a dead end
    StateId state;
    ContextId context;
    NodeId parent;
    std::uint32_t label;   ///< of the edge from the parent
    std::uint32_t length;  ///< words of the best path
    std::uint32_t bytes;   ///< of its words, each with a separator
    bool is_goal;
  };
  using Arc = PathArc;  ///< kept only when several derivations or a lattice are wanted

  /// The start of a graph: the start of the unfolding, or the end of a path in another graph.
  struct Start {
    State state;
    ContextId context;
    double score = 0;
    std::uint32_t label = Arrival::kNone;
    std::uint32_t length = 0, bytes = 0;
    std::size_t most_nodes;
  };

  SearchGraph(const U& unfolding, NGramScorer& scorer, Estimator<State>& estimator, const SearchOptions& options,
              Budget& budget)
      : SearchGraph(unfolding, scorer, estimator, options, budget,
                    {unfolding.initial(), scorer.start(), 0, Arrival::kNone, 0, 0, budget.states_left()}) {}
  SearchGraph(const U& unfolding, NGramScorer& scorer, Estimator<State>& estimator, const SearchOptions& options,
              Budget& budget, const Start& start)
      : unfolding_(unfolding),
        scorer_(scorer),
        estimator_(estimator),
        budget_(budget),
        edge_work_(work_of_edge(unfolding)),
        floor_(options.known.floor),
        recorder_(options.recorder),
        reestimates_(options.known.reestimates),
        keeps_arcs_(options.output.needs_arcs()),
        limits_(options.space),
        most_nodes_(std::max<std::size_t>(1, start.most_nodes)) {
    if (recorder_) recorder_->begin(floor_);
    Edge edge{};
    edge.to = start.state;
    edge.label = start.label;
    const Budget::Grace grace(budget_);
    arrive_at(edge, states_.intern(edge.to, U::hash(edge.to)),
              {kNone, start.score, start.context, start.length, start.bytes});
  }
  /// The start of a graph that continues after a node, without a limit on states.
  Start start_at(NodeId number) const {
    const Node& node = nodes_[number];
    return {states_[node.state], node.context, node.score, node.label, node.length, node.bytes, kAll};
  }

  const Node& operator[](NodeId node) const { return nodes_[node]; }
  std::size_t size() const { return nodes_.size(); }
  NodeId root() const { return 0; }
  /// Whether any derivation fits the limits.
  bool empty() const { return nodes_.empty(); }
  NodeId goal() const { return goal_; }
  std::size_t edges() const { return edges_; }

  std::span<const Arc> arcs() const { return arcs_; }
  /// Its paths. Valid until the graph grows.
  PathGraph paths() const {
    return {arcs_, nodes_.size(), goal_, [this](PhraseId phrase) { return scorer_.words(phrase); },
            [this](std::uint32_t node) { return nodes_[node].context; }};
  }
  const State& state(StateId state) const { return states_[state]; }

  /// Follows all edges out of a node; calls reached(node) for each target that is new or has a better path now, except
  /// dead ends. @throws OutOfBudget between two edges
  template <class Reached>
  void unfold(NodeId number, Reached&& reached) {
    const State from = states_[nodes_[number].state];  // states_ moves while it grows
    // If the unfolding of this node was interrupted before, the arcs of its first edges already exist.
    const std::size_t old_arcs = keeps_arcs_ ? arcs_known(number) : kAll;
    std::size_t followed = 0;
    StateId hint = kNone;  // consecutive edges often lead to the same state
    auto follow_one = [&](const Edge& edge) {
      auto [to, better] = follow(number, edge, hint, followed >= old_arcs);
      ++followed;
      if (better && nodes_[to].bound != kLogZero) reached(to);
    };
    try {
      budget_.work(edge_work_);  // it may have no edges
      if (floor_ != kLogZero) return unfold_above(floor_ - nodes_[number].score, from, follow_one);
      unfolding_.successors(from, follow_one);
    } catch (const OutOfBudget&) {
      if (old_arcs != kAll) interrupted_.push_back({number, std::max(followed, old_arcs)});
      throw;
    }
  }

  /// Follows one edge: the node it ends in, and whether the path there is a new or a better one. Returns none if the
  /// limits forbid it. `hint`: a guess of the target state's number on input, the actual number on output.
  std::pair<NodeId, bool> follow(NodeId number, const Edge& edge, StateId& hint, bool keep_arc) {
    return follow(number, edge, scorer_.extend(nodes_[number].context, edge.phrase), hint, keep_arc);
  }

  /// Overload for an edge whose language-model score is known.
  std::pair<NodeId, bool> follow(NodeId number, const Edge& edge, NGramScorer::Step step, StateId& hint,
                                 bool keep_arc) {
    if (++edges_ % kEdgesCounted == 0) [[unlikely]]
      count_edges();
    if (keep_arc) arcs_.make_room();
    const Node& from = nodes_[number];
    double score = edge.score + step.score;
    if (unfolding_.is_final(edge.to)) score += scorer_.finish(step.next);
    find_state(edge.to, hint);
    auto [to, better] = arrive_at(
        edge, hint, {number, from.score + score, step.next, from.length + edge.word_count, from.bytes + edge.bytes});
    if (to == kNone) return {kNone, false};
    if (keep_arc && nodes_[to].bound != kLogZero) arcs_.push_back({number, to, edge.phrase, edge.label, score});
    return {to, better};
  }
  /// Prefetches the memory for following an edge; `hint` becomes the number of its target state.
  /// @throws OutOfBudget
  void prefetch(NodeId number, const Edge& edge, NGramScorer::Step step, StateId& hint) {
    find_state(edge.to, hint);
    const Node& from = nodes_[number];
    index_.prefetch(hash_of(hint, step.next, from.length + edge.word_count, from.bytes + edge.bytes));
  }
  bool keeps_arcs() const { return keeps_arcs_; }
  /// Reserves time and memory for ranking or pruning the arcs.
  void reserve_for_arcs() {
    if (keeps_arcs_)
      budget_.reserve(kWorkPerArc * arcs_.size(), kBytesPerArc * arcs_.size() + kBytesPerNode * nodes_.size());
  }

  /// Labels of the best path to a node, from the start.
  std::vector<std::uint32_t> labels_to(NodeId node) const {
    std::vector<std::uint32_t> labels;
    for (; nodes_[node].parent != kNone; node = nodes_[node].parent) labels.push_back(nodes_[node].label);
    std::reverse(labels.begin(), labels.end());
    return labels;
  }
  /// The arcs of the best path to a node, if arcs are kept.
  std::vector<ExploredGraph::Arc> arcs_to(NodeId node) const {
    std::vector<ExploredGraph::Arc> path;
    for (; nodes_[node].parent != kNone; node = nodes_[node].parent) {
      const NodeId from = nodes_[node].parent;
      const auto arc = std::ranges::find_if(
          arcs_, [&](const Arc& arc) { return arc.from == from && arc.to == node && arc.label == nodes_[node].label; });
      path.push_back({from, node, arc->label, arc->phrase, nodes_[from].context});
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

 private:
  static constexpr std::size_t kAll = ~std::size_t{0};
  // Cost of the final ranking or pruning (PathRanking, GraphPruning).
  static constexpr std::size_t kWorkPerArc = 20, kBytesPerArc = 32, kBytesPerNode = 48;
  static constexpr std::size_t kEdgesCounted = 16;

  /// Makes the hint the state's number. @throws OutOfBudget
  void find_state(const State& state, StateId& hint) {
    if (hint == kNone || !(states_[hint] == state)) hint = states_.intern(state, U::hash(state));
  }

  [[gnu::noinline]] void count_edges() {
    budget_.work(kEdgesCounted * edge_work_);
    if (edges_ % (4 * kEdgesCounted) == 0) reserve_for_arcs();
  }

  static std::size_t work_of_edge(const U& unfolding) {
    if constexpr (requires { unfolding.edge_work(); }) return unfolding.edge_work();
    return 10;
  }

  /// A path that ends with the edge at hand.
  struct Path {
    NodeId parent;
    double score;
    ContextId context;
    std::uint32_t length, bytes;
  };

  /// The node with its best path, and whether that path is new; none if the limits forbid it.
  std::pair<NodeId, bool> arrive_at(const Edge& edge, StateId state, const Path& path) {
    if (limits_.has_any() && !limits_.allow(path.length, path.bytes, unfolding_.shortest(edge.to)))
      return {kNone, false};
    assert(!std::isnan(path.score));
    const bool is_goal = unfolding_.is_final(edge.to);
    const std::uint64_t hash = hash_of(state, path.context, path.length, path.bytes);
    NodeId number = is_goal ? goal_ : find(hash, state, path);
    if (number == kNone) {
      ScoreEstimate completion{0, 0};
      if (!is_goal) completion = estimator_(edge.to, arrival(edge, path.parent, path.context));
      assert(!std::isnan(completion.estimate) && !std::isnan(completion.bound));
      number = static_cast<NodeId>(nodes_.size());
      if (nodes_.size() == most_nodes_) [[unlikely]]
        budget_.run_out_of_states();
      nodes_.make_room();
      if (!is_goal) index_.insert(hash, number);
      nodes_.push_back({path.score, completion.estimate, completion.bound, state, path.context, path.parent, edge.label,
                        path.length, path.bytes, is_goal});
      if (is_goal) goal_ = number;
      if (recorder_) record_event(SearchRecorder::Kind::made, number, edge, path);
      return {number, true};
    }
    Node& node = nodes_[number];
    if (node.score >= path.score) {
      if (recorder_) record_event(SearchRecorder::Kind::recombined, number, edge, path);
      return {number, false};
    }
    if (reestimates_) [[unlikely]] {
      ScoreEstimate completion{0, 0};
      if (!is_goal) completion = estimator_(edge.to, arrival(edge, path.parent, path.context));
      node.estimate = completion.estimate;
      node.bound = completion.bound;
    }
    node.score = path.score;
    node.parent = path.parent;
    node.label = edge.label;
    node.length = path.length;
    node.bytes = path.bytes;
    if (recorder_) record_event(SearchRecorder::Kind::improved, number, edge, path);
    return {number, true};
  }

  Arrival arrival(const Edge& edge, NodeId parent, ContextId context) const {
    return {context, edge.label, parent == kNone ? Arrival::kNone : nodes_[parent].label};
  }

  /// A partly unfolded node: the number of edges whose arcs exist.
  struct Interrupted {
    NodeId node;
    std::size_t edges;
  };

  /// Number of edges of the node whose arcs exist. The node is about to be unfolded.
  std::size_t arcs_known(NodeId number) {
    if (unfolded_.size() < nodes_.capacity()) unfolded_.resize(nodes_.capacity());
    if (!unfolded_[number]) {
      unfolded_[number] = true;
      return 0;
    }
    for (std::size_t i = interrupted_.size(); i-- > 0;)
      if (interrupted_[i].node == number) {
        const std::size_t edges = interrupted_[i].edges;
        interrupted_.erase(interrupted_.begin() + static_cast<std::ptrdiff_t>(i));
        return edges;
      }
    return kAll;
  }

  /// Unfolds the edges of a state that can gain at least `least`, including any continuation.
  template <class Follow>
  void unfold_above(double least, const State& from, Follow&& follow_one) {
    unfolding_.for_each_step(U::covered(from), [&](const auto& options, const auto& to, double step_score) {
      budget_.work(1 + options.size() / 8);
      const double rest = step_score + estimator_.of_state(unfolding_.moved(from, to)).bound;
      for (const auto& option : options) {
        if (rest + option.bound_from_here < least) return;
        if (rest + option.bound < least) continue;
        if (auto edge = unfolding_.edge(from, option, to, step_score)) follow_one(*edge);
      }
    });
  }

  void record_event(SearchRecorder::Kind kind, NodeId number, const Edge& edge, const Path& path) {
    recorder_->reached(kind, number, nodes_[number], path.parent, edge.label, path.score);
  }

  std::uint64_t hash_of(StateId state, ContextId context, std::uint32_t length, std::uint32_t bytes) const {
    return (std::uint64_t{state} << 32 | context) + limits_.used(length, bytes) * 0x9e3779b97f4a7c15ULL;
  }
  NodeId find(std::uint64_t hash, StateId state, const Path& path) const {
    return index_.find(hash, [&](NodeId number) {
      const Node& node = nodes_[number];
      return node.context == path.context && node.state == state &&
             limits_.used(node.length, node.bytes) == limits_.used(path.length, path.bytes);
    });
  }

  const U& unfolding_;
  NGramScorer& scorer_;
  Estimator<State>& estimator_;
  Budget& budget_;
  std::size_t edge_work_;
  double floor_;
  SearchRecorder* recorder_;
  bool reestimates_;
  bool keeps_arcs_;
  LengthLimits limits_;
  std::size_t most_nodes_;
  StateStore<State> states_{budget_};
  MeteredList<Node> nodes_{budget_};
  HashIndex<BudgetAllocator> index_{budget_};  // of nodes, without the goal
  MeteredList<Arc> arcs_{budget_};
  MeteredVector<bool> unfolded_{budget_};  // by node, if arcs are kept
  NodeId goal_ = kNone;
  std::vector<Interrupted> interrupted_;  // if arcs are kept; few arcs, because they are the last before the end
  std::size_t edges_ = 0;
};

}  // namespace widl
