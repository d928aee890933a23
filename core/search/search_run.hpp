#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "log_zero.hpp"
#include "search/budget.hpp"
#include "search/certificate.hpp"
#include "search/constants.hpp"
#include "search/explored_graph.hpp"
#include "search/options.hpp"
#include "search/realization.hpp"
#include "search/rescue.hpp"
#include "search/search_graph.hpp"

namespace widl {

/// The result of a search: complete paths, best first, and a bound on all others.
struct SearchResult {
  RankedPaths nbest;                  ///< empty: none was found
  double bound = 0;                   ///< no other path scores more or, below a floor, enough
  Resource stopped = Resource::none;  ///< what ran out, in the search or while lists were made
  bool exhaustive = true;             ///< if no path was found: none exists
  SearchStatistics statistics;
  ExploredGraph explored;  ///< empty unless requested

  Outcome outcome() const {
    if (!nbest.paths.empty()) return Outcome::found;
    if (exhaustive) return Outcome::proved_empty;
    return stopped == Resource::none ? Outcome::undecided : Outcome::out_of_budget;
  }
};

/// The statistics that a budget counts.
inline SearchStatistics spent(const Budget& budget) {
  SearchStatistics statistics;
  statistics.memory = budget.used();
  statistics.seconds = budget.seconds();
  statistics.peak_memory = budget.peak();
  statistics.work = budget.work_done();
  return statistics;
}

/// Base class of all searches: explored graph, budget, bounds of pruned nodes, fallback answer.
template <Unfolding U>
class SearchRun {
 protected:
  using Graph = SearchGraph<U>;
  using StateEstimator = Estimator<typename U::State>;
  using NodeId = typename Graph::NodeId;
  static constexpr NodeId kNone = Graph::kNone;

  SearchRun(const U& unfolding, NGramScorer& scorer, StateEstimator& estimator, const SearchOptions& options,
            Budget& budget, Order order = Order::estimate)
      : unfolding_(unfolding),
        scorer_(scorer),
        estimator_(estimator),
        budget_(budget),
        graph_(unfolding, scorer, estimator, options, budget),
        search_options_(options),
        order_(order) {}

  double priority(NodeId number) const {
    const auto& node = graph_[number];
    return node.score + (order_ == Order::bound ? node.bound : node.estimate);
  }
  std::uint32_t length_of(NodeId number, LengthUnit unit) const {
    const auto& node = graph_[number];
    return unit == LengthUnit::words ? node.length : unfolding_.progress(U::covered(graph_.state(node.state)));
  }

  /// Prunes a node and returns its bound.
  PrunedBound prune_node(NodeId number) const {
    return PrunedBound::up_to(graph_[number].score + graph_[number].bound);
  }
  /// Prunes a node and records why.
  PrunedBound prune_node(NodeId number, SearchEvent::Reason why) {
    if (search_options_.recorder) search_options_.recorder->pruned(number, graph_[number], why);
    return prune_node(number);
  }
  /// Prunes many nodes. If that takes too long, the root's bound covers them all.
  PrunedBound prune_nodes(std::span<const NodeId> numbers) {
    return attempt(
        [&] {
          PrunedBound all = PrunedBound::none();
          for (NodeId number : numbers) {
            budget_.work(kWorkToPrune);
            all += prune_node(number);
          }
          return all;
        },
        [&] { return prune_node(graph_.root()); });
  }

  /// Threshold and histogram pruning of a layer, unless the budget has no time for it.
  template <class Layer>
  PrunedBound prune_layer(Layer& layer, double beam, std::size_t size) {
    PrunedBound pruned = PrunedBound::none();
    if (note(catch_out_of_budget([&] { budget_.work(kWorkToPrune * layer.size()); }))) return pruned;
    const auto drop = [&](auto first, SearchEvent::Reason why) {
      std::for_each(first, layer.end(), [&](NodeId number) { pruned += prune_node(number, why); });
      layer.erase(first, layer.end());
    };
    double best = kLogZero;
    for (NodeId number : layer) best = std::max(best, priority(number));
    const double least = best + std::log(beam);
    drop(std::partition(layer.begin(), layer.end(), [&](NodeId number) { return priority(number) >= least; }),
         SearchEvent::Reason::threshold);
    if (size == 0 || layer.size() <= size) return pruned;
    const auto end = layer.begin() + static_cast<std::ptrdiff_t>(size);
    std::nth_element(layer.begin(), end, layer.end(), [&](NodeId a, NodeId b) { return priority(a) > priority(b); });
    drop(end, SearchEvent::Reason::full);
    return pruned;
  }

