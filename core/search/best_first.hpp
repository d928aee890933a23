#pragma once

#include <algorithm>
#include <chrono>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "search/options.hpp"
#include "search/search_graph.hpp"

namespace widl {

/// Best-first search over the intersection of an unfolding with n-gram language models
/// (Soricut & Marcu 2005, Fig. 5; 2006, Fig. 3).
///
///   e* = argmax_e  Σ_m λ_m h_m(e)
///
/// A* orders by the bound and is exact. A*_k orders by the estimate and unfolds only states at most k
/// words shorter than the longest one unfolded. The best bound among all that was left aside
/// certifies both.
template <Unfolding U, class Outlook>
class BestFirst {
 public:
  struct Path {
    std::vector<std::uint32_t> labels;
    double score;
    double bound;
    std::string stopped;
  };

  BestFirst(const U& unfolding, Scorer& scorer, Outlook& outlook, const SearchOptions& options)
      : start_(std::chrono::steady_clock::now()), graph_(unfolding, scorer, outlook), options_(options) {}

  /// The best path found. Without any complete path `labels` is empty and score is minus infinity.
  Path run() {
    std::string stopped;
    NodeId goal = kNone;
    if (graph_[graph_.root()].bound != Graph::kWorst) offer(graph_.root());
    while (!queue_.empty()) {
      Entry entry = queue_.top();
      queue_.pop();
      if (entry.priority != priority(entry.node)) continue;  // reached better since
      if (!eligible(entry.node)) {
        give_up(entry.node);
        continue;
      }
      if (graph_[entry.node].is_goal) {
        goal = entry.node;
        break;
      }
      stopped = exhausted_budget();
      if (!stopped.empty()) {
        give_up(entry.node);
        break;
      }
      unfold(entry.node);
    }
    for (; !queue_.empty(); queue_.pop())
      if (queue_.top().priority == priority(queue_.top().node)) give_up(queue_.top().node);
    if (goal == kNone) goal = finish_greedily();
    if (goal == kNone) return {{}, Graph::kWorst, Graph::kWorst, stopped};
    double score = graph_[goal].score;
    return {graph_.labels_to(goal), score, std::max(score, lost_bound_), stopped};
  }

  SearchStatistics statistics() const {
    return {graph_.size(), unfolded_, graph_.edges(), peak_queue_, seconds()};
  }

 private:
  using Graph = SearchGraph<U, Outlook>;
  using NodeId = typename Graph::NodeId;
  static constexpr NodeId kNone = Graph::kNone;

  struct Entry {
    double priority;
    std::uint32_t length;
    NodeId node;
    /// Among equals the longer path: it is nearer to the goal.
    bool operator<(const Entry& other) const {
      return priority != other.priority ? priority < other.priority : length < other.length;
    }
  };

  double priority(NodeId number) const {
    const auto& node = graph_[number];
    return node.score + (options_.algorithm == Algorithm::astar ? node.bound : node.estimate);
  }

  bool eligible(NodeId number) const {
    return options_.algorithm == Algorithm::astar || graph_[number].length + options_.lookback >= longest_;
  }

  void give_up(NodeId number) {
    lost_bound_ = std::max(lost_bound_, graph_[number].score + graph_[number].bound);
  }

  void offer(NodeId number) {
    if (!eligible(number)) return give_up(number);
    queue_.push({priority(number), graph_[number].length, number});
    peak_queue_ = std::max(peak_queue_, queue_.size());
  }

  void unfold(NodeId number) {
    ++unfolded_;
    longest_ = std::max(longest_, graph_[number].length);
    graph_.unfold(number, [&](NodeId to) { offer(to); });
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  std::string exhausted_budget() const {
    if (options_.max_states && graph_.size() >= options_.max_states) return "max_states";
    // Reading the clock costs as much as a few edges.
    if (options_.max_seconds > 0 && unfolded_ % 16 == 0 && seconds() > options_.max_seconds) return "max_seconds";
    return {};
  }

  /// Out of budget: the best complete path so far or, if there is none, from the node that got
  /// furthest always the successor with the best priority, backing out of dead ends.
  NodeId finish_greedily() {
    NodeId furthest = graph_.root();
    for (NodeId n = 0; n < graph_.size(); ++n) {
      if (graph_[n].bound == Graph::kWorst) continue;
      if (std::pair(graph_[n].length, priority(n)) > std::pair(graph_[furthest].length, priority(furthest)))
        furthest = n;
    }
    std::vector<NodeId> open = {graph_.root(), furthest};
    std::vector<bool> seen;
    while (!open.empty() && graph_.goal() == kNone) {
      NodeId number = open.back();
      open.pop_back();
      seen.resize(graph_.size());
      if (seen[number]) continue;
      seen[number] = true;
      std::vector<std::pair<double, NodeId>> next;
      // A successor that was reached before, by a better path, has its turn from there.
      graph_.unfold(number, [&](NodeId to) { next.emplace_back(priority(to), to); });
      std::sort(next.begin(), next.end());
      for (const auto& [_, to] : next) open.push_back(to);
      if (open.empty()) retry_leaves(seen, open);
    }
    return graph_.goal();
  }

  /// Everything reached so far that was never tried, the longest paths last.
  void retry_leaves(const std::vector<bool>& seen, std::vector<NodeId>& open) const {
    for (NodeId n = 0; n < graph_.size(); ++n)
      if (graph_[n].bound != Graph::kWorst && (n >= seen.size() || !seen[n])) open.push_back(n);
    std::sort(open.begin(), open.end(), [&](NodeId a, NodeId b) { return graph_[a].length < graph_[b].length; });
  }

  std::chrono::steady_clock::time_point start_;
  Graph graph_;
  SearchOptions options_;
  std::priority_queue<Entry> queue_;
  std::uint32_t longest_ = 0;
  double lost_bound_ = Graph::kWorst;
  std::size_t unfolded_ = 0;
  std::size_t peak_queue_ = 0;
};

}  // namespace widl
