#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "expression/expression.hpp"
#include "expression/vocabulary.hpp"

namespace widl {

/// The WIDL-graph of an expression (Soricut & Marcu 2006, §2.2), in the form that unfolding needs.
///
/// Parts without interleaving are *automata*: vertices between words, and edges that carry a word or, for a lock that
/// contains only words, all of its words at once. Automata are joined by the composite nodes that contain an
/// interleave: sequence, choice, interleave, tiles. A cut, the set of vertices reached together, is a string of bits.
/// Automata, sequences and choices have a field for their position, nodes that can't be active at the same time share
/// bits, and an interleave has fields for the memory of its δ. A node whose bits are all zero has not begun. Size:
/// linear in the written-out expression.
class WidlGraph {
 public:
  using NodeId = std::uint32_t;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kMaxBits = 512;

  /// Bits [offset, offset + width) of a cut; never across a 64-bit boundary. Width 0: always zero.
  struct Field {
    std::uint32_t offset = 0;
    std::uint32_t width = 0;
  };

  struct Edge {
    NodeId node;       ///< the automaton
    std::uint32_t to;  ///< vertex within it
    std::uint32_t first_word, word_count;
    std::uint32_t logs;      ///< row of the choices made by entering it, or kNone
    std::uint32_t units;     ///< words not in a lock, and locks entered
    std::uint32_t phrases;   ///< phrases entered
    std::uint32_t position;  ///< of its first word in the expression as written
  };
  struct Vertex {
    std::uint32_t first_edge = 0, edge_count = 0;
    bool locked = false;  ///< strictly inside a lock
  };

  enum class NodeKind { automaton, sequence, choice, interleave, tiles };
  struct Node {
    NodeKind kind = NodeKind::automaton;
    bool locked = false;    ///< while strictly inside, no other part may move
    bool has_lock = false;  ///< it or something below may be strictly inside a lock
    NodeId parent = kNone;
    std::uint32_t number = 0;          ///< among the parent's children
    std::uint32_t entry_logs = kNone;  ///< row of the choices made by beginning it
    /// Automaton: vertex, 0 the entry and 1 the exit. Sequence: part + 1. Choice: branch + 1. The last two: `after`
    /// when all is done. Tiles: 1 + the tile in progress, or 0.
    Field bits;
    std::uint32_t after = 1;
    std::uint32_t first_child = 0, child_count = 0;
    std::uint32_t first_vertex = 0, vertex_count = 0;
    std::uint32_t interleave = kNone;
    std::uint32_t tiles = kNone;
  };

  /// Progress of a `tiles` within another expression.
  struct TilesNode {
    const Expression* expression = nullptr;
    Field coverage;  ///< a bit for each source position
    Field last_end;  ///< end of the tile realized last; 0 when all is done
    /// The span of child k.
    std::pair<std::uint32_t, std::uint32_t> span(std::uint32_t k) const { return expression->span(k); }
    std::uint64_t all() const { return ~std::uint64_t{0} >> (64 - expression->length()); }
  };

  /// The state that tracks the δ of one interleave.
  struct Interleave {
    /// Listed permutations as a trie over argument numbers.
    struct TrieNode {
      std::vector<std::uint32_t> next;  ///< by argument; kNone if no listed permutation continues
      std::uint32_t listed = kNone;     ///< at a leaf: number of the permutation
    };
    const InterleaveDistribution* delta = nullptr;
    Field memory;  ///< listed: trie node, or off it, or mixed; movement: last argument + 1
    std::vector<TrieNode> trie;
    bool contiguous = false;    ///< mixing is impossible: an argument that has begun is finished first
    bool counts_units = false;  ///< the probability depends on how many units the arguments have
    std::vector<Field> units;   ///< by argument; width 0 if the number of units is fixed
    std::vector<std::uint64_t> min_units, max_units;
    std::vector<std::uint32_t> twin;  ///< an equal argument before this one, or kNone; only for uniform δ

