#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <concepts>
#include <limits>
#include <queue>
#include <vector>

#include "search/hash_table.hpp"
#include "search/options.hpp"
#include "search/scorer.hpp"

namespace widl {

/// What best-first search needs of an acceptor that is unfolded on demand.
template <class U>
concept Unfolding = requires(const U& unfolding, const typename U::State& state) {
  { unfolding.initial() } -> std::same_as<typename U::State>;
  { unfolding.is_final(state) } -> std::same_as<bool>;
  { U::hash(state) } -> std::same_as<std::uint64_t>;
  unfolding.successors(state, [](const typename U::Edge&) {});
};

/// Best-first search over the intersection of an unfolding with n-gram language models
/// (Soricut & Marcu 2005, Fig. 5; 2006, Fig. 3).
///
///   e* = argmax_e  Σ_m λ_m h_m(e)
///
/// States of the intersection are hash-consed: of two paths to the same (unfolding state, language
/// model context) the better one survives. `Outlook` maps an unfolding state to its completion's
/// estimate and bound: A* orders by the bound and is exact; A*_k orders by the estimate and unfolds
/// only states at most k words shorter than the longest one unfolded; the bound certifies both.
template <Unfolding U, class Outlook>
class BestFirst {
 public:
  using State = typename U::State;
  using Edge = typename U::Edge;
  struct Path {
    std::vector<std::uint32_t> labels;
    double score = 0;
    double bound = 0;
    std::string stopped;
  };

  BestFirst(const U& unfolding, Scorer& scorer, Outlook& outlook, const SearchOptions& options)
      : unfolding_(unfolding), scorer_(scorer), outlook_(outlook), options_(options) {}

  /// The best path found. Without any complete path `labels` is empty and score is minus infinity.
  Path run() {
    start_ = std::chrono::steady_clock::now();
    add_start();
    std::uint32_t goal = kNone;
    std::string stopped;
    while (!queue_.empty()) {
      Entry entry = queue_.top();
      queue_.pop();
      const Node& node = nodes_[entry.node];
      if (entry.priority != priority(node)) continue;  // reached better since
      if (!eligible(node)) {
        give_up(node);
        continue;
      }
      if (node.is_goal) {
        goal = entry.node;
        break;
      }
      stopped = exhausted_budget();
      if (!stopped.empty()) {
        give_up(node);
        break;
      }
      unfold(entry.node);
    }
    for (; !queue_.empty(); queue_.pop())
      if (queue_.top().priority == priority(nodes_[queue_.top().node])) give_up(nodes_[queue_.top().node]);
    if (goal == kNone) goal = finish_greedily();
    return path_to(goal, std::move(stopped));
  }

