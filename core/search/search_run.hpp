#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "search/budget.hpp"
#include "search/explored_graph.hpp"
#include "search/options.hpp"
#include "search/path_ranking.hpp"
#include "search/realization.hpp"
#include "search/rescue.hpp"
#include "search/search_graph.hpp"
#include "search/trace.hpp"

namespace widl {

/// The result of a search: complete paths, best first (empty: none was found), and the bound of all others.
struct SearchResult {
  std::vector<RankedPath> paths;
  double bound = 0;         ///< no path scores more
  std::string stopped;      ///< the budget that ran out, or empty
  bool exhaustive = true;   ///< where no path was found: there is none
  SearchStatistics statistics;
  ReachedGraph reached;     ///< empty unless asked for
  ExploredGraph explored;   ///< the same
};

/// The statistics of a search that are its budget's.
inline SearchStatistics spent(const Budget& budget) {
  SearchStatistics statistics;
  statistics.memory = budget.used();
  statistics.seconds = budget.seconds();
  statistics.peak_memory = budget.peak();
  statistics.readings = budget.readings();
  statistics.most_unread = budget.most_unread();
  statistics.overdue = budget.overdue();
  return statistics;
}

/// The part that all searches share: the explored graph, budgets, the best bound of the pruned nodes, and an answer
/// when the budget runs out.
template <Unfolding U>
class SearchRun {
 protected:
  using Graph = SearchGraph<U>;
  using StateEstimator = Estimator<typename U::State>;
  using NodeId = typename Graph::NodeId;
  static constexpr NodeId kNone = Graph::kNone;

  /// `bound_share`: what orders states, see BestFirstOptions.
  SearchRun(const U& unfolding, Scorer& scorer, StateEstimator& estimator, const SearchOptions& options, Budget& budget,
            double bound_share = 0)
      : unfolding_(unfolding),
        scorer_(scorer),
        estimator_(estimator),
        budget_(budget),
        graph_(unfolding, scorer, estimator, options, budget),
        options_(options),
        bound_share_(bound_share) {}

  double priority(NodeId number) const {
    const auto& node = graph_[number];
    if (bound_share_ == 0) return node.score + node.estimate;
    if (bound_share_ == 1) return node.score + node.bound;
    return node.score + bound_share_ * node.bound + (1 - bound_share_) * node.estimate;
  }
  std::uint32_t length_of(NodeId number, LengthUnit unit) const {
    const auto& node = graph_[number];
    switch (unit) {
      case LengthUnit::words: return node.length;
      case LengthUnit::phrases: return node.phrases;
      case LengthUnit::positions: break;
    }
    return unfolding_.progress(U::covered(graph_.state(node.state)));
  }

  void give_up(NodeId number) {
    lost_bound_ = std::max(lost_bound_, graph_[number].score + graph_[number].bound);
  }

  /// The same of a node that search leaves aside for a reason.
  void give_up(NodeId number, SearchEvent::Reason why) {
    if (options_.recorder) options_.recorder->pruned(number, graph_[number], why);
    give_up(number);
  }

  /// The same for many nodes; all of them count, however long it takes.
  void give_up(std::span<const NodeId> numbers) {
    guarded(
        [&] {
          for (NodeId number : numbers) {
            budget_.work(kWorkToGiveUp);
            give_up(number);
          }
        },
        [&] { give_up(graph_.root()); });
  }

  /// Threshold and histogram pruning of a layer.
  template <class Layer>
  void prune(Layer& layer, const LayerOptions& options) {
    budget_.afford(kWorkToGiveUp * layer.size());
    double best = Graph::kWorst;
    for (NodeId number : layer) best = std::max(best, priority(number));
    const double least = best + std::log(options.beam);
    auto end = std::partition(layer.begin(), layer.end(), [&](NodeId number) { return priority(number) >= least; });
    std::for_each(end, layer.end(), [&](NodeId number) { give_up(number, SearchEvent::Reason::threshold); });
    layer.erase(end, layer.end());
    if (options.size == 0 || layer.size() <= options.size) return;
    auto kept = layer.begin() + static_cast<std::ptrdiff_t>(options.size);
    std::nth_element(layer.begin(), kept, layer.end(), [&](NodeId a, NodeId b) { return priority(a) > priority(b); });
    std::for_each(kept, layer.end(), [&](NodeId number) { give_up(number, SearchEvent::Reason::full); });
    layer.erase(kept, layer.end());
  }

  /// Unfolds a node, or as much of it as the budget allows, and gives up the rest.
  template <class Reached>
  void unfold(NodeId number, Reached&& reached) {
    visit(number, [&] { graph_.unfold(number, reached); });
  }
  template <class Work>
  void visit(NodeId number, Work&& unfold_it) {
    ++unfolded_;
    if (options_.recorder) options_.recorder->left(SearchEvent::Kind::unfolded, number, graph_[number]);
    guarded(unfold_it, [&] { give_up(number); });
  }

  /// Does the work; where the budget runs out in the middle of it, remembers that and does `otherwise` instead.
  template <class Work, class Otherwise>
  void guarded(Work&& work, Otherwise&& otherwise) {
    try {
      work();
    } catch (const OutOfBudget& out) {
      if (stopped_.empty()) {
        stopped_ = out.which;
        budget_.allow_overtime(kSecondsToStop);
      }
      otherwise();
    }
  }

  /// The result of exploring the graph; where the budget ends that, what is left of it all is given up.
  template <class Explore>
  SearchResult result_of(Explore&& explore) {
    if (!graph_.empty()) guarded(explore, [&] { give_up(graph_.root()); });
    return finish();
  }

