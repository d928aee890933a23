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

#include "search/budget.hpp"
#include "search/hash_table.hpp"
#include "search/options.hpp"
#include "search/scorer.hpp"

namespace widl {

/// The interface of an acceptor that is unfolded on demand.
template <class U>
concept Unfolding = requires(const U& unfolding, const typename U::State& state) {
  { unfolding.initial() } -> std::same_as<typename U::State>;
  { unfolding.is_final(state) } -> std::same_as<bool>;
  { U::hash(state) } -> std::same_as<std::uint64_t>;
  unfolding.successors(state, [](const typename U::Edge&) {});
  unfolding.shortest(state);  // words and bytes of the shortest completion
};

/// The interface that stack decoding needs in addition: how many source positions a state has realized, of how many.
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
/// different lengths stay apart, and nothing is reached that can't be completed within them. `Estimator`
/// maps an unfolding state and its arrival to the estimate and the bound of its completion.
template <Unfolding U, class Estimator>
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

  SearchGraph(const U& unfolding, Scorer& scorer, Estimator& estimator, const SearchOptions& options, Budget& budget)
      : unfolding_(unfolding),
        scorer_(scorer),
        estimator_(estimator),
        budget_(budget),
        edge_work_(work_of_edge(unfolding)),
        floor_(options.floor),
        keeps_arcs_(options.nbest > 1 || options.trace > 0 || options.lattice),
        max_words_(options.max_words ? options.max_words : kNoLimit),
        max_bytes_(options.max_bytes ? std::uint64_t{options.max_bytes} + 1 : kNoLimit) {
    const Budget::Grace grace(budget_);
    account_.take(2 * kFirstSlots * sizeof(NodeId));
    Edge edge{};
    edge.to = unfolding_.initial();
    edge.label = Arrival::kNone;
    reach(edge, intern(edge.to), kNone, 0.0, scorer_.start(), 0, 0);
  }

  const Node& operator[](NodeId node) const { return nodes_[node]; }
  std::size_t size() const { return nodes_.size(); }
  NodeId root() const { return 0; }
  /// Whether any derivation fits the limits.
  bool empty() const { return nodes_.empty(); }
  NodeId goal() const { return goal_; }
  std::size_t edges() const { return edges_; }

  std::span<const Arc> arcs() const { return arcs_; }
  /// Whether successors were made of the node; known only where arcs are kept.
  bool is_unfolded(NodeId node) const { return node < unfolded_.size() && unfolded_[node]; }
  const Scorer& scorer() const { return scorer_; }
  const State& state(StateId state) const { return states_[state]; }

  /// Follows all edges out of a node; calls reached(node) for each target that is new or now has a
  /// better path, dead ends aside. @throws OutOfBudget between two edges
  template <class Reached>
  void unfold(NodeId number, Reached&& reached) {
    const State from = states_[nodes_[number].state];  // states_ moves while it grows
    // Where it was interrupted before, the arcs of the first edges are there.
    const std::size_t old_arcs = keeps_arcs_ ? arcs_known(number) : kAll;
    std::size_t followed = 0;
    StateId hint = kNone;  // edges come in runs to the same state
    auto follow_one = [&](const Edge& edge) {
      auto [to, better] = follow(number, edge, hint, followed >= old_arcs);
      ++followed;
      if (better && nodes_[to].bound != kWorst) reached(to);
    };
    try {
      budget_.work(edge_work_);  // it may have no edges
      if constexpr (CoversTiles<U>)
        if (floor_ != kWorst) return unfold_above(floor_ - nodes_[number].score, from, follow_one);
      unfolding_.successors(from, follow_one);
    } catch (const OutOfBudget&) {
      if (old_arcs != kAll) interrupted_.push_back({number, std::max(followed, old_arcs)});
      throw;
    }
  }

  /// Follows one edge: the node it ends in, and whether the path there is a new or a better one. None where the
  /// limits forbid it. `hint`: the number of a state that is probably where it leads; then that of where it did.
  std::pair<NodeId, bool> follow(NodeId number, const Edge& edge, StateId& hint, bool keep_arc) {
    return follow(number, edge, scorer_.extend(nodes_[number].context, edge.phrase), hint, keep_arc);
  }