  /// Unfolds a node as far as the budget allows. `reached(node)` returns the bound of the nodes it prunes.
  template <class Reached>
  PrunedBound unfold(NodeId number, Reached&& reached) {
    ++unfolded_;
    if (search_options_.recorder) search_options_.recorder->left(SearchEvent::Kind::unfolded, number, graph_[number]);
    return attempt(
        [&] {
          PrunedBound pruned = PrunedBound::none();
          graph_.unfold(number, [&](NodeId to) { pruned += reached(to); });
          return pruned;
        },
        [&] { return prune_node(number); });
  }

  /// Runs `work` and returns the bound of everything it pruned. If the budget runs out, returns `otherwise()`, the
  /// bound of everything `work` would have visited.
  template <class Work, class Otherwise>
  PrunedBound attempt(Work&& work, Otherwise&& otherwise) {
    PrunedBound pruned = PrunedBound::none();
    if (note(catch_out_of_budget([&] { pruned = work(); }))) pruned = otherwise();
    return pruned;
  }

  /// Records the resource that ran out first; returns whether any did.
  [[nodiscard]] bool note(const std::optional<OutOfBudget>& out) {
    if (out && !exhausted()) {
      stopped_ = out->which;
      budget_.allow_overtime(constants::kSecondsToStop);
    }
    return out.has_value();
  }

  /// The result of exploring the graph. If the budget interrupts the exploration, the root's bound covers the
  /// remainder.
  template <class Explore>
  SearchResult result_of(Explore&& explore) {
    if (graph_.empty()) return finish(PrunedBound::none());
    return finish(attempt(explore, [&] { return prune_node(graph_.root()); }));
  }

  /// Whether a budget has run out.
  bool exhausted() const { return stopped_ != Resource::none; }

  /// The n best paths in the graph.
  [[gnu::cold]] RankedPaths ranked() {
    RankedPaths paths;
    const OutputOptions& output = search_options_.output;
    const auto out = catch_out_of_budget(
        [&] { PathRanking(graph_.paths(), budget_).best(output.nbest, output.distinct, paths.paths); });
    paths.complete = !note(out);
    return paths;
  }

  const U& unfolding_;
  NGramScorer& scorer_;
  StateEstimator& estimator_;
  Budget& budget_;
  Graph graph_;
  SearchOptions search_options_;
  Order order_;
  std::size_t unfolded_ = 0;

 private:
  static constexpr std::size_t kWorkToPrune = 4;

  bool has_goal() const { return !graph_.empty() && graph_.goal() != kNone; }

  /// The result of a search with this pruning.
  [[gnu::cold]] SearchResult finish(PrunedBound pruned) {
    if (search_options_.recorder) search_options_.recorder->ended();
    SearchResult result;
    const bool is_whole = !exhausted();  // running out from here on only ends the construction of an answer
    const RankedPath* known_path = search_options_.known.path;
    const bool has_answer = known_path || search_options_.known.floor != kLogZero;
    const bool nothing_pruned = is_whole && pruned.value() == kLogZero;
    if (!graph_.empty() && !has_goal() && !has_answer && !nothing_pruned)
      result.exhaustive = !rescue(result) && is_proof_;
    result.bound = pruned.value();
    if (known_path && !(has_goal() && graph_[graph_.goal()].score >= known_path->score)) {
      result.nbest.paths = {*known_path};
    } else if (has_goal()) {
      answer_from_graph(result);
    }
    if (const auto& paths = result.nbest.paths; !paths.empty())
      result.bound = std::max(result.bound, paths.front().score);
    result.stopped = stopped_;
    result.nbest.complete = result.nbest.complete && (is_whole || has_the_best(result.nbest, pruned));
    result.explored.complete = result.explored.complete && is_whole;
    count(result.statistics);
    return result;
  }

