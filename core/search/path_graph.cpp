#include "search/path_graph.hpp"

namespace widl {

void ArcsByNode::index(std::span<const PathArc> arcs, std::size_t nodes, std::uint32_t PathArc::* end) {
  first_.assign(nodes + 1, 0);
  for (const PathArc& arc : arcs) ++first_[arc.*end + 1];
  for (std::size_t n = 0; n < nodes; ++n) first_[n + 1] += first_[n];
  Counted<std::uint32_t> next(first_.begin(), first_.end() - 1, budget_);
  arcs_.resize(arcs.size());
  for (std::uint32_t a = 0; a < arcs.size(); ++a) arcs_[next[arcs[a].*end]++] = a;
}

Counted<std::uint32_t> topological_arcs(std::span<const PathArc> arcs, std::size_t nodes, Budget& budget) {
  ArcsByNode out(budget);
  out.index(arcs, nodes, &PathArc::from);
  Counted<std::uint32_t> waiting(nodes, 0, budget);
  for (const PathArc& arc : arcs) ++waiting[arc.to];
  Counted<std::uint32_t> ready(budget), order(budget);
  order.reserve(arcs.size());
  for (std::uint32_t n = 0; n < nodes; ++n)
    if (waiting[n] == 0) ready.push_back(n);
  while (!ready.empty()) {
    const std::uint32_t from = ready.back();
    ready.pop_back();
    for (std::uint32_t a : out.of(from)) {
      order.push_back(a);
      if (--waiting[arcs[a].to] == 0) ready.push_back(arcs[a].to);
    }
  }
  return order;
}

}  // namespace widl
