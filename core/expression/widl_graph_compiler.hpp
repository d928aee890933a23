#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "expression/node_table.hpp"
#include "expression/widl_graph.hpp"

namespace widl {

/// Builds a WidlGraph from the nodes of its expression.
class WidlGraphCompiler {
 public:
  WidlGraphCompiler(const Expression& expression, SentenceWords& words, WidlGraph& graph)
      : elements_(expression), words_(words), graph_(graph) {
    graph_.empty_ = empty_rows({elements_.whole()}, 0);
    graph_.root_ = compile({elements_.whole()}, {}, 0);
  }

 private:
  static constexpr std::uint32_t kNone = WidlGraph::kNone;
  static constexpr std::size_t kMaxEdges = ExpressionElements::kMaxWords;
  static constexpr std::size_t kMaxDepth = WidlGraph::kMaxBits + 1;  // of composites; all but one kind take bits

  using Kind = Expression::Kind;
  using Form = InterleaveDistribution::Form;
  using Node = WidlGraph::Node;
  using NodeKind = WidlGraph::NodeKind;
  using NodeId = WidlGraph::NodeId;
  using Field = WidlGraph::Field;
  using Interleave = WidlGraph::Interleave;

  using Element = ExpressionElements::Element;
  using Elements = ExpressionElements::Elements;

  /// The entry into a sub-expression: the row of the choices made by entering it, and whether it is locked.
  struct Entry {
    std::uint32_t logs = kNone;
    bool locked = false;
  };

  /// An unbuilt part of an automaton, between two of its vertices.
  struct Task {
    Element element;
    std::uint32_t from, to;
    std::uint32_t logs;        ///< choices made by entering it
    std::uint32_t lock_units;  ///< 1 if it enters a lock
    bool locked;
  };
  struct RawEdge {
    std::uint32_t from;
    WidlGraph::Edge edge;
  };
  /// A step or path without words between two vertices.
  struct EmptyEdge {
    std::uint32_t to;
    std::uint32_t logs;
    std::uint32_t lock_units;
    std::uint32_t unlocked = 0;  ///< of a path: vertices outside locks, after its first vertex
  };

  /// A row of a choice's log-probabilities, added to the row `logs`, if any.
  std::uint32_t with_row(std::uint32_t logs, const std::vector<double>& probabilities);
  /// The sum of two rows, either of which may be kNone.
  std::uint32_t joined_rows(std::uint32_t a, std::uint32_t b);
  /// A field of the state that does not cross a boundary of 64 bits.
  Field allocate(std::uint32_t width);
  NodeId add_node(NodeKind kind, const Entry& entry);
  void adopt(NodeId parent, const std::vector<NodeId>& children);

  /// A subsequence of another sequence's parts; choices make the other parts empty.
  struct Selection {
    std::vector<Elements> parts;
    std::uint32_t logs = kNone;
  };

  NodeId compile(Elements elements, Entry entry, std::size_t depth);
  NodeId compile_sequence(const Elements& elements, const Entry& entry, std::size_t depth);
  NodeId compile_parts(const std::vector<Elements>& parts, const Entry& entry, std::size_t depth);
  NodeId compile_choice(const Element& element, const Entry& entry, std::size_t depth);
  NodeId compile_tiles(const Element& element, const Entry& entry, std::size_t depth);
  NodeId compile_interleave(const Element& element, const Entry& entry, std::size_t depth);
  /// Compiles children that are active one at a time and share their bits.
  template <class Compile>
  void compile_by_turns(NodeId number, std::size_t count, Compile&& compile_child);

  /// The parts with words, plus every selection that omits some but not all of the optional parts.
  std::vector<Selection> without_empty_parts(const std::vector<Elements>& parts);
  /// Rows of the choices of each derivation without words; kNone for derivations without choices.
  std::vector<std::uint32_t> empty_rows(const Elements& elements, std::size_t depth);
  /// The listed permutations of an interleave as a trie.
  static void fill_trie(Interleave& interleave, std::size_t arguments);
  /// Finds equal arguments of an interleave, which are realized in one order only.
  void find_twins(Interleave& interleave, std::span<const std::uint32_t> arguments) const;
  [[noreturn]] static void too_wide();

  // Automata: sub-expressions without interleaves, where a choice may be made by following an edge.

  /// Builds one automaton for alternatives, each a row of elements with the choices made by entering it.
  NodeId compile_automaton(const std::vector<std::pair<Elements, std::uint32_t>>& alternatives, const Entry& entry);
  /// Consecutive elements, entered and left like `whole`.
  void add_row_of_tasks(const Elements& elements, const Task& whole);
  void build(Task task, NodeId automaton, std::vector<RawEdge>& edges);
  /// One edge for a word, or for all the words of a lock.
  void add_edge(const Task& task, NodeId automaton, std::vector<RawEdge>& edges);
  /// The paths without a word from a vertex, including the empty path.
  std::vector<EmptyEdge> empty_paths(std::uint32_t from);
  /// Replaces edges without a word by combined edges: each is merged with the word after it or, at the exit and where
  /// it leaves a lock, which is then closed, with the word before it. Drops paths without any word, and edges that are
  /// no longer on a path from entry to exit.
  void remove_empty_edges(std::vector<RawEdge>& edges);
  /// Drops edges that are not on a path from vertex 0 to vertex 1.
  static void keep_useful(std::vector<RawEdge>& edges, std::uint32_t count);
  void finish_automaton(NodeId number, std::vector<RawEdge>& edges);

  ExpressionElements elements_;
  SentenceWords& words_;
  WidlGraph& graph_;
  std::uint32_t cursor_ = 0;
  std::vector<WidlGraph::Vertex> vertices_;  // of the automaton being built
  std::vector<Task> tasks_;
  std::unordered_map<std::uint32_t, std::vector<EmptyEdge>> empty_;  // by the vertex that they leave
};

}  // namespace widl