  [[gnu::cold]] void answer_from_graph(SearchResult& result) {
    const OutputOptions& output = search_options_.output;
    if (exhausted()) budget_.allow_overtime(constants::kSecondsToAnswer);
    if (output.nbest > 1 || output.lattice) result.nbest = ranked();
    if (result.nbest.paths.empty())
      result.nbest.paths = {{graph_.labels_to(graph_.goal()), graph_[graph_.goal()].score}};
    if (output.lattice) result.explored = explored();
  }

  void count(SearchStatistics& statistics) {
    statistics = spent(budget_);
    budget_.count_states(graph_.size());
    statistics.states = graph_.size();
    statistics.unfolded = unfolded_;
    statistics.edges = graph_.edges();
  }

  /// Whether search pruned no path that is better than the last of the list.
  bool has_the_best(const RankedPaths& nbest, PrunedBound pruned) const {
    if (nbest.paths.empty()) return false;
    return pruned.value() <= (nbest.paths.size() < search_options_.output.nbest ? kLogZero : nbest.paths.back().score);
  }

  /// The explored derivations, or only the best one without time or memory for all.
  [[gnu::cold]] ExploredGraph explored() {
    ExploredGraph all;
    const OutputOptions& output = search_options_.output;
    const auto prune = [&] {
      all = GraphPruning(graph_.paths(), budget_).keep(output.lattice_beam, output.lattice_arcs);
    };
    if (!note(catch_out_of_budget(prune))) return all;
    return ExploredGraph::of_path(graph_.arcs_to(graph_.goal()));
  }

  /// Completes a path if search has found none; returns whether it did. The path is in the result.
  [[gnu::cold]] bool rescue(SearchResult& result) {
    bool has_path = false;
    const auto search_everywhere = [&] {
      const RescueLimits limits = RescueLimits::exhaustive(order_);
      const NodeId far = furthest(0);
      has_path = (far != graph_.root() && rescue(far, limits, result)) || rescue(graph_.root(), limits, result);
    };
    if (!exhausted() && !note(catch_out_of_budget(search_everywhere))) return has_path;
    budget_.allow_overtime(constants::kSecondsToAnswer);
    // Nodes pruned by search stay pruned, even after an interruption.
    const auto out = catch_out_of_budget([&] {
      const bool in_hurry = stopped_ != Resource::states;
      const RescueLimits limits = in_hurry ? RescueLimits::hurried() : RescueLimits::relaxed(order_);
      const NodeId far =
          furthest(graph_.size() > constants::kMaxLookedAt ? graph_.size() - constants::kMaxLookedAt : 0);
      has_path = rescue(far, limits, result);
      // The furthest node may be a poor choice, because few of its paths were explored. If there is time, the better
      // path is used.
      if (far != graph_.root() && (!has_path || !in_hurry)) has_path |= rescue(graph_.root(), limits, result);
      if (!has_path) search_everywhere();
    });
    if (note(out)) is_proof_ = false;
    return has_path;
  }

  /// Completes a path through a node; the result keeps the better of two. @throws OutOfBudget
  [[gnu::cold]] bool rescue(NodeId from, RescueLimits limits, SearchResult& result) {
    Rescue<U> rescue(unfolding_, scorer_, estimator_, search_options_, limits, graph_, from, budget_);
    const bool is_complete = rescue.complete();
    is_proof_ = from == graph_.root() && rescue.is_proof();
    if (!is_complete) return false;
    RankedPath path = rescue.path(graph_, from);
    if (const auto& paths = result.nbest.paths; !paths.empty() && paths.front().score >= path.score) return true;
    result.nbest = {{std::move(path)}, /*complete=*/!exhausted()};
    if (search_options_.output.lattice) {
      result.explored = rescue.explored(graph_, from);
      result.explored.complete = !exhausted();
    }
    return true;
  }

  /// The node with the longest path, from node `first` on; ties go to the best score.
  NodeId furthest(std::size_t first) const {
    NodeId furthest = graph_.root();
    for (auto n = static_cast<NodeId>(first); n < graph_.size(); ++n) {
      if (graph_[n].bound == kLogZero) continue;
      if (std::pair(graph_[n].length, priority(n)) > std::pair(graph_[furthest].length, priority(furthest)))
        furthest = n;
    }
    return furthest;
  }

  Resource stopped_ = Resource::none;
  bool is_proof_ = false;  // whether the last rescue has expanded every state
};

}  // namespace widl