    /// Values of `memory` after the trie's nodes: an unlisted permutation, or no permutation.
    std::uint32_t off() const { return static_cast<std::uint32_t>(trie.size()); }
    std::uint32_t mixed() const { return off() + 1; }
  };

  /// Choices with one probability count with it in all of the `components`. The expression must outlive the graph.
  /// @throws InputError if the nodes that can be active at once exceed a cut, for an expression that is too large
  /// written out or has a different number of components, and for `tiles` of more than 64 positions.
  WidlGraph(const Expression& expression, std::size_t components, SentenceWords& words);

  NodeId root() const { return root_; }
  /// Bits of a cut.
  std::uint32_t bits() const { return bits_; }
  /// J.
  std::size_t components() const { return components_; }
  const Node& node(NodeId n) const { return nodes_[n]; }
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const NodeId> children(const Node& n) const { return {children_.data() + n.first_child, n.child_count}; }
  const Vertex& vertex(const Node& n, std::uint32_t v) const { return vertices_[n.first_vertex + v]; }
  std::size_t vertices() const { return vertices_.size(); }
  std::span<const Edge> edges() const { return edges_; }
  std::span<const Edge> edges(const Vertex& v) const { return {edges_.data() + v.first_edge, v.edge_count}; }
  std::uint32_t number_of(const Edge& e) const { return static_cast<std::uint32_t>(&e - edges_.data()); }
  std::span<const WordId> words(const Edge& e) const { return {words_.data() + e.first_word, e.word_count}; }
  const Interleave& interleave(const Node& n) const { return interleaves_[n.interleave]; }
  std::span<const Interleave> interleaves() const { return interleaves_; }
  const TilesNode& tiles(const Node& n) const { return tiles_[n.tiles]; }
  std::span<const TilesNode> tiles() const { return tiles_; }
  /// J natural logs.
  std::span<const double> logs(std::uint32_t row) const { return {logs_.data() + row * components_, components_}; }
  std::size_t rows() const { return rows_; }
  /// The graph has no empty string. These are the rows of the choices of each derivation without words, or kNone.
  std::span<const std::uint32_t> empty_derivations() const { return empty_; }
  /// Bytes, about.
  std::size_t memory() const {
    return nodes_.capacity() * sizeof(Node) + children_.capacity() * sizeof(NodeId) +
           vertices_.capacity() * sizeof(Vertex) + edges_.capacity() * sizeof(Edge) +
           words_.capacity() * sizeof(WordId) + logs_.capacity() * sizeof(double);
  }

 private:
  friend class WidlGraphCompiler;

  NodeId root_ = 0;
  std::uint32_t bits_ = 0;
  std::size_t components_;
  std::size_t rows_ = 0;
  std::vector<Node> nodes_;
  std::vector<NodeId> children_;
  std::vector<Vertex> vertices_;
  std::vector<Edge> edges_;  // edges that leave the same vertex are adjacent
  std::vector<WordId> words_;
  std::vector<Interleave> interleaves_;
  std::vector<TilesNode> tiles_;
  std::vector<double> logs_;
  std::vector<std::uint32_t> empty_;
};

/// Natural logs of the numbers of interleavings of n arguments with u units each. There are (Σu)!/Πu! in all: n!
/// permutations of the arguments, and shuffles. No shuffles: minus infinity.
struct InterleavingCounts {
  double all, permutations, shuffles;
  explicit InterleavingCounts(std::span<const std::uint64_t> units);
};

/// The natural log of δ's probability, in component j, for one interleaving of arguments with that many units (design:
/// "Interleave distributions"). `memory`: the state that the realized order leads to, as in WidlGraph::Interleave.
/// Movement penalties are not probabilities: they count as 0 here.
double log_share(const WidlGraph::Interleave& interleave, std::uint32_t memory, const InterleavingCounts& counts,
                 std::size_t j);

}  // namespace widl
