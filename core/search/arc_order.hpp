#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>

#include "search/budget.hpp"

namespace widl {

/// The arcs of a graph, as numbers, by the node at one of their ends.
class ArcsByNode {
 public:
  explicit ArcsByNode(Budget& budget) : budget_(budget) {}

  /// `end`: the member of an arc that it is found by. Those of a node are in the given order.
  template <class Arc, class NodeId, class Order>
  void index(std::span<const Arc> arcs, std::size_t nodes, NodeId Arc::* end, const Order& order) {
    first_.assign(nodes + 1, 0);
    for (const Arc& arc : arcs) ++first_[arc.*end + 1];
    for (std::size_t n = 0; n < nodes; ++n) first_[n + 1] += first_[n];
    Counted<std::uint32_t> next(first_.begin(), first_.end() - 1, budget_);
    arcs_.resize(arcs.size());
    for (std::uint32_t a : order) arcs_[next[arcs[a].*end]++] = a;
  }
  /// The same in the order of their numbers.
  template <class Arc, class NodeId>
  void index(std::span<const Arc> arcs, std::size_t nodes, NodeId Arc::* end) {
    index(arcs, nodes, end, std::views::iota(std::uint32_t{0}, static_cast<std::uint32_t>(arcs.size())));
  }

  std::span<const std::uint32_t> of(std::uint32_t node) const {
    return std::span(arcs_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  Budget& budget_;
  Counted<std::uint32_t> first_{budget_}, arcs_{budget_};
};

/// The arcs of an acyclic graph as numbers, each after all arcs into the node where it begins.
template <class Arc>
Counted<std::uint32_t> topological_arcs(std::span<const Arc> arcs, std::size_t nodes, Budget& budget) {
  ArcsByNode out(budget);
  out.index(arcs, nodes, &Arc::from);
  Counted<std::uint32_t> waiting(nodes, 0, budget);
  for (const Arc& arc : arcs) ++waiting[arc.to];
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