  /// Whether a budget has run out.
  bool exhausted() {
    if (stopped_.empty() && options_.max_states && graph_.size() >= options_.max_states) stopped_ = "max_states";
    return !stopped_.empty();
  }

  /// The result, after all remaining nodes are counted as pruned.
  SearchResult finish() {
    if (options_.recorder) options_.recorder->ended();
    SearchResult result{{}, 0, {}, true, {}, {}, {}};
    const bool has_answer = options_.floor != Graph::kWorst;  // who knows the floor has one
    const std::optional<RankedPath> known = stopped_.empty() ? std::nullopt : estimator_.known_path();
    const bool has_goal = !graph_.empty() && graph_.goal() != kNone;
    if (!graph_.empty() && !has_goal && !has_answer && !known) result.exhaustive = complete_somehow(result);
    result.bound = lost_bound_;
    result.stopped = stopped_;
    if (known && !(has_goal && graph_[graph_.goal()].score >= known->score)) {
      result.paths = {*known};
      result.bound = std::max(known->score, lost_bound_);
    } else if (!graph_.empty() && graph_.goal() != kNone) {
      const NodeId goal = graph_.goal();
      if (!stopped_.empty()) budget_.allow_overtime(kSecondsToAnswer);
      if (options_.answer.nbest > 1 || options_.answer.lattice) guarded([&] { result.paths = ranked(); }, [] {});
      if (result.paths.empty()) result.paths = {{graph_.labels_to(goal), graph_[goal].score}};
      result.bound = std::max(graph_[goal].score, lost_bound_);
      if (options_.answer.lattice) result.explored = explored();
    }
    result.statistics = spent(budget_);
    result.statistics.states = graph_.size();
    result.statistics.unfolded = unfolded_;
    result.statistics.edges = graph_.edges();
    result.statistics.peak_queue = peak_queue_;
    if (options_.answer.trace) result.reached = reached_graph(graph_, options_.answer.trace);
    return result;
  }

  std::vector<RankedPath> ranked() const {
    return PathRanking<Graph>(graph_, budget_).best(options_.answer.nbest, options_.answer.distinct);
  }

  const U& unfolding_;
  Scorer& scorer_;
  StateEstimator& estimator_;
  Budget& budget_;
  Graph graph_;
  SearchOptions options_;
  double bound_share_;
  double lost_bound_ = Graph::kWorst;
  std::size_t unfolded_ = 0;
  std::size_t peak_queue_ = 0;
  std::string stopped_;

 private:
  static constexpr std::size_t kMostGreedySteps = 200'000;
  static constexpr std::size_t kWorkToGiveUp = 4;
  static constexpr std::size_t kMostLookedAt = 200'000;  // nodes, for the one to complete in a hurry
  // Overtime, once a budget has run out: to find out what was left aside, and to make an answer.
  static constexpr double kSecondsToStop = 0.003, kSecondsToAnswer = 0.010;

  /// The explored derivations, or of them one where there is no time or memory for all.
  ExploredGraph explored() {
    ExploredGraph all;
    const AnswerOptions& answer = options_.answer;
    guarded([&] { all = GraphPruning<Graph>(graph_, budget_).keep(answer.lattice_beam, answer.lattice_arcs); },
            [&] {
              Rescue<U> rescue(unfolding_, scorer_, estimator_, options_, budget_);
              all = rescue.explored(graph_, graph_.goal());
            });
    return all;
  }

  /// Without a complete path: makes one, in the graph or in the result. Returns whether all nodes were tried.
  bool complete_somehow(SearchResult& result) {
    bool exhaustive = false, hurry = !stopped_.empty() && stopped_ != "max_states";
    if (!hurry) guarded([&] { exhaustive = finish_greedily(); }, [&] { hurry = true; });
    if (!hurry || graph_.goal() != kNone) return exhaustive;
    budget_.allow_overtime(kSecondsToAnswer);
    guarded(
        [&] {
          Rescue<U> rescue(unfolding_, scorer_, estimator_, options_, budget_);
          const NodeId from = furthest(graph_.size() > kMostLookedAt ? graph_.size() - kMostLookedAt : 0);
          if (rescue.complete(graph_, from)) {
            result.paths = {rescue.path(graph_, from)};
            if (options_.answer.lattice) result.explored = rescue.explored(graph_, from);
          } else {
            exhaustive = finish_greedily();
          }
        },
        [] {});
    return exhaustive;
  }

  /// The node with the longest path of those from `first` on; among equals the best one.
  NodeId furthest(std::size_t first) const {
    NodeId furthest = graph_.root();
    for (auto n = static_cast<NodeId>(first); n < graph_.size(); ++n) {
      if (graph_[n].bound == Graph::kWorst) continue;
      if (std::pair(graph_[n].length, priority(n)) > std::pair(graph_[furthest].length, priority(furthest)))
        furthest = n;
    }
    return furthest;
  }

  /// Without a complete path: from the node that got furthest always the successor with the best
  /// priority, backing out of dead ends. Returns whether all nodes were tried.
  bool finish_greedily() {
    std::vector<NodeId> open = {graph_.root(), furthest(0)};
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
    graph_.unify_arcs();  // those that cube pruning had followed
    return open.empty();
  }

  /// All nodes that were reached and never tried, the longest paths last.
  void retry_leaves(const std::vector<bool>& seen, std::vector<NodeId>& open) const {
    for (NodeId n = 0; n < graph_.size(); ++n)
      if (graph_[n].bound != Graph::kWorst && (n >= seen.size() || !seen[n])) open.push_back(n);
    std::sort(open.begin(), open.end(), [&](NodeId a, NodeId b) { return graph_[a].length < graph_[b].length; });
  }
};

}  // namespace widl
