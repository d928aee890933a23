#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <ranges>
#include <vector>

#include "search/arc_order.hpp"
#include "search/budget.hpp"
#include "search/hash_table.hpp"
#include "search/ranked_path.hpp"
#include "search/scorer.hpp"
#include "search/unfolding.hpp"

namespace widl {

/// The complete paths of an explored graph, best first: best-first search from the goal backwards, where the
/// best score of reaching a node from the root is known exactly.
template <class Graph>
class PathRanking {
 public:
  using NodeId = typename Graph::NodeId;
  using Arc = typename Graph::Arc;

  /// @throws OutOfBudget
  PathRanking(const Graph& graph, Budget& budget) : graph_(graph), budget_(budget) {
    budget.work(kWorkPerArc * graph.arcs().size());
    arcs_in_.index(graph.arcs(), graph.size(), &Arc::to);
    score_forwards();
    if (graph.goal() != Graph::kNone && best_[graph.goal()] != Graph::kWorst) push({graph.goal(), kNone, kNone, kNone}, 0);
  }

  /// Appends the k best, or all that there are; of paths with equal words only the best when `distinct`.
  /// @throws OutOfBudget after the first of them
  void best(std::size_t k, bool distinct, std::vector<RankedPath>& found) {
    if (distinct) suffixes_.emplace(budget_);
    while (found.size() < k && !queue_.empty()) {
      const Entry entry = queue_.top();
      queue_.pop();
      budget_.work(kWorkPerStep);
      if (distinct && !is_new(entry.step)) continue;
      const Step step = steps_[entry.step];
      if (step.node == graph_.root()) {
        found.push_back({labels(step), entry.priority});
        continue;
      }
      for (std::uint32_t a : arcs_in_.of(step.node)) {
        budget_.work(kWorkPerStep);
        const Arc& arc = graph_.arcs()[a];
        push({arc.from, entry.step, a, kNone}, entry.suffix + arc.score);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kWorkPerArc = 20, kWorkPerStep = 20;

  /// The end of a path, from `node` on: an arc, then the rest.
  struct Step {
    NodeId node;
    std::uint32_t rest;
    std::uint32_t arc;
    std::uint32_t suffix;  ///< its words, of distinct strings: known once it was looked at
  };
  struct Entry {
    double priority, suffix;
    std::uint32_t step;
    bool operator<(const Entry& other) const { return priority < other.priority; }
  };

  /// The ends of strings by number, and the nodes that each was seen to lead from.
  struct Suffixes {
    struct Suffix {
      WordId word;
      std::uint32_t rest;
    };
    explicit Suffixes(Budget& budget) : index(budget), all(budget), seen(64, budget) {}

    std::uint32_t longer(WordId word, std::uint32_t rest) {
      const std::uint64_t hash = std::uint64_t{rest} << 32 | word;
      const std::uint32_t known =
          index.find(hash, [&](std::uint32_t one) { return all[one].word == word && all[one].rest == rest; });
      if (known != kNone) return known;
      const auto number = static_cast<std::uint32_t>(all.size());
      all.push_back({word, rest});
      index.insert(hash, number);
      return number;
    }

    HashIndex<BudgetAllocator> index;
    Counted<Suffix> all;
    HashTable<bool, BudgetAllocator> seen;  // by suffix and node
  };

  /// Whether no better path from the same node ends in the same words: whatever comes before it, it makes the worse one of
  /// two equal strings. So each string is found once, however many paths it has (as if the graph were determinised lazily,
  /// Mohri & Riley 2002).
  bool is_new(std::uint32_t number) {
    Step& step = steps_[number];
    std::uint32_t suffix = step.rest == kNone ? kNone - 1 : steps_[step.rest].suffix;
    if (step.arc != kNone)
      for (const WordId word : graph_.scorer().words(graph_.arcs()[step.arc].phrase) | std::views::reverse)
        suffix = suffixes_->longer(word, suffix);
    step.suffix = suffix;
    return suffixes_->seen.find_or_insert(std::uint64_t{suffix} << 32 | step.node).second;
  }

  void push(const Step& step, double suffix) {
    steps_.push_back(step);
    queue_.push({best_[step.node] + suffix, suffix, static_cast<std::uint32_t>(steps_.size() - 1)});
  }

  /// The best score of every node along the arcs.
  void score_forwards() {
    const auto arcs = graph_.arcs();
    best_.assign(graph_.size(), Graph::kWorst);
    best_[graph_.root()] = 0;
    for (std::uint32_t a : topological_arcs(arcs, graph_.size(), budget_))
      best_[arcs[a].to] = std::max(best_[arcs[a].to], best_[arcs[a].from] + arcs[a].score);
  }

  std::vector<std::uint32_t> labels(Step step) const {
    std::vector<std::uint32_t> all;
    for (; step.arc != kNone; step = steps_[step.rest]) all.push_back(graph_.arcs()[step.arc].label);
    return all;
  }

  const Graph& graph_;
  Budget& budget_;
  ArcsByNode arcs_in_{budget_};       // arcs by the node they lead to
  Counted<double> best_{budget_};     // by node: from the root
  Counted<Step> steps_{budget_};
  std::optional<Suffixes> suffixes_;  // of distinct strings
  std::priority_queue<Entry, Counted<Entry>> queue_{std::less<Entry>(), Counted<Entry>(budget_)};
};

}  // namespace widl
