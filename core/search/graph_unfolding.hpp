#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "search/edge.hpp"
#include "search/graph_model.hpp"
#include "search/hash_table.hpp"

namespace widl {

/// Which vertices of a WIDL-graph are reached together, as its bits.
template <std::size_t Words>
struct Cut {
  std::array<std::uint64_t, Words> bits{};

  bool operator==(const Cut&) const = default;

  std::uint64_t get(WidlGraph::Field field) const {
    if (field.width == 0) return 0;
    return bits[field.offset / 64] >> (field.offset % 64) & ones(field.width);
  }
  void set(WidlGraph::Field field, std::uint64_t value) {
    if (field.width == 0) return;
    std::uint64_t& word = bits[field.offset / 64];
    word = (word & ~(ones(field.width) << (field.offset % 64))) | value << (field.offset % 64);
  }
  /// The bits of `mask` only.
  Cut within(const Cut& mask) const {
    Cut part;
    for (std::size_t w = 0; w < Words; ++w) part.bits[w] = bits[w] & mask.bits[w];
    return part;
  }
  bool touches(const Cut& mask) const {
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < Words; ++w) any |= bits[w] & mask.bits[w];
    return any != 0;
  }
  void add(const Cut& other) {
    for (std::size_t w = 0; w < Words; ++w) bits[w] |= other.bits[w];
  }
  void remove(const Cut& mask) {
    for (std::size_t w = 0; w < Words; ++w) bits[w] &= ~mask.bits[w];
  }
  std::uint64_t hash() const {
    std::uint64_t h = 0x9e3779b97f4a7c15ULL;
    for (std::uint64_t word : bits) h = mix(h ^ word);
    return h;
  }

 private:
  static std::uint64_t ones(std::uint32_t width) { return ~std::uint64_t{0} >> (64 - width); }
};

/// The acceptor of a WIDL-graph, unfolded on demand (design: "Unfolding"): a step follows one edge of one
/// automaton. While an automaton is strictly inside a lock, only steps inside of it are made; equal arguments of
/// a uniform interleave begin in their order, as the others give the same strings and scores.
template <std::size_t Words>
class GraphUnfolding {
 public:
  using State = Cut<Words>;
  using NodeId = WidlGraph::NodeId;
  using Edge = UnfoldedEdge<State>;

  explicit GraphUnfolding(const GraphModel& model)
      : model_(&model), graph_(&model.graph()), mask_(graph_->nodes().size()), after_(graph_->nodes().size()),
        steps_(graph_->nodes().size()), step_of_bit_(graph_->nodes().size()),
        others_(graph_->nodes().size()) {
    for (auto n = static_cast<NodeId>(graph_->nodes().size()); n-- > 0;) describe(n);
  }

  State initial() const { return {}; }
  bool is_final(const State& state) const { return is_after(graph_->root(), state); }
  static std::uint64_t hash(const State& state) { return state.hash(); }
  const GraphModel& model() const { return *model_; }
  const State& mask(NodeId n) const { return mask_[n]; }

  /// Work of making an edge, in units of a Budget.
  std::size_t edge_work() const { return 10 + graph_->nodes().size() / 16; }
  /// Bytes of the tables made from the graph.
  std::size_t memory() const {
    std::size_t steps = 0;
    for (const auto& one : step_of_bit_) steps += one.capacity() * sizeof(NodeId);
    return 3 * mask_.capacity() * sizeof(State) + step_of_bit_.capacity() * sizeof(step_of_bit_[0]) + steps;
  }

  /// Calls visit(edge) for every edge that may come next.
  template <class Visit>
  void successors(const State& state, Visit&& visit) const {
    movers(graph_->root(), state, [&](const WidlGraph::Edge& edge) { make_edge(state, edge, visit); });
  }

