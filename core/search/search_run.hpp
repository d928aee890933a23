#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "search/explored_graph.hpp"
#include "search/options.hpp"
#include "search/path_ranking.hpp"
#include "search/search_graph.hpp"
#include "search/trace.hpp"

namespace widl {

/// What a search found: complete paths, best first (none: nothing was found), and what it knows of all others.
struct SearchResult {
  std::vector<RankedPath> paths;
  double bound = 0;         ///< no path scores more
  std::string stopped;      ///< the budget that ran out, or empty
  bool exhaustive = true;   ///< where no path was found: there is none
  SearchStatistics statistics;
  ReachedGraph reached;     ///< empty unless asked for
  ExploredGraph explored;   ///< the same
};

/// What all searches share: the explored graph, budgets, the best bound among all that was left aside, and an
/// answer when the budget runs out.
template <Unfolding U, class Outlook>
class SearchRun {
 protected:
  using Graph = SearchGraph<U, Outlook>;
  using NodeId = typename Graph::NodeId;
  static constexpr NodeId kNone = Graph::kNone;

  SearchRun(const U& unfolding, Scorer& scorer, Outlook& outlook, const SearchOptions& options)
      : start_(std::chrono::steady_clock::now()), graph_(unfolding, scorer, outlook, options), options_(options) {}

  /// Only `bfs` and `beam` know lengths; what orders the others is the bound when they are to be exact.
  double priority(NodeId number) const {
    const auto& node = graph_[number];
    return node.score + (options_.algorithm == Algorithm::astar ? node.bound : node.estimate);
  }

  void give_up(NodeId number) {
    lost_bound_ = std::max(lost_bound_, graph_[number].score + graph_[number].bound);
  }

  /// Keeps of a layer only what is within a factor of its best, and only so many.
  void prune(std::vector<NodeId>& layer) {
    double best = Graph::kWorst;
    for (NodeId number : layer) best = std::max(best, priority(number));
    const double least = best + std::log(options_.beam);
    auto end = std::partition(layer.begin(), layer.end(), [&](NodeId number) { return priority(number) >= least; });
    std::for_each(end, layer.end(), [&](NodeId number) { give_up(number); });
    layer.erase(end, layer.end());
    if (options_.beam_size == 0 || layer.size() <= options_.beam_size) return;
    auto kept = layer.begin() + static_cast<std::ptrdiff_t>(options_.beam_size);
    std::nth_element(layer.begin(), kept, layer.end(), [&](NodeId a, NodeId b) { return priority(a) > priority(b); });
    std::for_each(kept, layer.end(), [&](NodeId number) { give_up(number); });
    layer.erase(kept, layer.end());
  }

  template <class Reached>
  void unfold(NodeId number, Reached&& reached) {
    ++unfolded_;
    graph_.unfold(number, reached);
  }

  /// Whether a budget has run out; remembers which.
  bool exhausted() {
    if (options_.max_states && graph_.size() >= options_.max_states) stopped_ = "max_states";
    if (options_.max_memory && graph_.memory() + queue_memory() > options_.max_memory) stopped_ = "max_memory";
    // Reading the clock costs as much as a few edges.
    if (options_.max_seconds > 0 && unfolded_ % 16 == 0 && seconds() > options_.max_seconds) stopped_ = "max_seconds";
    return !stopped_.empty();
  }

  /// The result once everything left is given up.
  SearchResult finish() {
    bool exhaustive = true;
    const bool has_answer = options_.floor != Graph::kWorst;  // who knows the floor has one
    if (!graph_.empty() && graph_.goal() == kNone && !has_answer) exhaustive = finish_greedily();
    SearchResult result{{}, lost_bound_, stopped_, exhaustive, {}, {}, {}};
    if (!graph_.empty() && graph_.goal() != kNone) {
      NodeId goal = graph_.goal();
      if (options_.nbest > 1 || options_.lattice) result.paths = ranked();
      if (result.paths.empty()) result.paths = {{graph_.labels_to(goal), graph_[goal].score}};
      result.bound = std::max(graph_[goal].score, lost_bound_);
      if (options_.lattice)
        result.explored = GraphPruning<Graph>(graph_).keep(options_.lattice_beam, options_.lattice_arcs);
    }
    result.statistics = {graph_.size(), unfolded_, graph_.edges(), peak_queue_, graph_.memory(), seconds()};
    if (options_.trace) result.reached = reached_graph(graph_, options_.trace);
    return result;
  }

  std::vector<RankedPath> ranked() const {
    return PathRanking<Graph>(graph_).best(options_.nbest, options_.distinct);
  }

  virtual std::size_t queue_memory() const = 0;
  ~SearchRun() = default;

  std::chrono::steady_clock::time_point start_;
  Graph graph_;
  SearchOptions options_;
  double lost_bound_ = Graph::kWorst;
  std::size_t unfolded_ = 0;
  std::size_t peak_queue_ = 0;
  std::string stopped_;

 private:
  static constexpr std::size_t kMostGreedySteps = 200'000;

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  /// Without a complete path: from the node that got furthest always the successor with the best
  /// priority, backing out of dead ends. Whether nothing is left to try.
  bool finish_greedily() {
    NodeId furthest = graph_.root();
    for (NodeId n = 0; n < graph_.size(); ++n) {
      if (graph_[n].bound == Graph::kWorst) continue;
      if (std::pair(graph_[n].length, priority(n)) > std::pair(graph_[furthest].length, priority(furthest)))
        furthest = n;
    }
    std::vector<NodeId> open = {graph_.root(), furthest};
    std::vector<bool> seen;
    for (std::size_t steps = 0; !open.empty() && graph_.goal() == kNone && steps < kMostGreedySteps; ++steps) {
      NodeId number = open.back();
      open.pop_back();
      seen.resize(graph_.size());
      if (seen[number]) {
        if (open.empty()) retry_leaves(seen, open);
        continue;
      }
      seen[number] = true;
      std::vector<std::pair<double, NodeId>> next;
      // A successor that was reached before, by a better path, has its turn from there.
      graph_.unfold(number, [&](NodeId to) { next.emplace_back(priority(to), to); });
      std::sort(next.begin(), next.end());
      for (const auto& [_, to] : next) open.push_back(to);
      if (open.empty()) retry_leaves(seen, open);
    }
    return open.empty();
  }

  /// Everything reached so far that was never tried, the longest paths last.
  void retry_leaves(const std::vector<bool>& seen, std::vector<NodeId>& open) const {
    for (NodeId n = 0; n < graph_.size(); ++n)
      if (graph_[n].bound != Graph::kWorst && (n >= seen.size() || !seen[n])) open.push_back(n);
    std::sort(open.begin(), open.end(), [&](NodeId a, NodeId b) { return graph_[a].length < graph_[b].length; });
  }
};

}  // namespace widl
