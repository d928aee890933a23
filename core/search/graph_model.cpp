#include "search/graph_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "errors.hpp"
#include "expression/widl_graph.hpp"
#include "log_zero.hpp"

namespace widl {
namespace {

using Form = InterleaveDistribution::Form;

std::size_t memory_values(const WidlGraph::Interleave& interleave) {
  return interleave.trie.empty() ? 1 : interleave.mixed() + 1;
}

bool is_inner(const WidlGraph::Interleave& interleave, std::uint32_t memory) {
  return memory < interleave.off() && interleave.trie[memory].listed == WidlGraph::kNone;
}

/// The minimum printed length of the words of an edge, in bytes.
std::uint32_t least_bytes(const WidlGraph::Edge& edge, const PrintedLength& printed) {
  if (edge.position + edge.word_count > printed.positions())
    throw InputError("the printed length is of " + std::to_string(printed.positions()) +
                     " words, the expression has more");
  std::uint32_t sum = 0;
  for (std::uint32_t word = 0; word < edge.word_count; ++word) sum += printed.least(edge.position + word);
  return sum;
}

}  // namespace

GraphModel::GraphModel(const WidlGraph& graph, NGramScorer& scorer, const WeightVector& weights,
                       const PrintedLength* printed)
    : graph_(&graph), distortion_(weights.distortion), widl_weights_(weights.widl) {
  for (std::uint32_t row = 0; row < graph.rows(); ++row) {
    double sum = 0;
    for (std::size_t j = 0; j < graph.components(); ++j) sum += weights.widl[j] * graph.logs(row)[j];
    row_scores_.push_back(sum);
  }
  for (const WidlGraph::Edge& edge : graph.edges()) {
    double score = weights.word_count * edge.word_count + weights.phrase_count * edge.phrases;
    if (edge.logs != WidlGraph::kNone) score += row_scores_[edge.logs];
    const PhraseId phrase = scorer.phrase(graph.words(edge));
    const ScoreEstimate language = scorer.estimate_of(phrase);
    const std::uint32_t bytes = printed ? least_bytes(edge, *printed) : scorer.bytes(phrase);
    options_.push_back({phrase, graph.number_of(edge), edge.word_count, bytes, score, score + language.estimate,
                        score + language.bound, 0});
  }
  rank_options();
  find_types(scorer);
  scorer.settle();
  finish_ = scorer.finish_estimate();
  for (const WidlGraph::Interleave& interleave : graph.interleaves()) {
    bool moves = interleave.delta->form == Form::movement;
    movements_.push_back(moves ? weights.distortion * std::log(interleave.delta->movement_base) : 0);
    closings_.emplace_back();
    if (!interleave.counts_units && !moves)
      for (std::uint32_t memory = 0; memory < memory_values(interleave); ++memory)
        closings_.back().push_back(is_inner(interleave, memory) ? kLogZero
                                                                : share(interleave, memory, interleave.min_units));
    estimates_.closings.push_back(best_closings(interleave, movements_.back()));
    extents_.closings.emplace_back();
    steps_.closings.emplace_back();
  }
  for (const WidlGraph::TilesNode& tiles : graph.tiles()) {
    // For a weight that rewards movement: every tile moves as far as possible.
    double length = tiles.expression->length();
    double most = std::max(0.0, distortion_ * std::log(tiles.expression->movement_base())) * length * length;
    estimates_.movements.push_back({most, most});
  }
  order_vertices();
  fill(
      estimates_,
      [&](std::uint32_t e) {
        return ScoreEstimate{options_[e].estimate, options_[e].bound};
      },
      [&](std::uint32_t row) {
        return ScoreEstimate{row_scores_[row], row_scores_[row]};
      });
  fill(
      extents_,
      [&](std::uint32_t e) {
        return Extent{options_[e].word_count, options_[e].bytes};
      },
      [](std::uint32_t) { return Extent{}; });
  steps_.movements.resize(graph.tiles().size());
  fill(
      steps_, [](std::uint32_t) { return Steps{1}; }, [](std::uint32_t) { return Steps{}; });
}

/// Edges of a vertex to equal vertices lead to equal states if they count as many units.
void GraphModel::rank_options() {
  ranked_ = options_;
  run_ends_.resize(options_.size());
  const auto step = [&](const StepOption& option) {
    const WidlGraph::Edge& edge = graph_->edges()[option.label];
    return std::pair(edge.to, edge.units);
  };
  for (const WidlGraph::Node& node : graph_->nodes())
    for (std::uint32_t v = 0; v < node.vertex_count; ++v) {
      const WidlGraph::Vertex& vertex = graph_->vertex(node, v);
      const auto first = ranked_.begin() + vertex.first_edge, end = first + vertex.edge_count;
      std::sort(first, end, [&](const StepOption& a, const StepOption& b) {
        return std::tuple(step(a), -a.estimate, a.label) < std::tuple(step(b), -b.estimate, b.label);
      });
      for (auto run = first, next = run; run != end; run = next) {
        next = std::find_if_not(run, end, [&](const StepOption& option) { return step(*run) == step(option); });
        run_ends_[static_cast<std::size_t>(run - ranked_.begin())] = static_cast<std::uint32_t>(next - ranked_.begin());
        std::span options(run, next);
        bound_from_each(options, [](const auto&, const auto&) { return true; });
      }
    }
}

void GraphModel::find_types(NGramScorer& scorer) {
  std::unordered_map<WordId, std::uint32_t> numbers;
  for (const WidlGraph::Edge& edge : graph_->edges()) {
    std::uint64_t types = 0;
    for (WordId word : graph_->words(edge)) {
      auto [entry, added] = numbers.try_emplace(word, static_cast<std::uint32_t>(numbers.size()));
      if (numbers.size() > 64) {
        types_.clear();
        return;
      }
      if (added) types_.push_back(scorer.phrase({&word, 1}));
      types |= std::uint64_t{1} << entry->second;
    }
    edge_types_.push_back(types);
  }
}

double GraphModel::share(const WidlGraph::Interleave& interleave, std::uint32_t memory,
                         const std::vector<std::uint64_t>& units) const {
  InterleavingCounts counts(units);
  double sum = 0;
  for (std::size_t j = 0; j < widl_weights_.size(); ++j) {
    double log = log_share(interleave, memory, counts, j);
    if (log == kLogZero) return kLogZero;
    sum += widl_weights_[j] * log;
  }
  return sum;
}

/// Upper bound on `share` over all numbers of units.
double GraphModel::best_share(const WidlGraph::Interleave& interleave, std::uint32_t memory) const {
  // Each component falls as the units grow, unless the fewest units allow no shuffles.
  InterleavingCounts fewest(interleave.min_units), most(interleave.max_units), few = fewest;
  bool mixed = !interleave.trie.empty() && memory == interleave.mixed();
  if (mixed && most.shuffles == kLogZero) return kLogZero;
  if (mixed && fewest.shuffles == kLogZero)  // one argument has a second unit: n!(n - 1)/2
    few.shuffles = few.permutations + std::log(0.5 * static_cast<double>(interleave.min_units.size() - 1));
  double sum = 0;
  for (std::size_t j = 0; j < widl_weights_.size(); ++j) {
    double high = log_share(interleave, memory, few, j), low = log_share(interleave, memory, most, j);
    if (high == kLogZero) return kLogZero;
    sum += std::max(widl_weights_[j] * high, widl_weights_[j] * low);
  }
  return sum;
}

/// The best score of closing the interleave, by memory.
std::vector<ScoreEstimate> GraphModel::best_closings(const WidlGraph::Interleave& interleave, double movement) const {
  auto n = static_cast<double>(interleave.min_units.size());
  // For a weight that rewards movement: every argument moves as far as possible.
  if (interleave.delta->form == Form::movement) {
    double most = std::max(0.0, movement) * n * n;
    return {{most, most}};
  }
  std::vector<ScoreEstimate> best;
  for (std::uint32_t memory = 0; memory < memory_values(interleave); ++memory) {
    double best_share_here = is_inner(interleave, memory) ? kLogZero : best_share(interleave, memory);
    best.push_back({best_share_here, best_share_here});
  }
  if (interleave.trie.empty()) return best;
  ScoreEstimate mixed = interleave.contiguous ? ScoreEstimate{kLogZero, kLogZero} : best[interleave.mixed()];
  best[interleave.off()] = better(best[interleave.off()], mixed);
  for (std::uint32_t node = interleave.off(); node-- > 0;) {  // children come after their parent
    for (std::uint32_t next : interleave.trie[node].next)
      if (next != WidlGraph::kNone) best[node] = better(best[node], best[next]);
    if (is_inner(interleave, node)) best[node] = better(best[node], best[interleave.off()]);
  }
  return best;
}

void GraphModel::order_vertices() {
  vertices_backwards_.resize(graph_->vertices());
  std::vector<std::uint32_t> open, first_in, sources;
  for (const WidlGraph::Node& node : graph_->nodes()) {
    if (node.kind != WidlGraph::NodeKind::automaton) continue;
    std::uint32_t* order = vertices_backwards_.data() + node.first_vertex;
    order[0] = 1;
    order[1] = 0;
    if (node.vertex_count == 2) continue;
    // Kahn's algorithm from the exit: a vertex is next when all its edges lead to ordered ones.
    open.assign(node.vertex_count, 0);
    first_in.assign(node.vertex_count + 1, 0);
    for (std::uint32_t v = 0; v < node.vertex_count; ++v)
      for (const WidlGraph::Edge& e : graph_->edges(graph_->vertex(node, v))) {
        ++open[v];
        ++first_in[e.to + 1];
      }
    for (std::uint32_t v = 0; v < node.vertex_count; ++v) first_in[v + 1] += first_in[v];
    sources.resize(first_in.back());
    std::vector<std::uint32_t> next_in = first_in;
    for (std::uint32_t v = 0; v < node.vertex_count; ++v)
      for (const WidlGraph::Edge& e : graph_->edges(graph_->vertex(node, v))) sources[next_in[e.to]++] = v;
    std::uint32_t count = 1;
    for (std::uint32_t i = 0; i < count; ++i)
      for (std::uint32_t in = first_in[order[i]]; in < first_in[order[i] + 1]; ++in)
        if (--open[sources[in]] == 0) order[count++] = sources[in];
  }
}

}  // namespace widl