  /// The same where the language models' score of the edge is known.
  std::pair<NodeId, bool> follow(NodeId number, const Edge& edge, Scorer::Step step, StateId& hint, bool keep_arc) {
    if (++edges_ % kEdgesCounted == 0) [[unlikely]] count_edges();
    if (keep_arc) make_room(arcs_, account_);
    const Node& from = nodes_[number];
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
  /// Tells the budget what the scorer has remembered. @throws OutOfBudget
  void count_scorer() {
    budget_.set_doubling(scorer_.memory());
    if (keeps_arcs_) budget_.reserve(kWorkPerArc * arcs_.size(), kBytesPerArc * arcs_.size() + kBytesPerNode * nodes_.size());
  }

  /// Labels of the best path to a node, from the start.
  std::vector<std::uint32_t> labels_to(NodeId node) const {
    std::vector<std::uint32_t> labels;
    for (; nodes_[node].parent != kNone; node = nodes_[node].parent) labels.push_back(nodes_[node].label);
    std::reverse(labels.begin(), labels.end());
    return labels;
  }

 private:
  static constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
  static constexpr std::size_t kAll = ~std::size_t{0};
  // What ranking or pruning takes at the end (PathRanking, GraphPruning).
  static constexpr std::size_t kWorkPerArc = 20, kBytesPerArc = 32, kBytesPerNode = 48;
  static constexpr std::size_t kWorkToPlace = 6;  // a state or node in a larger table
  static constexpr std::size_t kEdgesCounted = 16, kFirstSlots = 256;

  [[gnu::noinline]] void count_edges() {
    budget_.work(kEdgesCounted * edge_work_);
    if (edges_ % (4 * kEdgesCounted) == 0) count_scorer();
  }

  static std::size_t work_of_edge(const U& unfolding) {
    if constexpr (requires { unfolding.edge_work(); }) return unfolding.edge_work();
    return 10;
  }

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
    make_room(states_, account_);
    make_room(state_hashes_, account_);
    if ((states_.size() + 1) * 2 >= state_slots_.size()) {
      grow_state_slots();
      i = state_slot(hash);
      while (state_slots_[i] != kNone) i = (i + 1) & (state_slots_.size() - 1);
    }
    states_.push_back(state);
    state_hashes_.push_back(hash);
    state_slots_[i] = number;
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
      Scorer::ScoreEstimate completion{0, 0};
      if (!is_goal) completion = estimator_(edge.to, arrival(edge, parent, context));
      assert(!std::isnan(completion.estimate) && !std::isnan(completion.bound));
      return {insert({score, completion.estimate, completion.bound, state, context, parent, edge.label, length, bytes,
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

  /// A node that was unfolded in part: the arcs of so many edges are there.
  struct Interrupted {
    NodeId node;
    std::size_t edges;
  };

  /// Of how many of the node's edges arcs are there; it is about to be unfolded.
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

  /// Of a state's edges those that can gain `least` or more, with all that may follow.
  template <class Follow>
  void unfold_above(double least, const State& from, Follow&& follow_one) {
    unfolding_.for_each_span(U::covered(from), [&](const auto& options, const auto& to, double movement) {
      budget_.work(1 + options.size() / 8);
      const double rest = movement + estimator_(unfolding_.moved(from, to), Arrival{}).bound;
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
    make_room(nodes_, account_);
    if (!node.is_goal && (nodes_.size() + 1) * 2 >= slots_.size()) grow_slots();
    nodes_.push_back(node);
    if (node.is_goal) return goal_ = number;
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

  [[gnu::noinline, gnu::cold]] void grow_slots() {
    budget_.afford(kWorkToPlace * nodes_.size());
    double_table(slots_, kNone, account_);
    for (NodeId n = 0; n < nodes_.size(); ++n)
      if (!nodes_[n].is_goal) place(n);
  }

  std::size_t state_slot(std::uint64_t hash) const { return mix(hash) & (state_slots_.size() - 1); }

  [[gnu::noinline, gnu::cold]] void grow_state_slots() {
    budget_.afford(kWorkToPlace * states_.size());
    double_table(state_slots_, kNone, account_);
    for (StateId state = 0; state < states_.size(); ++state) {
      std::size_t i = state_slot(state_hashes_[state]);
      while (state_slots_[i] != kNone) i = (i + 1) & (state_slots_.size() - 1);
      state_slots_[i] = state;
    }
  }

  const U& unfolding_;
  Scorer& scorer_;
  Estimator& estimator_;
  Budget& budget_;
  std::size_t edge_work_;
  double floor_;
  bool keeps_arcs_;
  std::uint64_t max_words_, max_bytes_;
  Account account_{budget_};
  std::vector<Node> nodes_;
  std::vector<Arc> arcs_;
  Counted<bool> unfolded_{budget_};  // by node, where arcs are kept
  std::vector<NodeId> slots_ = std::vector<NodeId>(kFirstSlots, kNone);
  std::vector<State> states_;
  std::vector<std::uint64_t> state_hashes_;
  std::vector<StateId> state_slots_ = std::vector<StateId>(kFirstSlots, kNone);
  NodeId goal_ = kNone;
  std::vector<Interrupted> interrupted_;  // where arcs are kept; few, as they are the last before the end
  std::size_t edges_ = 0;
};

}  // namespace widl
