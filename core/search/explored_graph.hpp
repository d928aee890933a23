#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <ranges>
#include <utility>
#include <vector>

#include "search/arc_order.hpp"
#include "search/budget.hpp"
#include "search/certificate.hpp"
#include "search/options.hpp"
#include "search/scorer.hpp"

namespace widl {

/// The steps of a SearchGraph that are on complete paths, from node 0 to the last one; a step leads to a larger number.
struct ExploredGraph {
  struct Arc {
    std::uint32_t from, to;
    std::uint32_t label;
    PhraseId phrase;
    ContextId context;  ///< before the phrase; the same for all paths, as recombination wants
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

/// Finds the complete paths of a SearchGraph, and prunes by max-marginals: that of an arc is the score of the best
/// complete path through it, so that whole paths are kept (Sixtus & Ortmanns 1999: forward-backward pruning of
/// lattices).
template <class Graph>
class GraphPruning {
 public:
  /// @throws OutOfBudget
  GraphPruning(const Graph& graph, Budget& budget)
      : graph_(graph), order_(arcs_in_order(graph, budget)), marginals_(graph.arcs().size(), budget) {
    Counted<double> before(graph.size(), Graph::kWorst, budget), behind(graph.size(), Graph::kWorst, budget);
    before[graph.root()] = 0;
    behind[graph.goal()] = 0;
    const auto arcs = graph.arcs();
    for (std::uint32_t a : order_)
      before[arcs[a].to] = std::max(before[arcs[a].to], before[arcs[a].from] + arcs[a].score);
    for (std::uint32_t a : order_ | std::views::reverse)
      behind[arcs[a].from] = std::max(behind[arcs[a].from], behind[arcs[a].to] + arcs[a].score);
    for (std::size_t a = 0; a < arcs.size(); ++a)
      marginals_[a] = before[arcs[a].from] + arcs[a].score + behind[arcs[a].to];
    best_ = before[graph.goal()];
  }

  /// Of the arcs whose best path is at most `beam` worse than the best of all the `most` best (0: all), and in any case
  /// the best path.
  ExploredGraph keep(double beam, std::size_t most) const {
    return numbered(complete(least_marginal(beam, most)));
  }

 private:
  static constexpr std::size_t kWorkPerArc = 20;
  static Counted<std::uint32_t> arcs_in_order(const Graph& graph, Budget& budget) {
    budget.work(kWorkPerArc * graph.arcs().size());
    return topological_arcs(graph.arcs(), graph.size(), budget);
  }

  double least_marginal(double beam, std::size_t most) const {
    double least = std::max(best_ - beam, std::numeric_limits<double>::lowest());
    if (most && most < marginals_.size()) {
      Counted<double> sorted = marginals_;
      std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(most), sorted.end(), std::greater<>());
      least = std::max(least, sorted[most] + 2 * Certificate::rounding(best_));
    }
    return std::min(least, best_) - Certificate::rounding(best_);
  }

  /// The arcs whose max-marginal is at least `least`, and that are on complete paths of such arcs.
  std::vector<bool> complete(double least) const {
    const auto arcs = graph_.arcs();
    std::vector<bool> reached(graph_.size()), leads_on(graph_.size()), kept(arcs.size());
    reached[graph_.root()] = true;
    leads_on[graph_.goal()] = true;
    for (std::uint32_t a : order_)
      if (reached[arcs[a].from] && marginals_[a] >= least) kept[a] = reached[arcs[a].to] = true;
    for (std::uint32_t a : order_ | std::views::reverse) {
      kept[a] = kept[a] && leads_on[arcs[a].to];
      if (kept[a]) leads_on[arcs[a].from] = true;
    }
    return kept;
  }

  ExploredGraph numbered(const std::vector<bool>& kept) const {
    const auto arcs = graph_.arcs();
    std::vector<std::uint32_t> number(graph_.size(), Graph::kNone);
    ExploredGraph explored;
    // Nodes are in topological order.
    for (std::uint32_t a : order_)
      if (kept[a] && number[arcs[a].from] == Graph::kNone) number[arcs[a].from] = explored.nodes++;
    number[graph_.goal()] = explored.nodes++;
    for (std::uint32_t a : order_)
      if (kept[a])
        explored.arcs.push_back({number[arcs[a].from], number[arcs[a].to], arcs[a].label, arcs[a].phrase,
                                 graph_[arcs[a].from].context});
    std::stable_sort(explored.arcs.begin(), explored.arcs.end(), [](const auto& a, const auto& b) {
      return a.to != b.to ? a.to < b.to : a.from < b.from;
    });
    return explored;
  }

  const Graph& graph_;
  Counted<std::uint32_t> order_;
  Counted<double> marginals_;  // by arc: of the best complete path through it
  double best_;
};

}  // namespace widl
