#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "expression/interleaving.hpp"
#include "expression/widl_graph.hpp"
#include "search/graph_model.hpp"

namespace widl {

/// Sums up the weighted score of choices that are made by following an edge of a WIDL-graph.
struct WeightedChoices {
  const GraphModel* model;
  double score;
  void row(std::uint32_t logs) { score += model->row_score(logs); }
  void movement(double log) { score += model->distortion() * log; }
  template <class Units>
  void closing(std::uint32_t interleave, std::uint32_t memory, Units&& units) {
    score += model->closing(interleave, memory, units);
  }
};

/// Sums up their WIDL features and movement.
struct FeaturesOfChoices {
  const WidlGraph* graph;
  std::span<double> widl;
  double moved;
  void row(std::uint32_t logs) {
    for (std::size_t j = 0; j < widl.size(); ++j) widl[j] += graph->logs(logs)[j];
  }
  void movement(double log) { moved += log; }
  template <class Units>
  void closing(std::uint32_t interleave, std::uint32_t memory, Units&& units) {
    const WidlGraph::Interleave& node = graph->interleaves()[interleave];
    std::vector<std::uint64_t> counted;
    for (std::size_t k = 0; k < node.units.size(); ++k) counted.push_back(units(k));
    InterleavingCounts counts(counted);
    for (std::size_t j = 0; j < widl.size(); ++j) widl[j] += log_share(node, memory, counts, j);
  }
};

}  // namespace widl
