#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>

#include "search/budget.hpp"
#include "search/scorer.hpp"

namespace widl {

/// A step between nodes of an explored graph.
struct PathArc {
  std::uint32_t from, to;
  PhraseId phrase;
  std::uint32_t label;
  double score;
};

/// The paths of an explored graph, without its states. The root is node 0.
struct PathGraph {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr double kWorst = -std::numeric_limits<double>::infinity();
  static constexpr std::uint32_t kRoot = 0;

  std::span<const PathArc> arcs;
  std::size_t nodes;
  std::uint32_t goal;  ///< or kNone
  std::function<std::span<const WordId>(PhraseId)> words;
  std::function<ContextId(std::uint32_t node)> context;
};

/// The arcs of a graph, as numbers, by the node at one of their ends.
class ArcsByNode {
 public:
  explicit ArcsByNode(Budget& budget) : budget_(budget) {}

  /// `end`: the arc member used as the key. The arcs of a node are in the order of their numbers.
  void index(std::span<const PathArc> arcs, std::size_t nodes, std::uint32_t PathArc::* end);

  std::span<const std::uint32_t> of(std::uint32_t node) const {
    return std::span(arcs_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  Budget& budget_;
  Counted<std::uint32_t> first_{budget_}, arcs_{budget_};
};

/// The arcs of an acyclic graph as numbers, each after all arcs into the node where it begins.
Counted<std::uint32_t> topological_arcs(std::span<const PathArc> arcs, std::size_t nodes, Budget& budget);

}  // namespace widl
