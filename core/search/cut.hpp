#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "expression/widl_graph.hpp"
#include "search/mix.hpp"

namespace widl {

/// The set of simultaneously reached vertices of a WIDL-graph, as bits.
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

/// Assigns the bits of a Cut to the nodes of a WIDL-graph.
///
/// A *step* is a child of an interleave that one edge realizes: its place is one bit, and the open steps of an
/// interleave are found by bit operations.
template <std::size_t Words>
class CutLayout {
 public:
  using State = Cut<Words>;
  using NodeId = WidlGraph::NodeId;
  using Node = WidlGraph::Node;

  explicit CutLayout(const WidlGraph& graph)
      : graph_(&graph),
        mask_(graph.nodes().size()),
        after_(graph.nodes().size()),
        steps_(graph.nodes().size()),
        step_of_bit_(graph.nodes().size()),
        longer_(graph.nodes().size()) {
    for (auto n = static_cast<NodeId>(graph.nodes().size()); n-- > 0;) describe(n);
  }

  std::size_t memory() const {
    std::size_t steps = 0;
    for (const auto& of_node : step_of_bit_) steps += of_node.capacity() * sizeof(NodeId);
    return 3 * mask_.capacity() * sizeof(State) + step_of_bit_.capacity() * sizeof(step_of_bit_[0]) + steps;
  }

  /// The bits of a node and of the nodes below it.
  const State& mask(NodeId n) const { return mask_[n]; }
  /// Whether node n has not begun; is done.
  bool is_before(NodeId n, const State& state) const { return !state.touches(mask_[n]); }
  bool is_after(NodeId n, const State& state) const { return state.within(mask_[n]) == after_[n]; }
  /// The bits of a node that is done.
  const State& after(NodeId n) const { return after_[n]; }

  bool is_step(NodeId child) const {
    const Node& node = graph_->node(child);
    return node.kind == NodeKind::automaton && node.vertex_count == 2;
  }
  /// Whether an interleave has children other than steps.
  bool has_longer_children(NodeId n) const { return longer_[n]; }
  /// The steps of an interleave that are still to come, among the bits of word w.
  std::uint64_t open_steps(NodeId n, const State& state, std::size_t w) const {
    return steps_[n].bits[w] & ~state.bits[w];
  }
  /// The step of the lowest of these bits.
  NodeId step_at(NodeId n, std::size_t w, std::uint64_t bits) const {
    return step_of_bit_[n][64 * w + static_cast<std::size_t>(std::countr_zero(bits))];
  }

  /// Whether all children of an interleave are done.
  bool children_are_after(NodeId n, const State& state) const {
    for (std::size_t w = 0; w < Words; ++w)
      if (open_steps(n, state, w)) return false;
    if (longer_[n])
      for (NodeId child : graph_->children(graph_->node(n)))
        if (!is_after(child, state)) return false;
    return true;
  }

  /// Whether another child than k has begun and is not done.
  bool another_is_begun(const Node& node, std::uint32_t k, const State& state) const {
    for (NodeId child : graph_->children(node))
      if (graph_->node(child).number != k && !is_before(child, state) && !is_after(child, state)) return true;
    return false;
  }

 private:
  using NodeKind = WidlGraph::NodeKind;

  void describe(NodeId n) {
    const Node& node = graph_->node(n);
    const std::uint64_t all = node.bits.width ? ~std::uint64_t{0} >> (64 - node.bits.width) : 0;
    mask_[n].set(node.bits, all);
    if (node.kind == NodeKind::tiles) {
      const WidlGraph::TilesNode& tiles = graph_->tiles(node);
      mask_[n].set(tiles.coverage, tiles.all());
      mask_[n].set(tiles.last_end, ~std::uint64_t{0} >> (64 - tiles.last_end.width));
      after_[n].set(tiles.coverage, tiles.all());
    } else if (node.kind != NodeKind::interleave) {
      after_[n].set(node.bits, node.after);
    }
    for (NodeId child : graph_->children(node)) {
      mask_[n].add(mask_[child]);
      if (node.kind != NodeKind::interleave) continue;
      after_[n].add(after_[child]);
      const Node& automaton = graph_->node(child);
      if (!is_step(child)) {
        longer_[n] = true;
        continue;
      }
      steps_[n].set(automaton.bits, 1);
      step_of_bit_[n].resize(graph_->bits(), WidlGraph::kNone);
      step_of_bit_[n][automaton.bits.offset] = child;
    }
    if (node.kind != NodeKind::interleave) return;
    const WidlGraph::Interleave& interleave = graph_->interleave(node);
    auto include = [&](WidlGraph::Field field) {
      if (field.width) mask_[n].set(field, ~std::uint64_t{0} >> (64 - field.width));
    };
    include(interleave.memory);
    for (WidlGraph::Field field : interleave.units) include(field);
  }

  const WidlGraph* graph_;
  std::vector<State> mask_, after_;  // by node: its bits; their value when it is done
  std::vector<State> steps_;         // by interleave node: the bits of its steps
  std::vector<std::vector<NodeId>> step_of_bit_;
  std::vector<bool> longer_;  // by interleave node: whether it has other children
};

}  // namespace widl
