#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "function_ref.hpp"
#include "log_zero.hpp"
#include "search/coverage.hpp"
#include "search/cut.hpp"
#include "search/graph_model.hpp"
#include "search/realization.hpp"
#include "search/unfolding.hpp"

namespace widl {

/// The acceptor of a WIDL-graph, unfolded on demand. A state is a cut; a step follows one edge of one automaton.
///
///   score of a step = score of the edge  +  choices made by entering it  +  movement  +  ln δ of an interleave that it completes
///
/// For ∥uniform(a, b · c), bit 0 of a cut is the vertex of a (0 the entry, 1 the exit), bits 1 and 2 are the vertex of
/// b · c (0 the entry, 2 between the words, 1 the exit). The derivation b a c passes the cuts
///
///   000  -- b: 0 -->  100  -- a: 0 -->  101  -- c: -ln 3 -->  011,
///
/// because the last step completes the interleave, which has 3!/2! = 3 orders. (worked_examples_test.cpp repeats it.)
///
/// `movers` finds the vertices that may go on, from the root down; `advance` carries a step up to the root; `rest` sums
/// up what must still follow. While an automaton is strictly inside a lock, only steps inside the lock are made. Equal
/// arguments of a uniform interleave begin in order, because other orders give the same strings and scores.
template <std::size_t Words>
class GraphUnfolding {
 public:
  using State = Cut<Words>;
  using NodeId = WidlGraph::NodeId;
  using Edge = UnfoldedEdge<State>;
  using Option = StepOption;

  /// `twins`: whether equal arguments begin in any order, so that every derivation counts.
  explicit GraphUnfolding(const GraphModel& model, bool twins = false)
      : model_(&model),
        twins_(twins),
        graph_(&model.graph()),
        cuts_(model.graph()),
        length_(static_cast<std::uint32_t>(model.steps().nodes[graph_->root()].most)) {}

  State initial() const { return {}; }
  bool is_final(const State& state) const { return cuts_.is_after(graph_->root(), state); }
  bool is_complete(const State& state) const { return is_final(state); }
  static const State& covered(const State& state) { return state; }
  static const State& moved(const State&, const State& to) { return to; }
  /// Maximum number of edges of a derivation, minus the most edges that can still follow.
  std::uint32_t progress(const State& state) const {
    return length_ - static_cast<std::uint32_t>(std::max<std::int64_t>(0, rest(state, model_->steps()).most));
  }
  std::uint32_t length() const { return length_; }
  static std::uint64_t hash(const State& state) { return state.hash(); }
  const GraphModel& model() const { return *model_; }
  const CutLayout<Words>& cuts() const { return cuts_; }

  /// Work of making an edge, in ticks of a Budget.
  std::size_t edge_work() const { return 10 + graph_->nodes().size() / 16; }
  /// Bytes of the tables made from the graph.
  std::size_t memory() const { return cuts_.memory(); }

  /// Calls visit(edge) for every possible next edge.
  template <class Visit>
  void successors(const State& state, Visit&& visit) const {
    movers(graph_->root(), state, [&](const WidlGraph::Vertex& vertex) {
      for (const WidlGraph::Edge& edge : graph_->edges(vertex))
        if (const auto taken = step(state, graph_->number_of(edge))) visit(*taken);
    });
  }

  /// Calls visit(number) for every edge of the graph that may come next: all edges that `successors` visits, and also
  /// edges whose choices are impossible. Much cheaper.
  void moves(const State& state, FunctionRef<void(std::uint32_t)> visit) const {
    movers(graph_->root(), state, [&](const WidlGraph::Vertex& vertex) {
      for (const WidlGraph::Edge& edge : graph_->edges(vertex)) visit(graph_->number_of(edge));
    });
  }