  /// Calls visit(number) for every edge of the graph that may come next: all that `successors` visits, and those whose
  /// choices are impossible. Much cheaper.
  template <class Visit>
  void moves(const State& state, Visit&& visit) const {
    movers(graph_->root(), state, [&](const WidlGraph::Edge& edge) { visit(graph_->number_of(edge)); });
  }
  /// One of these edges, if it is possible.
  std::optional<Edge> edge(const State& state, std::uint32_t number) const {
    std::optional<Edge> made;
    make_edge(state, graph_->edges()[number], [&](const Edge& edge) { made = edge; });
    return made;
  }

  /// The state after an edge. `sink` is told of the choices made: row(logs), movement(ln a^d),
  /// closing(interleave, memory, units), units(k) being those of argument k.
  template <class Sink>
  State advance(const State& from, const WidlGraph::Edge& edge, Sink& sink) const {
    State to = from;
    NodeId n = edge.node;
    const WidlGraph::Node* node = &graph_->node(n);
    to.set(node->place, edge.to);
    Move move{from.get(node->place) == 0, edge.to == 1, edge.units};
    while (true) {
      if (move.begins && node->entry_logs != WidlGraph::kNone) sink.row(node->entry_logs);
      if (node->locked) move.units = move.begins ? 1 : 0;
      if (node->parent == WidlGraph::kNone) return to;
      n = node->parent;
      const WidlGraph::Node& child = *node;
      node = &graph_->node(n);
      const bool begins = !from.touches(mask_[n]);
      if (node->kind == WidlGraph::NodeKind::interleave) {
        follow_interleave(n, child.number, move, from, to, sink);
        move.ends = is_after(n, to);
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
  Scorer::ScoreEstimate completion(const State& state) const {
    return rest(state, model_->estimates()) + model_->finish();
  }
  Extent shortest(const State& state) const { return rest(state, model_->extents()); }

  /// Whether the graph is flat: one interleave of words, phrases, and choices of these.
  bool is_flat() const {
    return graph_->node(graph_->root()).kind == NodeKind::interleave && !others_[graph_->root()];
  }
  /// Of a flat graph: calls visit(edges) for each argument that is still to come.
  template <class Visit>
  void for_each_open_step(const State& state, Visit&& visit) const {
    const NodeId root = graph_->root();
    for (std::size_t w = 0; w < Words; ++w)
      for (std::uint64_t open = steps_[root].bits[w] & ~state.bits[w]; open; open &= open - 1) {
        NodeId child = step_of_bit_[root][64 * w + static_cast<std::size_t>(std::countr_zero(open))];
        visit(graph_->edges(graph_->vertex(graph_->node(child), 0)));
      }
  }
  /// Of a flat graph: the best score of the end of its interleave.
  double flat_closing(const State& state) const {
    const WidlGraph::Interleave& interleave = graph_->interleave(graph_->node(graph_->root()));
    const auto& closings = model_->estimates().closings[graph_->node(graph_->root()).interleave];
    return closings[interleave.trie.empty() ? 0 : state.get(interleave.memory)].bound;
  }

  /// Whether node n has not begun; is done.
  bool is_before(NodeId n, const State& state) const { return !state.touches(mask_[n]); }
  bool is_after(NodeId n, const State& state) const { return state.within(mask_[n]) == after_[n]; }

 private:
  using Node = WidlGraph::Node;
  using NodeKind = WidlGraph::NodeKind;

  struct Move {
    bool begins, ends;
    std::uint32_t units;
  };
  struct WeightedSum {
    const GraphModel* model;
    double score;
    void row(std::uint32_t logs) { score += model->row_score(logs); }
    void movement(double log) { score += model->distortion() * log; }
    template <class Units>
    void closing(std::uint32_t interleave, std::uint32_t memory, Units&& units) {
      score += model->closing(interleave, memory, units);
    }
  };

  template <class Visit>
  void make_edge(const State& state, const WidlGraph::Edge& edge, Visit&& visit) const {
    const std::uint32_t number = graph_->number_of(edge);
    WeightedSum sum{model_, model_->edge_score(number)};
    State to = advance(state, edge, sum);
    if (sum.score == GraphModel::kImpossible) return;
    visit(Edge{to, model_->phrase(number), sum.score, number, edge.word_count, model_->bytes(number)});
  }

  void describe(NodeId n) {
    const Node& node = graph_->node(n);
    std::uint64_t all = node.place.width ? ~std::uint64_t{0} >> (64 - node.place.width) : 0;
    mask_[n].set(node.place, all);
    if (node.kind == NodeKind::tiles) {
      const WidlGraph::TilesNode& tiles = graph_->tiles(node);
      mask_[n].set(tiles.coverage, tiles.all());
      mask_[n].set(tiles.last_end, ~std::uint64_t{0} >> (64 - tiles.last_end.width));
      after_[n].set(tiles.coverage, tiles.all());
    } else if (node.kind != NodeKind::interleave) {
      after_[n].set(node.place, node.after);
    }
    for (NodeId child : graph_->children(node)) {
      mask_[n].add(mask_[child]);
      if (node.kind != NodeKind::interleave) continue;
      after_[n].add(after_[child]);
      const Node& own = graph_->node(child);
      if (!is_step(child)) {
        others_[n] = true;
        continue;
      }
      steps_[n].set(own.place, 1);
      step_of_bit_[n].resize(graph_->bits(), WidlGraph::kNone);
      step_of_bit_[n][own.place.offset] = child;
    }
    if (node.kind != NodeKind::interleave) return;
    const WidlGraph::Interleave& interleave = graph_->interleave(node);
    auto take = [&](WidlGraph::Field field) {
      if (field.width) mask_[n].set(field, ~std::uint64_t{0} >> (64 - field.width));
    };
    take(interleave.memory);
    for (WidlGraph::Field field : interleave.units) take(field);
  }

  /// Calls visit(edge) for the edges of the graph that may be followed, from automata at or below n.
  template <class Visit>
  void movers(NodeId n, const State& state, Visit&& visit) const {
    const Node& node = graph_->node(n);
    auto children = graph_->children(node);
    std::uint64_t place = state.get(node.place);
    switch (node.kind) {
      case NodeKind::automaton:
        for (const WidlGraph::Edge& edge : graph_->edges(graph_->vertex(node, static_cast<std::uint32_t>(place))))
          visit(edge);
        return;
      case NodeKind::sequence:
        if (place != node.after) movers(children[place == 0 ? 0 : place - 1], state, visit);
        return;
      case NodeKind::choice:
        if (place == node.after) return;
        if (place != 0) return movers(children[place - 1], state, visit);
        for (NodeId child : children) movers(child, state, visit);
        return;
      case NodeKind::interleave:
        return movers_of_interleave(n, state, visit);
      case NodeKind::tiles: {
        if (place != 0) return movers(children[place - 1], state, visit);
        const WidlGraph::TilesNode& tiles = graph_->tiles(node);
        for (std::uint32_t k = 0; k < children.size(); ++k)
          if ((tiles.bits(k) & state.get(tiles.coverage)) == 0) movers(children[k], state, visit);
        return;
      }
    }
  }

  template <class Visit>
  void movers_of_interleave(NodeId n, const State& state, Visit&& visit) const {
    const Node& node = graph_->node(n);
    auto children = graph_->children(node);
    const WidlGraph::Interleave& interleave = graph_->interleave(node);
    if (node.has_lock || interleave.contiguous)
      for (NodeId child : children) {
        bool alone = interleave.contiguous ? !is_before(child, state) && !is_after(child, state)
                                           : inside_lock(child, state);
        if (alone) return movers(child, state, visit);
      }
    auto twin_waits = [&](std::uint32_t k) {
      return !interleave.twin.empty() && interleave.twin[k] != WidlGraph::kNone &&
             is_before(children[interleave.twin[k]], state);
    };
    for (std::size_t w = 0; w < Words; ++w)
      for (std::uint64_t rest = steps_[n].bits[w] & ~state.bits[w]; rest; rest &= rest - 1) {
        NodeId child = step_of_bit_[n][64 * w + static_cast<std::size_t>(std::countr_zero(rest))];
        const Node& automaton = graph_->node(child);
        if (twin_waits(automaton.number)) continue;
        for (const WidlGraph::Edge& edge : graph_->edges(graph_->vertex(automaton, 0))) visit(edge);
      }
    if (!others_[n]) return;
    for (NodeId child : children) {
      if (is_step(child)) continue;
      if (is_before(child, state) && twin_waits(graph_->node(child).number)) continue;
      if (!is_after(child, state)) movers(child, state, visit);
    }
  }

  bool is_step(NodeId child) const {
    const Node& node = graph_->node(child);
    return node.kind == NodeKind::automaton && node.vertex_count == 2;
  }

  bool inside_lock(NodeId n, const State& state) const {
    const Node& node = graph_->node(n);
    if (!node.has_lock || is_before(n, state) || is_after(n, state)) return false;
    if (node.locked) return true;
    auto children = graph_->children(node);
    auto place = static_cast<std::uint32_t>(state.get(node.place));
    switch (node.kind) {
      case NodeKind::automaton: return graph_->vertex(node, place).locked;
      case NodeKind::sequence:
      case NodeKind::choice: return inside_lock(children[place - 1], state);
      case NodeKind::tiles: return place != 0 && inside_lock(children[place - 1], state);
      case NodeKind::interleave: break;
    }
    for (NodeId child : children)
      if (inside_lock(child, state)) return true;
    return false;
  }

  /// Child k of a sequence or choice has moved.
  void follow_turn(NodeId n, std::uint32_t k, Move& move, State& to) const {
    const Node& node = graph_->node(n);
    std::uint64_t place = k + 1;
    if (move.ends) {
      to.remove(mask_[n]);
      bool last = node.kind == NodeKind::choice || k + 1 == node.child_count;
      place = last ? node.after : k + 2;
      move.ends = last;
    }
    to.set(node.place, place);
  }

  /// Tile k has moved.
  template <class Sink>
  void follow_tiles(NodeId n, std::uint32_t k, Move& move, State& to, Sink& sink) const {
    const Node& node = graph_->node(n);
    const WidlGraph::TilesNode& tiles = graph_->tiles(node);
    auto [begin, end] = tiles.span(k);
    if (move.begins) {
      auto last = static_cast<std::uint32_t>(to.get(tiles.last_end));
      std::uint32_t distance = begin > last ? begin - last : last - begin;
      if (distance) sink.movement(distance * std::log(tiles.expression->movement_base()));
    }
    to.set(node.place, k + 1);
    if (!move.ends) return;
    to.remove(mask_[graph_->children(node)[k]]);
    to.set(node.place, 0);
    to.set(tiles.coverage, to.get(tiles.coverage) | tiles.bits(k));
    move.ends = to.get(tiles.coverage) == tiles.all();
    to.set(tiles.last_end, move.ends ? 0 : end);
  }

  /// Child k of an interleave has moved: what δ remembers changes and, where that was the end, counts.
  template <class Sink>
  void follow_interleave(NodeId n, std::uint32_t k, const Move& move, const State& from, State& to,
                         Sink& sink) const {
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
      if (another_under_way(node, k, from)) {
        memory = interleave.mixed();
      } else if (move.begins && memory != interleave.off()) {
        std::uint32_t next = interleave.trie[memory].next[k];
        memory = next == WidlGraph::kNone ? interleave.off() : next;
      }
    }
    to.set(interleave.memory, memory);
    if (interleave.counts_units && interleave.units[k].width)
      to.set(interleave.units[k], to.get(interleave.units[k]) + move.units);
    if (!move.ends || !children_after(n, to)) return;
    sink.closing(node.interleave, memory, [&](std::size_t argument) {
      return interleave.units[argument].width ? to.get(interleave.units[argument]) : interleave.min_units[argument];
    });
    to.set(interleave.memory, 0);
    if (interleave.counts_units)
      for (WidlGraph::Field field : interleave.units) to.set(field, 0);
  }

  bool children_after(NodeId n, const State& state) const {
    for (std::size_t w = 0; w < Words; ++w)
      if (steps_[n].bits[w] & ~state.bits[w]) return false;
    if (others_[n])
      for (NodeId child : graph_->children(graph_->node(n)))
        if (!is_after(child, state)) return false;
    return true;
  }

  bool another_under_way(const Node& node, std::uint32_t k, const State& state) const {
    for (NodeId child : graph_->children(node))
      if (graph_->node(child).number != k && !is_before(child, state) && !is_after(child, state)) return true;
    return false;
  }

  template <class Value>
  Value rest(NodeId n, const State& state, const RestTables<Value>& tables) const {
    if (is_before(n, state)) return tables.nodes[n];
    const Node& node = graph_->node(n);
    auto children = graph_->children(node);
    std::uint64_t place = state.get(node.place);
    switch (node.kind) {
      case NodeKind::automaton: return tables.vertices[node.first_vertex + place];
      case NodeKind::sequence:
        if (place == node.after) return {};
        return rest(children[place - 1], state, tables) + tables.later[children[place - 1]];
      case NodeKind::choice: return place == node.after ? Value{} : rest(children[place - 1], state, tables);
      case NodeKind::tiles: return rest_of_tiles(n, state, tables);
      case NodeKind::interleave: break;
    }
    if (is_after(n, state)) return {};
    Value sum{};
    for (std::size_t w = 0; w < Words; ++w)
      for (std::uint64_t open = steps_[n].bits[w] & ~state.bits[w]; open; open &= open - 1)
        sum = sum + tables.nodes[step_of_bit_[n][64 * w + static_cast<std::size_t>(std::countr_zero(open))]];
    if (others_[n])
      for (NodeId child : children)
        if (!is_step(child)) sum = sum + rest(child, state, tables);
    const auto& closings = tables.closings[node.interleave];
    if (closings.empty()) return sum;
    const WidlGraph::Interleave& interleave = graph_->interleave(node);
    return sum + closings[interleave.trie.empty() ? 0 : state.get(interleave.memory)];
  }

  template <class Value>
  Value rest_of_tiles(NodeId n, const State& state, const RestTables<Value>& tables) const {
    if (is_after(n, state)) return {};
    const Node& node = graph_->node(n);
    const WidlGraph::TilesNode& tiles = graph_->tiles(node);
    const std::uint32_t length = tiles.expression->length();
    Value sum = tables.movements[node.tiles];
    std::uint64_t covered = state.get(tiles.coverage);
    if (auto place = static_cast<std::uint32_t>(state.get(node.place))) {
      sum = sum + rest(graph_->children(node)[place - 1], state, tables);
      covered |= tiles.bits(place - 1);
    }
    for (std::uint32_t begin = 0; begin < length; ++begin) {
      if (covered >> begin & 1) continue;
      std::uint32_t end = begin;
      while (end < length && !(covered >> end & 1)) ++end;
      sum = sum + tables.gaps[node.tiles][begin * (length + 1) + end];
      begin = end;
    }
    return sum;
  }

  const GraphModel* model_;
  const WidlGraph* graph_;
  std::vector<State> mask_, after_;        // by node: its bits; their value when it is done
  std::vector<State> steps_;               // by interleave node: bits of children of one step
  std::vector<std::vector<NodeId>> step_of_bit_;
  std::vector<bool> others_;               // by interleave node: it has children of several steps
};

}  // namespace widl
