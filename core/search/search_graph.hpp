#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "search/hash_table.hpp"
#include "search/options.hpp"
#include "search/scorer.hpp"

namespace widl {

/// What search needs of an acceptor that is unfolded on demand.
template <class U>
concept Unfolding = requires(const U& unfolding, const typename U::State& state) {
  { unfolding.initial() } -> std::same_as<typename U::State>;
  { unfolding.is_final(state) } -> std::same_as<bool>;
  { U::hash(state) } -> std::same_as<std::uint64_t>;
  unfolding.successors(state, [](const typename U::Edge&) {});
  unfolding.shortest(state);  // words and bytes of the shortest completion
};

/// What stack decoding needs on top: how many source positions a state has realized, of how many.
template <class U>
concept CoversTiles = Unfolding<U> && requires(const U& unfolding, const typename U::State& state) {
  { unfolding.progress(state) } -> std::same_as<std::uint32_t>;
  { unfolding.length() } -> std::same_as<std::uint32_t>;
  U::covered(state);
};

/// How a state was reached first. What follows from it is the same for all paths that end in one node, so any of
/// them will do to bound that.
struct Arrival {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  ContextId context;
  std::uint32_t label;      ///< of the last edge; kNone at the start
  std::uint32_t previous;   ///< of the edge before it; kNone if there was none
};

/// The explored part of an unfolding intersected with n-gram language models.
///
/// Nodes are hash-consed: of two paths to the same (unfolding state, language-model context) the
/// better one survives, and all complete paths end in one goal node. Under hard limits of length, paths of
/// different lengths stay apart, and nothing is reached that can't be completed within them. `Outlook`
/// maps an unfolding state and its arrival to the estimate and the bound of its completion.
template <Unfolding U, class Outlook>
class SearchGraph {
 public:
  using State = typename U::State;
  using Edge = typename U::Edge;
  using NodeId = std::uint32_t;
  using StateId = std::uint32_t;
  static constexpr NodeId kNone = ~NodeId{0};
  static constexpr double kWorst = -std::numeric_limits<double>::infinity();

  struct Node {
    double score;         ///< of the best path here
    double estimate;      ///< of the completion
    double bound;         ///< of the completion; minus infinity at a dead end
    StateId state;
    ContextId context;
    NodeId parent;
    std::uint32_t label;  ///< of the edge from the parent
    std::uint32_t length; ///< words of the best path
    std::uint32_t bytes;  ///< of its words, each with a separator
    bool is_goal;
  };
  /// A step between nodes; kept only when several derivations, a lattice or a trace are wanted.
  struct Arc {
    NodeId from, to;
    PhraseId phrase;
    std::uint32_t label;
    double score;
  };

  SearchGraph(const U& unfolding, Scorer& scorer, Outlook& outlook, const SearchOptions& options)
      : unfolding_(unfolding),
        scorer_(scorer),
        outlook_(outlook),
        floor_(options.floor),
        keeps_arcs_(options.nbest > 1 || options.trace > 0 || options.lattice),
        max_words_(options.max_words ? options.max_words : kNoLimit),
        max_bytes_(options.max_bytes ? std::uint64_t{options.max_bytes} + 1 : kNoLimit) {
    Edge edge{};
    edge.to = unfolding_.initial();
    edge.label = Arrival::kNone;
    reach(edge, intern(edge.to), kNone, 0.0, scorer_.start(), 0, 0);
  }

  const Node& operator[](NodeId node) const { return nodes_[node]; }
  std::size_t size() const { return nodes_.size(); }
  NodeId root() const { return 0; }
  /// Whether the limits leave anything.
  bool empty() const { return nodes_.empty(); }
  NodeId goal() const { return goal_; }
  std::size_t edges() const { return edges_; }