  /// Calls visit(options, next state, score of the choices) for edges that lead to the same state.
  template <class Visit>
  void for_each_step(const State& state, Visit&& visit) const {
    movers(graph_->root(), state, [&](const WidlGraph::Vertex& vertex) {
      model_->for_each_run(vertex, [&](std::span<const StepOption> options) {
        WeightedChoices sum{model_, 0};
        const State to = advance(state, graph_->edges()[options.front().label], sum);
        if (sum.score != kLogZero) visit(options, to, sum.score);
      });
    });
  }
  std::optional<Edge> edge(const State&, const StepOption& option, const State& to, double step_score) const {
    if (option.score == kLogZero) return {};
    return edge_of(option, to, step_score);
  }
  /// An edge of the graph that may come next, if its choices are possible.
  std::optional<Edge> step(const State& state, std::uint32_t number) const {
    const StepOption& option = model_->option(number);
    WeightedChoices sum{model_, option.score};
    const State to = advance(state, graph_->edges()[number], sum);
    if (sum.score == kLogZero) return {};
    return Edge{to, option.phrase, sum.score, number, option.word_count, option.bytes};
  }
  /// Adds the features of a step, except language models, words and phrases.
  void add_features(const State& state, std::uint32_t number, const FeatureLayout& layout,
                    std::span<double> row) const {
    FeaturesOfChoices sum{graph_, row.first(layout.components), 0};
    const WidlGraph::Edge& edge = graph_->edges()[number];
    if (edge.logs != WidlGraph::kNone) sum.row(edge.logs);
    advance(state, edge, sum);
    row[layout.distortion()] += sum.moved;
  }
  const StepOption& option(std::uint32_t number) const { return model_->option(number); }
  /// Position of an edge's first word in the expression as written.
  std::uint32_t position(std::uint32_t number) const { return graph_->edges()[number].position; }
  RealizedPhrase phrase(std::uint32_t number) const {
    const WidlGraph::Edge& edge = graph_->edges()[number];
    return {edge.position, edge.position + edge.word_count, edge.word_count, number};
  }
  std::uint32_t phrases_of(std::uint32_t number) const { return graph_->edges()[number].phrases; }

  /// The state after an edge. `sink` receives the choices made: row(logs), movement(ln a^d), closing(interleave,
  /// memory, units), where units(k) is the number of units of argument k.
  template <class Sink>
  State advance(const State& from, const WidlGraph::Edge& edge, Sink& sink) const {
    State to = from;
    NodeId n = edge.node;
    const WidlGraph::Node* node = &graph_->node(n);
    to.set(node->bits, edge.to);
    Move move{from.get(node->bits) == 0, edge.to == 1, edge.units};
    while (true) {
      if (move.begins && node->entry_logs != WidlGraph::kNone) sink.row(node->entry_logs);
      if (node->locked) move.units = move.begins ? 1 : 0;
      if (node->parent == WidlGraph::kNone) return to;
      n = node->parent;
      const WidlGraph::Node& child = *node;
      node = &graph_->node(n);
      const bool begins = !from.touches(cuts_.mask(n));
      if (node->kind == WidlGraph::NodeKind::interleave) {
        follow_interleave(n, child.number, move, from, to, sink);
        move.ends = cuts_.is_after(n, to);
      } else if (node->kind == WidlGraph::NodeKind::tiles) {
        follow_tiles(n, child.number, move, to, sink);
      } else {
        follow_turn(n, child.number, move, to);
      }
      move.begins = begins;
    }
  }

  /// Bound of completing the state, from the tables.
  template <class Value>
  Value rest(const State& state, const RestTables<Value>& tables) const {
    return rest(graph_->root(), state, tables);
  }
  /// Bounds and estimates from words without outer context.
  ScoreEstimate completion(const State& state) const { return rest(state, model_->estimates()) + model_->finish(); }
  Extent shortest(const State& state) const { return rest(state, model_->extents()); }

  /// Whether the graph is flat: one interleave of words, phrases, and choices of these.
  bool is_flat() const {
    return graph_->node(graph_->root()).kind == NodeKind::interleave && !cuts_.has_longer_children(graph_->root());
  }
  /// Flat graphs only: calls visit(edges) for each remaining argument.
  void for_each_open_step(const State& state, FunctionRef<void(std::span<const WidlGraph::Edge>)> visit) const {
    const NodeId root = graph_->root();
    for (std::size_t w = 0; w < Words; ++w)
      for (std::uint64_t open = cuts_.open_steps(root, state, w); open; open &= open - 1) {
        NodeId child = cuts_.step_at(root, w, open);
        visit(graph_->edges(graph_->vertex(graph_->node(child), 0)));
      }
  }
  /// Flat graphs only: the best score of beginning the interleave, unless it has begun, and of ending it.
  double flat_frame(const State& state) const {
    const Node& root = graph_->node(graph_->root());
    const bool begins = root.entry_logs != WidlGraph::kNone && cuts_.is_before(graph_->root(), state);
    const double entry = begins ? model_->row_score(root.entry_logs) : 0;
    const auto& closings = model_->estimates().closings[root.interleave];
    if (closings.empty()) return entry;
    const WidlGraph::Interleave& interleave = graph_->interleave(root);
    return entry + closings[interleave.trie.empty() ? 0 : state.get(interleave.memory)].bound;
  }

 private:
  using Node = WidlGraph::Node;
  using NodeKind = WidlGraph::NodeKind;

