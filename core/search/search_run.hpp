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
#include "search/given_up.hpp"
#include "search/options.hpp"
#include "search/path_ranking.hpp"
#include "search/realization.hpp"
#include "search/rescue.hpp"
#include "search/search_graph.hpp"

namespace widl {

/// The result of a search: complete paths, best first (empty: none was found), and the bound of all others.
struct SearchResult {
  RankedPaths nbest;
  double bound = 0;         ///< no path scores more
  std::string stopped;      ///< the budget that ran out, in the search or while lists were made, or empty
  bool exhaustive = true;   ///< where no path was found: there is none
  SearchStatistics statistics;
  ExploredGraph explored;   ///< empty unless asked for

  Outcome outcome() const {
    if (!nbest.paths.empty()) return Outcome::found;
    if (exhaustive) return Outcome::proved_empty;
    return stopped.empty() ? Outcome::undecided : Outcome::out_of_budget;
  }
};

/// The statistics of a search that are its budget's.
inline SearchStatistics spent(const Budget& budget) {
  SearchStatistics statistics;
  statistics.memory = budget.used();
  statistics.seconds = budget.seconds();
  statistics.peak_memory = budget.peak();
  statistics.work = budget.work_done();
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

  SearchRun(const U& unfolding, Scorer& scorer, StateEstimator& estimator, const SearchOptions& options, Budget& budget,
            Order order = Order::estimate)
      : unfolding_(unfolding),
        scorer_(scorer),
        estimator_(estimator),
        budget_(budget),
        graph_(unfolding, scorer, estimator, options, budget),
        options_(options),
        order_(order) {}

  double priority(NodeId number) const {
    const auto& node = graph_[number];
    return node.score + (order_ == Order::bound ? node.bound : node.estimate);
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

  /// A node that nothing follows.
  GivenUp give_up(NodeId number) const { return GivenUp::up_to(graph_[number].score + graph_[number].bound); }

  /// The same of a node that search leaves aside for a reason.
  GivenUp give_up(NodeId number, SearchEvent::Reason why) {
    if (options_.recorder) options_.recorder->pruned(number, graph_[number], why);
    return give_up(number);
  }

  /// The same for many nodes; the root stands for all where that takes too long.
  GivenUp give_up(std::span<const NodeId> numbers) {
    return attempt(
        [&] {
          GivenUp all = GivenUp::nothing();
          for (NodeId number : numbers) {
            budget_.work(kWorkToGiveUp);
            all += give_up(number);
          }
          return all;
        },
        [&] { return give_up(graph_.root()); });
  }

  /// Threshold and histogram pruning of a layer; none where the budget has no time for it.
  template <class Layer>
  GivenUp prune(Layer& layer, const LayerLimits& kept) {
    if (note(interruption_of([&] { budget_.work(kWorkToGiveUp * layer.size()); }))) return GivenUp::nothing();
    GivenUp pruned = GivenUp::nothing();
    double best = Graph::kWorst;
    for (NodeId number : layer) best = std::max(best, priority(number));
    const double least = best + std::log(kept.beam);
    auto end = std::partition(layer.begin(), layer.end(), [&](NodeId number) { return priority(number) >= least; });
    std::for_each(end, layer.end(), [&](NodeId number) { pruned += give_up(number, SearchEvent::Reason::threshold); });
    layer.erase(end, layer.end());
    if (kept.size == 0 || layer.size() <= kept.size) return pruned;
    end = layer.begin() + static_cast<std::ptrdiff_t>(kept.size);
    std::nth_element(layer.begin(), end, layer.end(), [&](NodeId a, NodeId b) { return priority(a) > priority(b); });
    std::for_each(end, layer.end(), [&](NodeId number) { pruned += give_up(number, SearchEvent::Reason::full); });
    layer.erase(end, layer.end());
    return pruned;
  }

  /// Unfolds a node, or as much of it as the budget allows: `reached(node)` returns what is left aside there.
  template <class Reached>
  GivenUp unfold(NodeId number, Reached&& reached) {
    ++unfolded_;
    if (options_.recorder) options_.recorder->left(SearchEvent::Kind::unfolded, number, graph_[number]);
    return attempt(
        [&] {
          GivenUp left = GivenUp::nothing();
          graph_.unfold(number, [&](NodeId to) { left += reached(to); });
          return left;
        },
        [&] { return give_up(number); });
  }

  /// Does the work, which returns what it leaves aside; where the budget runs out in the middle of it, that is all which the
  /// work was to look at: `otherwise` returns it.
  template <class Work, class Otherwise>
  GivenUp attempt(Work&& work, Otherwise&& otherwise) {
    GivenUp left = GivenUp::nothing();
    if (note(interruption_of([&] { left = work(); }))) left = otherwise();
    return left;
  }

  /// Remembers what ran out first; returns whether anything did.
  [[nodiscard]] bool note(const std::optional<OutOfBudget>& out) {
    if (out && stopped_.empty()) {
      stopped_ = out->which;
      budget_.allow_overtime(kSecondsToStop);
    }
    return out.has_value();
  }

  /// The result of exploring the graph; where the budget ends that, what is left of it all is given up.
  template <class Explore>
  SearchResult result_of(Explore&& explore) {
    if (graph_.empty()) return finish(GivenUp::nothing());
    return finish(attempt(explore, [&] { return give_up(graph_.root()); }));
  }

  /// Whether a budget has run out.
  bool exhausted() const { return !stopped_.empty(); }

  /// The best paths in the graph, as many as are wanted.
  RankedPaths ranked() {
    RankedPaths found;
    const Answer& answer = options_.answer;
    const auto out = interruption_of([&] {
      PathRanking<Graph>(graph_, budget_).best(answer.nbest, answer.distinct, found.paths);
    });
    found.complete = !note(out);
    return found;
  }

  const U& unfolding_;
  Scorer& scorer_;
  StateEstimator& estimator_;
  Budget& budget_;
  Graph graph_;
  SearchOptions options_;
  Order order_;
  std::size_t unfolded_ = 0;
  std::size_t peak_queue_ = 0;
  std::string stopped_;

 private:
  static constexpr std::size_t kMostGreedySteps = 200'000;
  static constexpr std::size_t kWorkToGiveUp = 4;
  static constexpr std::size_t kMostLookedAt = 200'000;  // nodes, for the one to complete in a hurry
  // Overtime, once a budget has run out: to find out what was left aside, and to make an answer.
  static constexpr double kSecondsToStop = 0.003, kSecondsToAnswer = 0.010;

  /// The result of a search that left so much aside.
  SearchResult finish(GivenUp given_up) {
    if (options_.recorder) options_.recorder->ended();
    SearchResult result;
    const Answer& answer = options_.answer;
    const bool is_whole = stopped_.empty();  // whatever runs out from here on ends the making of an answer
    const bool has_answer = options_.floor != Graph::kWorst;  // who knows the floor has one
    const std::optional<RankedPath> known = stopped_.empty() ? std::nullopt : estimator_.known_path();
    const bool has_goal = !graph_.empty() && graph_.goal() != kNone;
    if (!graph_.empty() && !has_goal && !has_answer && !known) result.exhaustive = complete_somehow(result);
    result.bound = given_up.bound();
    if (known && !(has_goal && graph_[graph_.goal()].score >= known->score)) {
      result.nbest.paths = {*known};
    } else if (!graph_.empty() && graph_.goal() != kNone) {
      const NodeId goal = graph_.goal();
      if (!stopped_.empty()) budget_.allow_overtime(kSecondsToAnswer);
      if (answer.nbest > 1 || answer.lattice) result.nbest = ranked();
      if (result.nbest.paths.empty()) result.nbest.paths = {{graph_.labels_to(goal), graph_[goal].score}};
      if (answer.lattice) result.explored = explored();
    }
    if (const auto& paths = result.nbest.paths; !paths.empty())
      result.bound = std::max(result.bound, paths.front().score);
    result.stopped = stopped_;
    result.nbest.complete = result.nbest.complete && (is_whole || has_the_best(result.nbest, given_up));
    result.explored.complete = result.explored.complete && is_whole;
    result.statistics = spent(budget_);
    budget_.count_states(graph_.size());
    result.statistics.states = graph_.size();
    result.statistics.unfolded = unfolded_;
    result.statistics.edges = graph_.edges();
    result.statistics.peak_queue = peak_queue_;
    return result;
  }

  /// Whether search left nothing aside that is better than the last of the list.
  bool has_the_best(const RankedPaths& nbest, GivenUp given_up) const {
    if (nbest.paths.empty()) return false;
    return given_up.bound() <= (nbest.paths.size() < options_.answer.nbest ? Graph::kWorst : nbest.paths.back().score);
  }

  /// The explored derivations, or of them one where there is no time or memory for all.
  ExploredGraph explored() {
    ExploredGraph all;
    const Answer& answer = options_.answer;
    const auto prune = [&] { all = GraphPruning<Graph>(graph_, budget_).keep(answer.lattice_beam, answer.lattice_arcs); };
    if (!note(interruption_of(prune))) return all;
    return Rescue<U>(unfolding_, scorer_, estimator_, options_, Pace::hurried(), budget_).explored(graph_, graph_.goal());
  }

  /// Without a complete path: makes one, in the graph or in the result. Returns whether all nodes were tried.
  bool complete_somehow(SearchResult& result) {
    bool exhaustive = false, hurry = exhausted();
    if (!hurry) hurry = note(interruption_of([&] { exhaustive = finish_greedily(); }));
    if (!hurry || graph_.goal() != kNone) return exhaustive;
    budget_.allow_overtime(kSecondsToAnswer);
    // An answer or, where that is interrupted, none: what search has given up stays so.
    const auto out = interruption_of([&] {
      const NodeId far = furthest(graph_.size() > kMostLookedAt ? graph_.size() - kMostLookedAt : 0);
      bool found = rescue(far, result);
      // The furthest node may be one that was hardly looked at; where there is time, the better path counts.
      if (far != graph_.root() && (!found || !is_hurried())) found |= rescue(graph_.root(), result);
      if (!found) exhaustive = finish_greedily();
    });
    return !note(out) && exhaustive;
  }

  bool is_hurried() const { return stopped_ != "max_states"; }

  /// Whether a path through a node was completed; it is in the result, unless that has a better one. @throws OutOfBudget
  bool rescue(NodeId from, SearchResult& result) {
    Rescue<U> rescue(unfolding_, scorer_, estimator_, options_, is_hurried() ? Pace::hurried() : Pace::unhurried(order_),
                     budget_);
    if (!rescue.complete(graph_, from)) return false;
    const auto& known = result.nbest.paths;
    if (!known.empty() && known.front().score >= rescue.path(graph_, from).score) return true;
    result.nbest = {{rescue.path(graph_, from)}, /*complete=*/false};
    if (options_.answer.lattice) result.explored = rescue.explored(graph_, from);
    return true;
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
