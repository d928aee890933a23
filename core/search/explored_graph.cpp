#include "search/explored_graph.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <ranges>
#include <utility>

#include "search/certificate.hpp"

namespace widl {

GraphPruning::GraphPruning(PathGraph graph, Budget& budget)
    : graph_(std::move(graph)), order_(arcs_in_order(graph_, budget)), marginals_(graph_.arcs.size(), budget) {
  Counted<double> before(graph_.nodes, PathGraph::kWorst, budget), behind(graph_.nodes, PathGraph::kWorst, budget);
  before[PathGraph::kRoot] = 0;
  behind[graph_.goal] = 0;
  const auto arcs = graph_.arcs;
  for (std::uint32_t a : order_)
    before[arcs[a].to] = std::max(before[arcs[a].to], before[arcs[a].from] + arcs[a].score);
  for (std::uint32_t a : order_ | std::views::reverse)
    behind[arcs[a].from] = std::max(behind[arcs[a].from], behind[arcs[a].to] + arcs[a].score);
  for (std::size_t a = 0; a < arcs.size(); ++a)
    marginals_[a] = before[arcs[a].from] + arcs[a].score + behind[arcs[a].to];
  best_ = before[graph_.goal];
}

ExploredGraph GraphPruning::keep(double beam, std::size_t most) const {
  return numbered(complete(least_marginal(beam, most)));
}

Counted<std::uint32_t> GraphPruning::arcs_in_order(const PathGraph& graph, Budget& budget) {
  budget.work(kWorkPerArc * graph.arcs.size());
  return topological_arcs(graph.arcs, graph.nodes, budget);
}

double GraphPruning::least_marginal(double beam, std::size_t most) const {
  double least = std::max(best_ - beam, std::numeric_limits<double>::lowest());
  if (most && most < marginals_.size()) {
    Counted<double> sorted = marginals_;
    const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(sorted.begin(), last, sorted.end(), std::greater<>());
    least = std::max(least, sorted[most] + 2 * Certificate::rounding(best_));
  }
  return std::min(least, best_) - Certificate::rounding(best_);
}

/// The arcs whose max-marginal is at least `least`, and that are on complete paths of such arcs.
std::vector<bool> GraphPruning::complete(double least) const {
  const auto arcs = graph_.arcs;
  std::vector<bool> reached(graph_.nodes), leads_on(graph_.nodes), kept(arcs.size());
  reached[PathGraph::kRoot] = true;
  leads_on[graph_.goal] = true;
  for (std::uint32_t a : order_)
    if (reached[arcs[a].from] && marginals_[a] >= least) kept[a] = reached[arcs[a].to] = true;
  for (std::uint32_t a : order_ | std::views::reverse) {
    kept[a] = kept[a] && leads_on[arcs[a].to];
    if (kept[a]) leads_on[arcs[a].from] = true;
  }
  return kept;
}

ExploredGraph GraphPruning::numbered(const std::vector<bool>& selected) const {
  const auto arcs = graph_.arcs;
  std::vector<std::uint32_t> number(graph_.nodes, PathGraph::kNone);
  ExploredGraph explored;
  // Nodes are in topological order.
  for (std::uint32_t a : order_)
    if (selected[a] && number[arcs[a].from] == PathGraph::kNone) number[arcs[a].from] = explored.nodes++;
  number[graph_.goal] = explored.nodes++;
  for (std::uint32_t a : order_)
    if (selected[a])
      explored.arcs.push_back({number[arcs[a].from], number[arcs[a].to], arcs[a].label, arcs[a].phrase,
                               graph_.context(arcs[a].from)});
  std::stable_sort(explored.arcs.begin(), explored.arcs.end(), [](const auto& a, const auto& b) {
    return a.to != b.to ? a.to < b.to : a.from < b.from;
  });
  return explored;
}

}  // namespace widl