  struct Move {
    bool begins, ends;
    std::uint32_t units;
  };
  /// Calls visit(vertex) for vertices of automata at or below n whose edges may be followed.
  void movers(NodeId n, const State& state, FunctionRef<void(const WidlGraph::Vertex&)> visit) const {
    const Node& node = graph_->node(n);
    auto children = graph_->children(node);
    std::uint64_t position = state.get(node.bits);
    switch (node.kind) {
      case NodeKind::automaton:
        return visit(graph_->vertex(node, static_cast<std::uint32_t>(position)));
      case NodeKind::sequence:
        if (position != node.after) movers(children[position == 0 ? 0 : position - 1], state, visit);
        return;
      case NodeKind::choice:
        if (position == node.after) return;
        if (position != 0) return movers(children[position - 1], state, visit);
        for (NodeId child : children) movers(child, state, visit);
        return;
      case NodeKind::interleave:
        return movers_of_interleave(n, state, visit);
      case NodeKind::tiles: {
        if (position != 0) return movers(children[position - 1], state, visit);
        const WidlGraph::TilesNode& tiles = graph_->tiles(node);
        const Coverage covered = coverage(tiles, state);
        for (std::uint32_t k = 0; k < children.size(); ++k)
          if (const auto [begin, end] = tiles.span(k); covered.is_free(begin, end)) movers(children[k], state, visit);
        return;
      }
    }
  }

  void movers_of_interleave(NodeId n, const State& state, FunctionRef<void(const WidlGraph::Vertex&)> visit) const {
    const Node& node = graph_->node(n);
    auto children = graph_->children(node);
    const WidlGraph::Interleave& interleave = graph_->interleave(node);
    if (node.has_lock || interleave.contiguous)
      for (NodeId child : children) {
        bool alone = interleave.contiguous ? !cuts_.is_before(child, state) && !cuts_.is_after(child, state)
                                           : inside_lock(child, state);
        if (alone) return movers(child, state, visit);
      }
    auto twin_waits = [&](std::uint32_t k) {
      return !twins_ && !interleave.twin.empty() && interleave.twin[k] != WidlGraph::kNone &&
             cuts_.is_before(children[interleave.twin[k]], state);
    };
    for (std::size_t w = 0; w < Words; ++w)
      for (std::uint64_t rest = cuts_.open_steps(n, state, w); rest; rest &= rest - 1) {
        NodeId child = cuts_.step_at(n, w, rest);
        const Node& automaton = graph_->node(child);
        if (twin_waits(automaton.number)) continue;
        visit(graph_->vertex(automaton, 0));
      }
    if (!cuts_.has_longer_children(n)) return;
    for (NodeId child : children) {
      if (cuts_.is_step(child)) continue;
      if (cuts_.is_before(child, state) && twin_waits(graph_->node(child).number)) continue;
      if (!cuts_.is_after(child, state)) movers(child, state, visit);
    }
  }

  bool inside_lock(NodeId n, const State& state) const {
    const Node& node = graph_->node(n);
    if (!node.has_lock || cuts_.is_before(n, state) || cuts_.is_after(n, state)) return false;
    if (node.locked) return true;
    auto children = graph_->children(node);
    auto position = static_cast<std::uint32_t>(state.get(node.bits));
    switch (node.kind) {
      case NodeKind::automaton:
        return graph_->vertex(node, position).locked;
      case NodeKind::sequence:
      case NodeKind::choice:
        return inside_lock(children[position - 1], state);
      case NodeKind::tiles:
        return position != 0 && inside_lock(children[position - 1], state);
      case NodeKind::interleave:
        break;
    }
    for (NodeId child : children)
      if (inside_lock(child, state)) return true;
    return false;
  }

  /// Child k of a sequence or choice has moved.
  void follow_turn(NodeId n, std::uint32_t k, Move& move, State& to) const {
    const Node& node = graph_->node(n);
    std::uint64_t position = k + 1;
    if (move.ends) {
      to.remove(cuts_.mask(n));
      bool last = node.kind == NodeKind::choice || k + 1 == node.child_count;
      position = last ? node.after : k + 2;
      move.ends = last;
    }
    to.set(node.bits, position);
  }

  static Coverage coverage(const WidlGraph::TilesNode& tiles, const State& state) {
    return Coverage::of(state.get(tiles.coverage), static_cast<std::uint32_t>(state.get(tiles.last_end)));
  }

  /// Tile k has moved.
  template <class Sink>
  void follow_tiles(NodeId n, std::uint32_t k, Move& move, State& to, Sink& sink) const {
    const Node& node = graph_->node(n);
    const WidlGraph::TilesNode& tiles = graph_->tiles(node);
    const auto [begin, end] = tiles.span(k);
    const Coverage covered = coverage(tiles, to);
    if (const std::uint32_t distance = covered.jump_to(begin); move.begins && distance)
      sink.movement(distance * std::log(tiles.expression->movement_base()));
    to.set(node.bits, k + 1);
    if (move.begins) to.set(tiles.last_end, end);  // its begin is no longer needed
    if (!move.ends) return;
    to.remove(cuts_.mask(graph_->children(node)[k]));
    to.set(node.bits, 0);
    const Coverage after = covered.with(begin, end);
    to.set(tiles.coverage, after.realized());
    move.ends = after.base == tiles.expression->length();
    to.set(tiles.last_end, move.ends ? 0 : after.last_end);
  }