  std::span<const Arc> arcs() const { return arcs_; }
  /// Whether successors were made of the node; known only where arcs are kept.
  bool is_unfolded(NodeId node) const { return node < unfolded_.size() && unfolded_[node]; }
  const Scorer& scorer() const { return scorer_; }
  /// Bytes of nodes and tables, and of what they are about to grow to.
  std::size_t memory() const {
    std::size_t nodes = nodes_.capacity() * sizeof(Node), arcs = arcs_.capacity() * sizeof(Arc);
    if (nodes_.size() + nodes_.size() / 8 > nodes_.capacity()) nodes *= 3;
    if (arcs_.size() + arcs_.size() / 8 > arcs_.capacity()) arcs *= 3;
    std::size_t states = states_.capacity() * (sizeof(State) + sizeof(std::uint64_t));
    std::size_t all = nodes + arcs + states + (slots_.size() + state_slots_.size()) * sizeof(NodeId) + scorer_.memory();
    if constexpr (requires { unfolding_.memory(); }) all += unfolding_.memory();  // what it made on its own
    return all;
  }

  const State& state(StateId state) const { return states_[state]; }

  /// Follows all edges out of a node; calls reached(node) for each target that is new or now has a
  /// better path, dead ends aside.
  template <class Reached>
  void unfold(NodeId number, Reached&& reached) {
    const State from = states_[nodes_[number].state];  // states_ moves while it grows
    bool keep = keeps_arcs_ && first_time(number);
    StateId hint = kNone;  // edges come in runs to the same state
    auto follow_one = [&](const Edge& edge) {
      auto [to, better] = follow(number, edge, hint, keep);
      if (better && nodes_[to].bound != kWorst) reached(to);
    };
    if constexpr (CoversTiles<U>)
      if (floor_ != kWorst) return unfold_above(floor_ - nodes_[number].score, from, follow_one);
    unfolding_.successors(from, follow_one);
  }

  /// Follows one edge: the node it ends in, and whether the path there is a new or a better one. None where the
  /// limits forbid it. `hint`: the number of a state that is probably where it leads; then that of where it did.
  std::pair<NodeId, bool> follow(NodeId number, const Edge& edge, StateId& hint, bool keep_arc) {
    return follow(number, edge, scorer_.extend(nodes_[number].context, edge.phrase), hint, keep_arc);
  }

  /// The same where the language models' score of the edge is known.
  std::pair<NodeId, bool> follow(NodeId number, const Edge& edge, Scorer::Step step, StateId& hint, bool keep_arc) {
    const Node& from = nodes_[number];
    ++edges_;
    double score = edge.score + step.score;
    if (unfolding_.is_final(edge.to)) score += scorer_.finish(step.next);
    if (hint == kNone || !(states_[hint] == edge.to)) hint = intern(edge.to);
    auto [to, better] = reach(edge, hint, number, from.score + score, step.next,
                              from.length + edge.word_count, from.bytes + edge.bytes);
    if (to == kNone) return {kNone, false};
    if (keep_arc && nodes_[to].bound != kWorst) arcs_.push_back({number, to, edge.phrase, edge.label, score});
    return {to, better};
  }
  bool keeps_arcs() const { return keeps_arcs_; }

  /// Labels of the best path to a node, from the start.
  std::vector<std::uint32_t> labels_to(NodeId node) const {
    std::vector<std::uint32_t> labels;
    for (; nodes_[node].parent != kNone; node = nodes_[node].parent) labels.push_back(nodes_[node].label);
    std::reverse(labels.begin(), labels.end());
    return labels;
  }

 private:
  static constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

  bool limited() const { return max_words_ != kNoLimit || max_bytes_ != kNoLimit; }

  bool fits(const State& state, std::uint64_t length, std::uint64_t bytes) const {
    auto least = unfolding_.shortest(state);
    return length + least.words <= max_words_ && bytes + least.bytes <= max_bytes_;
  }

  /// The number of a state; equal states have equal numbers.
  StateId intern(const State& state) {
    const std::uint64_t hash = U::hash(state);
    std::size_t i = state_slot(hash);
    while (state_slots_[i] != kNone) {
      if (states_[state_slots_[i]] == state) return state_slots_[i];
      i = (i + 1) & (state_slots_.size() - 1);
    }
    auto number = static_cast<StateId>(states_.size());
    states_.push_back(state);
    state_hashes_.push_back(hash);
    state_slots_[i] = number;
    if (states_.size() * 2 >= state_slots_.size()) grow_state_slots();
    return number;
  }

