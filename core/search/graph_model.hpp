#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "expression/widl_graph.hpp"
#include "log_zero.hpp"
#include "search/ngram_scorer.hpp"
#include "search/printed_length.hpp"
#include "search/unfolding.hpp"
#include "search/weight_vector.hpp"

namespace widl {

/// Bounds (or extents) of completing each part of a WIDL-graph: sums over the parts that must follow, the best of
/// the alternatives.
template <class Value>
struct RestTables {
  std::vector<Value> vertices;               ///< from a vertex of an automaton to its exit
  std::vector<Value> nodes;                  ///< of a whole node, including the choices made by beginning it
  std::vector<Value> later;                  ///< by child of a sequence: all the parts after it
  std::vector<std::vector<Value>> closings;  ///< by interleave and its memory
  std::vector<Value> movements;              ///< by tiles: the most that movement gives
  std::vector<std::vector<Value>> gaps;      ///< by tiles: positions [begin, end), at begin · (length + 1) + end
};

inline ScoreEstimate nothing(const ScoreEstimate*) { return {kLogZero, kLogZero}; }
inline Extent nothing(const Extent*) { return {Extent::kEndless, Extent::kEndless}; }

/// Most edges of a completion.
struct Steps {
  std::int64_t most = 0;
};
inline Steps operator+(const Steps& a, const Steps& b) { return {a.most + b.most}; }
inline Steps better(const Steps& a, const Steps& b) { return {std::max(a.most, b.most)}; }
inline Steps nothing(const Steps*) { return {-(std::int64_t{1} << 40)}; }

/// A WIDL-graph joined with weights and language models: scores of its edges, choices and interleavings, and
/// estimates and bounds of its parts. Shared by unfoldings of every width.
class GraphModel {
 public:
  /// With `printed`, lengths in bytes are the minimum lengths of the words as written.
  /// @throws InputError if it lacks a position of the graph
  GraphModel(const WidlGraph& graph, NGramScorer& scorer, const WeightVector& weights,
             const PrintedLength* printed = nullptr);

  const WidlGraph& graph() const { return *graph_; }
  /// Approximate bytes of the tables with an entry per vertex, node or edge.
  std::size_t memory() const {
    return graph_->vertices() * (sizeof(std::uint32_t) + sizeof(ScoreEstimate) + sizeof(Extent) + sizeof(Steps)) +
           graph_->nodes().size() * 2 * (sizeof(ScoreEstimate) + sizeof(Extent) + sizeof(Steps)) +
           graph_->edges().size() * (2 * sizeof(StepOption) + sizeof(std::uint32_t) + sizeof(std::uint64_t)) +
           graph_->rows() * sizeof(double);
  }
  /// An edge of the graph as an option. Its score includes all weighted features except language models, and the scores
  /// of choices and interleavings above it.
  const StepOption& option(std::uint32_t edge) const { return options_[edge]; }
  PhraseId phrase(std::uint32_t edge) const { return options_[edge].phrase; }
  /// Visits the edges of a vertex as runs of edges that lead to the same states, best estimate first.
  template <class Visit>
  void for_each_run(const WidlGraph::Vertex& vertex, Visit&& visit) const {
    for (std::size_t first = vertex.first_edge, end = first + vertex.edge_count, next; first < end; first = next) {
      next = run_ends_[first];
      visit(std::span(ranked_).subspan(first, next - first));
    }
  }

  /// Weighted features except language models: of an edge; of a row of choices; of a jump by one argument.
  double edge_score(std::uint32_t edge) const { return options_[edge].score; }
  double row_score(std::uint32_t row) const { return row_scores_[row]; }
  double movement(std::uint32_t interleave) const { return movements_[interleave]; }
  double distortion() const { return distortion_; }
  /// Weighted log-share of the interleaving that ends with this memory; `units(k)` of argument k.
  template <class Units>
  double closing(std::uint32_t interleave, std::uint32_t memory, Units&& units) const {
    const WidlGraph::Interleave& node = graph_->interleaves()[interleave];
    if (!node.counts_units)
      return closings_[interleave].empty() ? 0 : closings_[interleave][closing_index(node, memory)];
    std::vector<std::uint64_t> counted;
    for (std::size_t k = 0; k < node.units.size(); ++k) counted.push_back(units(k));
    return share(node, memory, counted);
  }

  /// Phrases scored alone and at their bound, without </s>.
  const RestTables<ScoreEstimate>& estimates() const { return estimates_; }
  const RestTables<Extent>& extents() const { return extents_; }
  const RestTables<Steps>& steps() const { return steps_; }
  ScoreEstimate finish() const { return finish_; }

  /// The distinct words of the graph, each as a phrase; none if there are more than 64.
  std::span<const PhraseId> types() const { return types_; }
  /// The words of an edge, one bit each.
  std::uint64_t types_of(std::uint32_t edge) const { return edge_types_[edge]; }