  /// Child k of an interleave has moved: this changes the memory of δ and, at the end, adds its score.
  template <class Sink>
  void follow_interleave(NodeId n, std::uint32_t k, const Move& move, const State& from, State& to, Sink& sink) const {
    const Node& node = graph_->node(n);
    const WidlGraph::Interleave& interleave = graph_->interleave(node);
    auto memory = static_cast<std::uint32_t>(to.get(interleave.memory));
    if (interleave.delta->form == InterleaveDistribution::Form::movement) {
      if (move.begins) {
        std::uint32_t distance = k > memory ? k - memory : memory - k;
        if (distance) sink.movement(distance * std::log(interleave.delta->movement_base));
        memory = k + 1;
      }
    } else if (!interleave.trie.empty() && memory != interleave.mixed()) {
      if (cuts_.another_is_begun(node, k, from)) {
        memory = interleave.mixed();
      } else if (move.begins && memory != interleave.off()) {
        std::uint32_t next = interleave.trie[memory].next[k];
        memory = next == WidlGraph::kNone ? interleave.off() : next;
      }
    }
    to.set(interleave.memory, memory);
    if (interleave.counts_units && interleave.units[k].width)
      to.set(interleave.units[k], to.get(interleave.units[k]) + move.units);
    if (!move.ends || !cuts_.children_are_after(n, to)) return;
    sink.closing(node.interleave, memory, [&](std::size_t argument) {
      return interleave.units[argument].width ? to.get(interleave.units[argument]) : interleave.min_units[argument];
    });
    to.set(interleave.memory, 0);
    if (interleave.counts_units)
      for (WidlGraph::Field field : interleave.units) to.set(field, 0);
  }

  template <class Value>
  Value rest(NodeId n, const State& state, const RestTables<Value>& tables) const {
    if (cuts_.is_before(n, state)) return tables.nodes[n];
    const Node& node = graph_->node(n);
    auto children = graph_->children(node);
    std::uint64_t position = state.get(node.bits);
    switch (node.kind) {
      case NodeKind::automaton:
        return tables.vertices[node.first_vertex + position];
      case NodeKind::sequence:
        if (position == node.after) return {};
        return rest(children[position - 1], state, tables) + tables.later[children[position - 1]];
      case NodeKind::choice:
        return position == node.after ? Value{} : rest(children[position - 1], state, tables);
      case NodeKind::tiles:
        return rest_of_tiles(n, state, tables);
      case NodeKind::interleave:
        break;
    }
    if (cuts_.is_after(n, state)) return {};
    Value sum{};
    for (std::size_t w = 0; w < Words; ++w)
      for (std::uint64_t open = cuts_.open_steps(n, state, w); open; open &= open - 1)
        sum = sum + tables.nodes[cuts_.step_at(n, w, open)];
    if (cuts_.has_longer_children(n))
      for (NodeId child : children)
        if (!cuts_.is_step(child)) sum = sum + rest(child, state, tables);
    const auto& closings = tables.closings[node.interleave];
    if (closings.empty()) return sum;
    const WidlGraph::Interleave& interleave = graph_->interleave(node);
    return sum + closings[interleave.trie.empty() ? 0 : state.get(interleave.memory)];
  }

  template <class Value>
  Value rest_of_tiles(NodeId n, const State& state, const RestTables<Value>& tables) const {
    if (cuts_.is_after(n, state)) return {};
    const Node& node = graph_->node(n);
    const WidlGraph::TilesNode& tiles = graph_->tiles(node);
    const std::uint32_t length = tiles.expression->length();
    Value sum = tables.movements[node.tiles];
    Coverage covered = coverage(tiles, state);
    if (auto position = static_cast<std::uint32_t>(state.get(node.bits))) {
      sum = sum + rest(graph_->children(node)[position - 1], state, tables);
      const auto [begin, end] = tiles.span(position - 1);
      covered = covered.with(begin, end);
    }
    const auto add = [&](std::uint32_t begin, std::uint32_t end) {
      sum = sum + tables.gaps[node.tiles][begin * (length + 1) + end];
    };
    const std::uint32_t open = covered.for_each_gap(add);
    if (open < length) add(open, length);
    return sum;
  }

  const GraphModel* model_;
  bool twins_;
  const WidlGraph* graph_;
  CutLayout<Words> cuts_;
  std::uint32_t length_;
};

}  // namespace widl