  /// The node with its best path, and whether that is a new one; none when the limits forbid it.
  std::pair<NodeId, bool> reach(const Edge& edge, StateId state, NodeId parent, double score, ContextId context,
                                std::uint32_t length, std::uint32_t bytes) {
    if (limited() && !fits(edge.to, length, bytes)) return {kNone, false};
    assert(!std::isnan(score));
    bool is_goal = unfolding_.is_final(edge.to);
    NodeId number = is_goal ? goal_ : find(state, context, length, bytes);
    if (number == kNone) {
      Scorer::Outlook outlook = is_goal ? Scorer::Outlook{0, 0} : outlook_(edge.to, arrival(edge, parent, context));
      assert(!std::isnan(outlook.estimate) && !std::isnan(outlook.bound));
      return {insert({score, outlook.estimate, outlook.bound, state, context, parent, edge.label, length, bytes,
                      is_goal}),
              true};
    }
    Node& node = nodes_[number];
    if (node.score >= score) return {number, false};
    node.score = score;
    node.parent = parent;
    node.label = edge.label;
    node.length = length;
    node.bytes = bytes;
    return {number, true};
  }

  Arrival arrival(const Edge& edge, NodeId parent, ContextId context) const {
    if (parent == kNone) return {context, Arrival::kNone, Arrival::kNone};
    bool first = nodes_[parent].parent == kNone;
    return {context, edge.label, first ? Arrival::kNone : nodes_[parent].label};
  }

  bool first_time(NodeId number) {
    if (unfolded_.size() < nodes_.size()) unfolded_.resize(nodes_.capacity());
    if (unfolded_[number]) return false;
    return unfolded_[number] = true;
  }

  /// Of a state's edges those that can gain `least` or more, with all that may follow.
  template <class Follow>
  void unfold_above(double least, const State& from, Follow&& follow_one) {
    unfolding_.for_each_span(U::covered(from), [&](const auto& options, const auto& to, double movement) {
      const double rest = movement + outlook_(unfolding_.moved(from, to), Arrival{}).bound;
      for (const auto& option : options) {
        if (rest + option.rest_bound < least) return;
        if (rest + option.bound < least) continue;
        if (auto edge = unfolding_.edge(from, option, to, movement)) follow_one(*edge);
      }
    });
  }

  /// What tells apart paths to the same state and context.
  std::uint64_t used(std::uint32_t length, std::uint32_t bytes) const {
    return (max_words_ != kNoLimit ? std::uint64_t{length} << 32 : 0) | (max_bytes_ != kNoLimit ? bytes : 0);
  }

  NodeId find(StateId state, ContextId context, std::uint32_t length, std::uint32_t bytes) const {
    std::uint64_t own = used(length, bytes);
    std::size_t i = slot(state, context, own);
    while (slots_[i] != kNone) {
      const Node& node = nodes_[slots_[i]];
      if (node.context == context && node.state == state && used(node.length, node.bytes) == own) return slots_[i];
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
    const Node& node = nodes_[number];
    std::size_t i = slot(node.state, node.context, used(node.length, node.bytes));
    while (slots_[i] != kNone) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = number;
  }

  std::size_t slot(StateId state, ContextId context, std::uint64_t own) const {
    return mix((std::uint64_t{state} << 32 | context) + own * 0x9e3779b97f4a7c15ULL) & (slots_.size() - 1);
  }

  std::size_t state_slot(std::uint64_t hash) const { return mix(hash) & (state_slots_.size() - 1); }

  void grow_state_slots() {
    state_slots_.assign(state_slots_.size() * 2, kNone);
    for (StateId state = 0; state < states_.size(); ++state) {
      std::size_t i = state_slot(state_hashes_[state]);
      while (state_slots_[i] != kNone) i = (i + 1) & (state_slots_.size() - 1);
      state_slots_[i] = state;
    }
  }

  const U& unfolding_;
  Scorer& scorer_;
  Outlook& outlook_;
  double floor_;
  bool keeps_arcs_;
  std::uint64_t max_words_, max_bytes_;
  std::vector<Node> nodes_;
  std::vector<Arc> arcs_;
  std::vector<bool> unfolded_;  // by node, where arcs are kept
  std::vector<NodeId> slots_ = std::vector<NodeId>(256, kNone);
  std::vector<State> states_;
  std::vector<std::uint64_t> state_hashes_;
  std::vector<StateId> state_slots_ = std::vector<StateId>(256, kNone);
  NodeId goal_ = kNone;
  std::size_t edges_ = 0;
};

}  // namespace widl