  /// The tables for any value of edges, `edge(number)`. Rows of choices and interleavings count as `row(number)` and
  /// as given in `closings`.
  template <class Value, class EdgeValue, class RowValue>
  void fill(RestTables<Value>& tables, EdgeValue&& edge, RowValue&& row) const;

 private:
  static std::size_t closing_index(const WidlGraph::Interleave& interleave, std::uint32_t memory) {
    return interleave.trie.empty() ? 0 : memory;
  }
  double share(const WidlGraph::Interleave& interleave, std::uint32_t memory,
               const std::vector<std::uint64_t>& units) const;
  double best_share(const WidlGraph::Interleave& interleave, std::uint32_t memory) const;
  std::vector<ScoreEstimate> best_closings(const WidlGraph::Interleave& interleave, double movement) const;
  void order_vertices();
  void rank_options();
  void find_types(NGramScorer& scorer);

  template <class Value>
  void fill_gaps(RestTables<Value>& tables, const WidlGraph::Node& node) const;

  const WidlGraph* graph_;
  double distortion_;
  std::vector<double> widl_weights_;
  std::vector<StepOption> options_;      // by edge
  std::vector<StepOption> ranked_;       // the same, of each vertex in runs
  std::vector<std::uint32_t> run_ends_;  // by first option of a run
  std::vector<double> row_scores_, movements_;
  std::vector<std::vector<double>> closings_;      // by interleave and memory, where units don't matter
  std::vector<std::uint32_t> vertices_backwards_;  // of all automata, exits first
  RestTables<ScoreEstimate> estimates_;
  RestTables<Extent> extents_;
  RestTables<Steps> steps_;
  ScoreEstimate finish_;
  std::vector<PhraseId> types_;
  std::vector<std::uint64_t> edge_types_;
};

template <class Value>
void GraphModel::fill_gaps(RestTables<Value>& tables, const WidlGraph::Node& node) const {
  const WidlGraph::TilesNode& tiles = graph_->tiles(node);
  const std::uint32_t length = tiles.expression->length();
  auto children = graph_->children(node);
  auto& gaps = tables.gaps[node.tiles];
  gaps.assign(std::size_t{length + 1} * (length + 1), nothing(static_cast<const Value*>(nullptr)));
  for (std::uint32_t begin = length + 1; begin-- > 0;) {
    gaps[begin * (length + 1) + begin] = {};
    for (std::uint32_t k = 0; k < children.size(); ++k) {
      auto [first, end_of_tile] = tiles.span(k);
      if (first != begin) continue;
      for (std::uint32_t end = end_of_tile; end <= length; ++end) {
        Value& best = gaps[begin * (length + 1) + end];
        best = better(best, tables.nodes[children[k]] + gaps[end_of_tile * (length + 1) + end]);
      }
    }
  }
}

template <class Value, class EdgeValue, class RowValue>
void GraphModel::fill(RestTables<Value>& tables, EdgeValue&& edge, RowValue&& row) const {
  const WidlGraph& graph = *graph_;
  tables.vertices.assign(graph.vertices(), {});
  tables.nodes.assign(graph.nodes().size(), {});
  tables.later.assign(graph.nodes().size(), {});
  tables.gaps.resize(graph.tiles().size());
  tables.movements.resize(graph.tiles().size());
  for (auto n = static_cast<std::uint32_t>(graph.nodes().size()); n-- > 0;) {  // children come after their parent
    const WidlGraph::Node& node = graph.node(n);
    Value all{};
    auto children = graph.children(node);
    switch (node.kind) {
      case WidlGraph::NodeKind::automaton:
        for (std::uint32_t i = 0; i < node.vertex_count; ++i) {
          std::uint32_t v = vertices_backwards_[node.first_vertex + i];
          bool first = true;
          for (const WidlGraph::Edge& e : graph.edges(graph.vertex(node, v))) {
            Value through = edge(graph.number_of(e)) + tables.vertices[node.first_vertex + e.to];
            Value& best = tables.vertices[node.first_vertex + v];
            best = first ? through : better(best, through);
            first = false;
          }
        }
        all = tables.vertices[node.first_vertex];
        break;
      case WidlGraph::NodeKind::sequence:
        for (std::size_t k = children.size(); k-- > 0;) {
          tables.later[children[k]] = all;
          all = all + tables.nodes[children[k]];
        }
        break;
      case WidlGraph::NodeKind::choice:
        all = tables.nodes[children[0]];
        for (std::uint32_t child : children.subspan(1)) all = better(all, tables.nodes[child]);
        break;
      case WidlGraph::NodeKind::interleave:
        for (std::uint32_t child : children) all = all + tables.nodes[child];
        if (!tables.closings[node.interleave].empty()) all = all + tables.closings[node.interleave][0];
        break;
      case WidlGraph::NodeKind::tiles:
        fill_gaps(tables, node);
        all = tables.gaps[node.tiles][graph.tiles(node).expression->length()] + tables.movements[node.tiles];
        break;
    }
    if (node.entry_logs != WidlGraph::kNone) all = all + row(node.entry_logs);
    tables.nodes[n] = all;
  }
}

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
