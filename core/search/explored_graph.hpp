#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "search/budget.hpp"
#include "search/path_graph.hpp"

namespace widl {

/// The steps of a SearchGraph that are on complete paths from node 0 to the last node. Steps lead to larger node
/// numbers.
struct ExploredGraph {
  struct Arc {
    std::uint32_t from, to;
    std::uint32_t label;
    PhraseId phrase;
    ContextId context;  ///< before the phrase; equal for all paths, as recombination requires
  };
  std::uint32_t nodes = 0;
  std::vector<Arc> arcs;  ///< by `to`, then by `from`
  bool complete = true;   ///< no budget has cut it

  /// A part of all derivations: one path, given by its arcs from the first on. Their nodes are numbered anew.
  static ExploredGraph of_path(std::vector<Arc> arcs) {
    ExploredGraph path;
    path.complete = false;
    for (Arc& arc : arcs) {
      arc.from = path.nodes++;
      arc.to = path.nodes;
    }
    ++path.nodes;
    path.arcs = std::move(arcs);
    return path;
  }
};

/// Finds the complete paths of an explored graph, and prunes by max-marginals. The max-marginal of an arc is the score
/// of the best complete path through it, so pruning keeps complete paths (Sixtus & Ortmanns 1999: forward-backward
/// pruning of lattices).
class GraphPruning {
 public:
  /// @throws OutOfBudget
  GraphPruning(PathGraph graph, Budget& budget);

  /// Keeps arcs whose best path is at most `beam` worse than the best of all. Keeps only the `most` best of these (0:
  /// all), and always the best path.
  ExploredGraph keep(double beam, std::size_t most) const;

 private:
  static constexpr std::size_t kWorkPerArc = 20;

  static Counted<std::uint32_t> arcs_in_order(const PathGraph& graph, Budget& budget);
  double least_marginal(double beam, std::size_t most) const;
  std::vector<bool> complete(double least) const;
  ExploredGraph numbered(const std::vector<bool>& selected) const;

  PathGraph graph_;
  Counted<std::uint32_t> order_;
  Counted<double> marginals_;  // by arc: of the best complete path through it
  double best_;
};

}  // namespace widl
