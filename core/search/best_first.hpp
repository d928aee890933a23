#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "function_ref.hpp"
#include "log_zero.hpp"
#include "search/search_run.hpp"

namespace widl {

/// Best-first search over the intersection of an unfolding with n-gram language models
/// (Soricut & Marcu 2005, Fig. 5; 2006, Fig. 3).
///
///   e* = argmax_e  Σ_m λ_m h_m(e)
///
/// A* orders by the bound and is exact. A*_k unfolds only states at most k shorter than the longest one, until no bound
/// exceeds the best complete path. The best bound of the pruned and queued nodes is the certificate of both.
template <Unfolding U>
class BestFirstRun : public SearchRun<U> {
  using Run = SearchRun<U>;
  using typename Run::Graph;
  using typename Run::NodeId;
  using Run::attempt, Run::budget_, Run::graph_, Run::kNone, Run::search_options_, Run::order_, Run::priority,
      Run::prune_node, Run::unfolded_;

 public:
  /// A*.
  BestFirstRun(const U& unfolding, NGramScorer& scorer, Run::StateEstimator& estimator, const SearchOptions& options,
               Budget& budget)
      : Run(unfolding, scorer, estimator, options, budget, Order::bound) {}
  /// A*_k.
  BestFirstRun(const U& unfolding, NGramScorer& scorer, Run::StateEstimator& estimator, const AStarK& k,
               const SearchOptions& options, Budget& budget)
      : Run(unfolding, scorer, estimator, options, budget, k.order), k_(k) {}

  SearchResult run() {
    return this->result_of([&] { return explore(); });
  }

 private:
  struct Entry {
    double priority;
    std::uint32_t length;
    NodeId node;
    /// Ties go to the longer path, which is nearer to the goal.
    bool operator<(const Entry& other) const {
      return priority != other.priority ? priority < other.priority : length < other.length;
    }
  };

  PrunedBound explore() {
    PrunedBound pruned = PrunedBound::none();
    if (graph_[graph_.root()].bound != kLogZero) pruned += offer(graph_.root());
    pruned += unfold_best(
        [&](NodeId number) { return graph_.goal() != kNone && priority(number) <= graph_[graph_.goal()].score; });
    if (!k_ && search_options_.output.nbest > 1) pruned += complete_nbest();
    pruned += prune_queue();
    return pruned;
  }

  PrunedBound prune_queue() {
    PrunedBound all = PrunedBound::none();
    if (order_ == Order::bound) {  // the largest bound comes first
      while (!queue_.empty() && queue_.front().priority != priority(queue_.front().node)) pop();
      if (!queue_.empty()) all += prune_node(queue_.front().node);
      return all;
    }
    return attempt(
        [&] {
          for (const Entry& entry : queue_) {
            budget_.work(4);
            if (entry.priority == priority(entry.node)) all += prune_node(entry.node);
          }
          return all;
        },
        [&] { return prune_node(graph_.root()); });
  }

  /// Unfolds the best node repeatedly, until a node meets the stopping condition. Successors that it does not prune
  /// enter the queue.
  PrunedBound unfold_best(FunctionRef<bool(NodeId)> stop) {
    PrunedBound pruned = PrunedBound::none();
    while (!queue_.empty()) {
      Entry entry = pop();
      if (entry.priority != priority(entry.node)) continue;  // reached better since
      if (!eligible(entry.node)) {
        pruned += prune(entry.node);
        continue;
      }
      if (stop(entry.node)) {
        push(entry);
        break;
      }
      if (graph_[entry.node].is_goal) continue;
      if (this->exhausted()) {
        push(entry);
        break;
      }
      pruned += unfold(entry.node);
    }
    return pruned;
  }

  /// No unexplored path is better than the k-th best path found. Each of its nodes would be in the queue or unfolded,
  /// with a priority of at least its score.
  PrunedBound complete_nbest() {
    PrunedBound pruned = PrunedBound::none();
    std::size_t next_look = unfolded_;
    while (!queue_.empty() && !this->exhausted()) {
      const RankedPaths ranked = this->ranked();
      if (!ranked.complete) break;
      double worst = ranked.paths.size() < search_options_.output.nbest ? kLogZero : ranked.paths.back().score;
      if (queue_.front().priority < worst) break;
      next_look = std::max(2 * unfolded_, unfolded_ + 64);
      pruned += unfold_best([&](NodeId number) { return priority(number) < worst || unfolded_ >= next_look; });
    }
    return pruned;
  }

  void push(const Entry& entry) {
    queue_.push_back(entry);
    std::push_heap(queue_.begin(), queue_.end());
  }
  Entry pop() {
    std::pop_heap(queue_.begin(), queue_.end());
    Entry entry = queue_.back();
    queue_.pop_back();
    return entry;
  }

  bool eligible(NodeId number) const {
    return !k_ || std::uint64_t{this->length_of(number, k_->unit)} + k_->k >= longest_;
  }

  PrunedBound prune(NodeId number) {
    if (search_options_.recorder)
      search_options_.recorder->pruned(number, graph_[number], SearchEvent::Reason::shorter,
                                       this->length_of(number, k_->unit), longest_);
    return prune_node(number);
  }

  PrunedBound offer(NodeId number) {
    if (!eligible(number)) return prune(number);
    push({priority(number), graph_[number].length, number});
    return PrunedBound::none();
  }

  PrunedBound unfold(NodeId number) {
    if (k_) longest_ = std::max(longest_, this->length_of(number, k_->unit));
    return Run::unfold(number, [&](NodeId to) { return offer(to); });
  }

  std::optional<AStarK> k_;
  MeteredVector<Entry> queue_{budget_};  // a heap
  std::uint32_t longest_ = 0;
};

}  // namespace widl