  SearchStatistics statistics() const {
    SearchStatistics result = statistics_;
    result.states = nodes_.size();
    result.seconds = seconds();
    return result;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr double kWorst = -std::numeric_limits<double>::infinity();

  struct Node {
    State state;
    double score;        ///< of the best path here
    double estimate;     ///< of the completion, as used for ordering
    double bound;        ///< of the completion
    ContextId context;
    std::uint32_t parent;
    std::uint32_t label; ///< of the edge from the parent
    std::uint32_t length;
    bool is_goal;
    bool unfolded;
  };
  struct Entry {
    double priority;
    std::uint32_t length;
    std::uint32_t node;
    /// Among equals the longer path: it is nearer to the goal.
    bool operator<(const Entry& other) const {
      return priority != other.priority ? priority < other.priority : length < other.length;
    }
  };

  double priority(const Node& node) const { return node.score + node.estimate; }

  bool eligible(const Node& node) const {
    return options_.algorithm == Algorithm::astar || node.length + options_.lookback >= longest_;
  }

  void give_up(const Node& node) { lost_bound_ = std::max(lost_bound_, node.score + node.bound); }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  std::string exhausted_budget() const {
    if (options_.max_states && nodes_.size() >= options_.max_states) return "max_states";
    // Reading the clock costs as much as a few edges.
    if (options_.max_seconds > 0 && statistics_.unfolded % 16 == 0 && seconds() > options_.max_seconds)
      return "max_seconds";
    return {};
  }

  void add_start() {
    Edge edge{};
    edge.to = unfolding_.initial();
    add(edge, kNone, 0.0, scorer_.start(), 0);
  }

  void unfold(std::uint32_t number) {
    ++statistics_.unfolded;
    nodes_[number].unfolded = true;
    longest_ = std::max(longest_, nodes_[number].length);
    const Node from = nodes_[number];  // nodes_ may move while it grows
    unfolding_.successors(from.state, [&](const Edge& edge) {
      ++statistics_.edges;
      Scorer::Step step = scorer_.extend(from.context, edge.phrase);
      add(edge, number, from.score + edge.score + step.score, step.next, from.length + edge.word_count);
    });
  }

  /// Makes or improves the node that an edge leads to, and queues it.
  std::uint32_t add(const Edge& edge, std::uint32_t parent, double score, ContextId context,
                    std::uint32_t length) {
    bool is_goal = unfolding_.is_final(edge.to);
    if (is_goal) score += scorer_.finish(context);
    std::uint32_t number = find(edge.to, is_goal ? kNone : context, is_goal);
    if (number != kNone && nodes_[number].score >= score) return number;
    if (number == kNone) {
      number = insert({edge.to, score, 0, 0, context, parent, edge.label, length, is_goal, false});
      Node& node = nodes_[number];
      if (!is_goal) {
        auto [estimate, bound] = outlook_(edge.to);
        node.estimate = options_.algorithm == Algorithm::astar ? bound : estimate;
        node.bound = bound;
      }
    } else {
      Node& node = nodes_[number];
      node.score = score;
      node.parent = parent;
      node.label = edge.label;
      node.length = length;
      node.context = context;
    }
    const Node& node = nodes_[number];
    if (node.bound == kWorst) return number;  // a dead end
    if (!eligible(node)) {
      give_up(node);
      return number;
    }
    queue_.push({priority(node), length, number});
    statistics_.peak_queue = std::max(statistics_.peak_queue, queue_.size());
    return number;
  }

  // The hash table: goal nodes are one whatever their context.
  std::uint32_t find(const State& state, ContextId context, bool is_goal) {
    if (is_goal) return goal_;
    std::size_t i = slot(state, context);
    while (slots_[i] != kNone) {
      const Node& node = nodes_[slots_[i]];
      if (node.context == context && node.state == state) return slots_[i];
      i = (i + 1) & (slots_.size() - 1);
    }
    return kNone;
  }

  std::uint32_t insert(const Node& node) {
    auto number = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(node);
    if (node.is_goal) return goal_ = number;
    if (nodes_.size() * 2 >= slots_.size()) {
      slots_.assign(slots_.size() * 2, kNone);
      for (std::uint32_t n = 0; n < number; ++n)
        if (!nodes_[n].is_goal) place(n);
    }
    place(number);
    return number;
  }

  void place(std::uint32_t number) {
    std::size_t i = slot(nodes_[number].state, nodes_[number].context);
    while (slots_[i] != kNone) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = number;
  }

  std::size_t slot(const State& state, ContextId context) const {
    return mix(U::hash(state) + context) & (slots_.size() - 1);
  }

  /// Out of budget: the best complete path so far or, if there is none, from the node that got
  /// furthest always the successor with the best estimate, backing out of dead ends.
  std::uint32_t finish_greedily() {
    if (goal_ != kNone || nodes_.empty()) return goal_;
    std::uint32_t furthest = 0;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      const Node &node = nodes_[n], &best = nodes_[furthest];
      if (node.bound == kWorst) continue;
      if (std::pair(node.length, priority(node)) > std::pair(best.length, priority(best))) furthest = n;
    }
    std::vector<std::uint32_t> open = {furthest};
    if (furthest != 0) open.insert(open.begin(), 0);
    std::vector<bool> seen(nodes_.size());
    while (!open.empty() && goal_ == kNone) {
      std::uint32_t number = open.back();
      open.pop_back();
      seen.resize(nodes_.size());
      if (seen[number]) continue;
      seen[number] = true;
      const Node from = nodes_[number];
      std::vector<std::pair<double, std::uint32_t>> next;
      unfolding_.successors(from.state, [&](const Edge& edge) {
        Scorer::Step step = scorer_.extend(from.context, edge.phrase);
        std::uint32_t to = add(edge, number, from.score + edge.score + step.score, step.next,
                               from.length + edge.word_count);
        if (nodes_[to].bound != kWorst) next.emplace_back(priority(nodes_[to]), to);
      });
      std::sort(next.begin(), next.end());
      for (const auto& [_, to] : next) open.push_back(to);
    }
    return goal_;
  }

  Path path_to(std::uint32_t goal, std::string stopped) {
    Path path;
    path.stopped = std::move(stopped);
    if (goal == kNone) {
      path.score = path.bound = kWorst;
      return path;
    }
    path.score = nodes_[goal].score;
    path.bound = std::max(path.score, lost_bound_);
    for (std::uint32_t n = goal; nodes_[n].parent != kNone; n = nodes_[n].parent)
      path.labels.push_back(nodes_[n].label);
    std::reverse(path.labels.begin(), path.labels.end());
    return path;
  }

  const U& unfolding_;
  Scorer& scorer_;
  Outlook& outlook_;
  SearchOptions options_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(1024, kNone);
  std::priority_queue<Entry> queue_;
  std::uint32_t goal_ = kNone;
  std::uint32_t longest_ = 0;
  double lost_bound_ = kWorst;
  SearchStatistics statistics_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace widl
