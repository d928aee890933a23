#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/budget.hpp"

namespace widl {

/// The arcs of an acyclic graph as numbers, each after all arcs into the node where it begins.
template <class Arc>
Counted<std::uint32_t> topological_arcs(std::span<const Arc> arcs, std::size_t nodes, Budget& budget) {
  Counted<std::uint32_t> first_out(nodes + 1, 0, budget), waiting(nodes, 0, budget);
  for (const Arc& arc : arcs) {
    ++first_out[arc.from + 1];
    ++waiting[arc.to];
  }
  for (std::size_t n = 0; n < nodes; ++n) first_out[n + 1] += first_out[n];
  Counted<std::uint32_t> next(first_out.begin(), first_out.end() - 1, budget), out(arcs.size(), budget);
  for (std::uint32_t a = 0; a < arcs.size(); ++a) out[next[arcs[a].from]++] = a;
  Counted<std::uint32_t> ready(budget), order(budget);
  order.reserve(arcs.size());
  for (std::uint32_t n = 0; n < nodes; ++n)
    if (waiting[n] == 0) ready.push_back(n);
  while (!ready.empty()) {
    const std::uint32_t from = ready.back();
    ready.pop_back();
    for (std::uint32_t i = first_out[from]; i < first_out[from + 1]; ++i) {
      order.push_back(out[i]);
      if (--waiting[arcs[out[i]].to] == 0) ready.push_back(arcs[out[i]].to);
    }
  }
  return order;
}

}  // namespace widl
