#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "search/options.hpp"

namespace widl {

/// The nodes that search reached, by their edges' labels.
struct ReachedGraph {
  struct Node {
    std::vector<std::uint32_t> labels;  ///< of the best path here
    double score;
    double bound;
    bool unfolded, is_goal, is_best;
  };
  struct Arc {
    std::uint32_t from, to;
    std::uint32_t label;
    double score;
  };
  std::vector<Node> nodes;
  std::vector<Arc> arcs;
  std::size_t left_out = 0;
};

/// The best path and, before anything else, the nodes reached first, `most` in all.
template <class Graph>
ReachedGraph reached_graph(const Graph& graph, std::size_t most) {
  std::vector<bool> best(graph.size());
  std::size_t on_best = 0;
  for (auto node = graph.goal(); node != Graph::kNone; node = graph[node].parent, ++on_best) best[node] = true;
  std::size_t others = most > on_best ? most - on_best : 0;
  std::vector<std::uint32_t> number(graph.size(), Graph::kNone);
  ReachedGraph reached;
  for (std::uint32_t n = 0; n < graph.size(); ++n) {
    const auto& node = graph[n];
    if (node.bound == Graph::kWorst) continue;  // a dead end
    if (!best[n] && others == 0) {
      ++reached.left_out;
      continue;
    }
    if (!best[n]) --others;
    number[n] = static_cast<std::uint32_t>(reached.nodes.size());
    reached.nodes.push_back({graph.labels_to(n), node.score, node.score + node.bound, graph.is_unfolded(n),
                             node.is_goal, static_cast<bool>(best[n])});
  }
  for (const auto& arc : graph.arcs())
    if (number[arc.from] != Graph::kNone && number[arc.to] != Graph::kNone)
      reached.arcs.push_back({number[arc.from], number[arc.to], arc.label, arc.score});
  return reached;
}

/// The same in words; `words_of(labels)` gives those of phrases in a row.
template <class WordsOf>
Trace trace_of(const ReachedGraph& reached, WordsOf&& words_of) {
  Trace trace;
  trace.left_out = reached.left_out;
  for (const ReachedGraph::Node& node : reached.nodes)
    trace.states.push_back(
        {words_of(node.labels), node.score, node.bound, node.unfolded, node.is_goal, node.is_best});
  for (const ReachedGraph::Arc& arc : reached.arcs)
    trace.edges.push_back({arc.from, arc.to, words_of(std::vector{arc.label}), arc.score});
  return trace;
}

}  // namespace widl
