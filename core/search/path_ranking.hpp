#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <set>
#include <span>
#include <vector>

#include "search/arc_order.hpp"
#include "search/budget.hpp"
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
    budget.afford(kWorkPerArc * graph.arcs().size());
    index_arcs();
    score_forwards();
    if (graph.goal() != Graph::kNone && best_[graph.goal()] != Graph::kWorst) push({graph.goal(), kNone, kNone}, 0);
  }

  /// The k best, or as many as the budget allows; of paths with equal words only the best when `distinct`.
  std::vector<RankedPath> best(std::size_t k, bool distinct) {
    std::vector<RankedPath> found;
    try {
      find(k, distinct, found);
    } catch (const OutOfBudget&) {
      if (found.empty()) throw;
    }
    return found;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kWorkPerArc = 20, kWorkPerStep = 20;

  void find(std::size_t k, bool distinct, std::vector<RankedPath>& found) {
    std::set<std::vector<WordId>> seen;
    std::size_t tried = 0;
    const std::size_t most_tried = 10'000 + 100 * k;  // equal strings can be as many as derivations
    while (found.size() < k && !queue_.empty() && tried < most_tried) {
      Entry entry = queue_.top();
      queue_.pop();
      const Step step = steps_[entry.step];
      if (step.node == graph_.root()) {
        ++tried;
        if (!distinct || seen.insert(words(step)).second) found.push_back({labels(step), entry.priority});
        continue;
      }
      for (std::uint32_t i = first_in_[step.node]; i < first_in_[step.node + 1]; ++i) {
        budget_.work(kWorkPerStep);
        const Arc& arc = graph_.arcs()[arcs_in_[i]];
        push({arc.from, entry.step, arcs_in_[i]}, entry.suffix + arc.score);
      }
    }
  }

  /// The end of a path, from `node` on: an arc, then the rest.
  struct Step {
    NodeId node;
    std::uint32_t rest;
    std::uint32_t arc;
  };
  struct Entry {
    double priority, suffix;
    std::uint32_t step;
    bool operator<(const Entry& other) const { return priority < other.priority; }
  };

  void push(const Step& step, double suffix) {
    steps_.push_back(step);
    queue_.push({best_[step.node] + suffix, suffix, static_cast<std::uint32_t>(steps_.size() - 1)});
  }

  void index_arcs() {
    first_in_.assign(graph_.size() + 1, 0);
    for (const Arc& arc : graph_.arcs()) ++first_in_[arc.to + 1];
    for (std::size_t n = 0; n < graph_.size(); ++n) first_in_[n + 1] += first_in_[n];
    Counted<std::uint32_t> next(first_in_.begin(), first_in_.end() - 1, budget_);
    arcs_in_.resize(graph_.arcs().size());
    for (std::uint32_t a = 0; a < graph_.arcs().size(); ++a) arcs_in_[next[graph_.arcs()[a].to]++] = a;
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
  std::vector<WordId> words(Step step) const {
    std::vector<WordId> all;
    for (; step.arc != kNone; step = steps_[step.rest]) {
      auto phrase = graph_.scorer().words(graph_.arcs()[step.arc].phrase);
      all.insert(all.end(), phrase.begin(), phrase.end());
    }
    return all;
  }

  const Graph& graph_;
  Budget& budget_;
  Counted<std::uint32_t> first_in_{budget_}, arcs_in_{budget_};  // arcs by the node they lead to
  Counted<double> best_{budget_};                                // by node: from the root
  Counted<Step> steps_{budget_};
  std::priority_queue<Entry, Counted<Entry>> queue_{std::less<Entry>(), Counted<Entry>(budget_)};
};

}  // namespace widl
