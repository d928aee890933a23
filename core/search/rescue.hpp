#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "search/budget.hpp"
#include "search/explored_graph.hpp"
#include "search/extent.hpp"
#include "search/path_ranking.hpp"
#include "search/search_graph.hpp"

namespace widl {

/// How much a rescue looks at, and what it prefers.
struct Pace {
  std::size_t scored;  ///< of the steps that may come next, with context and completion
  std::size_t open;    ///< places to go back to
  Order order;
  static Pace hurried() { return {16, 1'000, Order::estimate}; }
  static Pace unhurried(Order order) { return {300, 100'000, order}; }
};

/// Completes a path when a budget is out: depth first, always with the best of the promising steps; from a dead end it
/// goes back to the others. In a hurry, when time or memory is out, few steps are promising.
///
/// It adds nothing to the graph, whose tables may be about to double. Over tiles it goes from left to right. Up to the
/// first dead end nothing stops it, unless a constraint may lead it into many: an answer that is late is better than none.
template <Unfolding U>
class Rescue {
  using Graph = SearchGraph<U>;
  using State = typename U::State;
  using Edge = typename U::Edge;

 public:
  Rescue(const U& unfolding, Scorer& scorer, Estimator<State>& estimator, const SearchOptions& options, Pace pace,
         Budget& budget)
      : unfolding_(unfolding), scorer_(scorer), estimator_(estimator), space_(options.space), pace_(pace), budget_(budget) {}

  /// Whether a way was found from a node to the end. @throws OutOfBudget
  bool complete(const Graph& graph, typename Graph::NodeId from) {
    const auto& node = graph[from];
    std::optional<Budget::Grace> grace;
    if constexpr (!requires { U::has_dead_ends; }) grace.emplace(budget_);
    open_.push_back({graph.state(node.state), node.context, node.score, node.length, node.bytes, 0, {.label = node.label}});
    for (std::size_t steps = 0; !open_.empty() && steps < kMostSteps; ++steps) {
      const Place place = std::move(open_.back());
      open_.pop_back();
      steps_.resize(place.depth);
      if (place.depth > 0) steps_.back() = place.step;
      if (unfolding_.is_final(place.state)) {
        score_ = place.score;
        return true;
      }
      steps_.emplace_back();
      if (!choose(place)) grace.reset();
    }
    return false;
  }

  /// The steps that were found behind the path to `from`.
  RankedPath path(const Graph& graph, typename Graph::NodeId from) const {
    RankedPath path{graph.labels_to(from), score_};
    for (const Step& step : steps_) path.labels.push_back(step.label);
    return path;
  }

  /// The same as a graph of one path; only where arcs are kept.
  ExploredGraph explored(const Graph& graph, typename Graph::NodeId from) const {
    std::vector<Step> steps;
    for (auto node = from; node != graph.root(); node = graph[node].parent) {
      const auto parent = graph[node].parent;
      const auto is_step = [&](const auto& arc) {
        return arc.from == parent && arc.to == node && arc.label == graph[node].label;
      };
      const auto arc = std::ranges::find_if(graph.arcs(), is_step);
      steps.push_back({arc->label, arc->phrase, graph[parent].context});
    }
    std::ranges::reverse(steps);
    steps.insert(steps.end(), steps_.begin(), steps_.end());
    ExploredGraph explored;
    explored.complete = false;
    for (const Step& step : steps) {
      explored.arcs.push_back({explored.nodes, explored.nodes + 1, step.label, step.phrase, step.context});
      ++explored.nodes;
    }
    ++explored.nodes;
    return explored;
  }

 private:
  static constexpr std::size_t kMostSteps = 200'000;

  struct Step {
    std::uint32_t label = 0;
    PhraseId phrase{};
    ContextId context{};  ///< before the phrase
  };
  struct Place {
    State state;
    ContextId context;
    double score;
    std::uint32_t length, bytes;
    std::size_t depth;  ///< steps that lead here
    Step step;          ///< the last of them; at first, that to the node where they begin
  };
  struct Candidate {
    Edge edge;
    double score;
  };

  /// Puts the best few steps of a state on the stack; false if there are none.
  bool choose(const Place& place) {
    candidates_.clear();
    list(place);
    std::vector<std::pair<double, Place>> next;
    for (const Candidate& candidate : candidates_) {
      budget_.work(20);
      const Edge& edge = candidate.edge;
      const Scorer::Step step = scorer_.extend(place.context, edge.phrase);
      double score = place.score + edge.score + step.score, rest = 0;
      if (unfolding_.is_final(edge.to)) {
        score += scorer_.finish(step.next);
      } else {
        const ScoreEstimate completion = estimator_(edge.to, Arrival{step.next, edge.label, place.step.label});
        if (completion.bound == Graph::kWorst) continue;
        rest = pace_.order == Order::bound ? completion.bound : completion.estimate;
      }
      next.emplace_back(score + rest, Place{edge.to, step.next, score, place.length + edge.word_count,
                                            place.bytes + edge.bytes, place.depth + 1,
                                            {edge.label, edge.phrase, place.context}});
    }
    std::ranges::sort(next, {}, [](const auto& one) { return one.first; });
    for (auto& [_, one] : next) open_.push_back(std::move(one));
    while (open_.size() > pace_.open) open_.pop_front();
    return !next.empty();
  }

  /// Takes the most promising steps, by their scores without context, into candidates_.
  void list(const Place& place) {
    if constexpr (OfTiles<U>) {
      std::optional<std::uint32_t> first;
      unfolding_.for_each_step(U::covered(place.state), [&](const auto& options, const auto& to, double movement) {
        budget_.work(4);
        if (first && *first != options.front().begin) return false;
        std::size_t offered = 0;
        for (const auto& option : options) {
          if (offered == pace_.scored) break;
          const auto edge = unfolding_.edge(place.state, option, to, movement);
          if (!edge || !offer(place, *edge)) continue;
          ++offered;
          first = option.begin;
        }
        return true;
      });
    } else if constexpr (requires { unfolding_.moves(place.state, [](std::uint32_t) {}); }) {
      moves_.clear();
      unfolding_.moves(place.state, [&](std::uint32_t number) {
        budget_.work(1);
        moves_.emplace_back(unfolding_.model().edge_score(number) +
                                scorer_.estimate_of(unfolding_.model().phrase(number)).estimate, number);
      });
      // The others are tried when the best ones end in dead ends.
      auto from = moves_.begin();
      while (candidates_.empty() && from != moves_.end()) {
        const auto to = from + std::min(static_cast<std::ptrdiff_t>(pace_.scored), moves_.end() - from);
        std::partial_sort(from, to, moves_.end(), std::greater<>());
        for (; from != to; ++from)
          if (const std::optional<Edge> edge = unfolding_.step(place.state, from->second)) offer(place, *edge);
      }
    } else {
      unfolding_.successors(place.state, [&](const Edge& edge) { offer(place, edge); });
    }
  }

  /// Whether the step leads where a completion fits within the limits.
  bool offer(const Place& place, const Edge& edge) {
    budget_.work(2);
    if (space_.max_words || space_.max_bytes) {
      const Extent least = unfolding_.shortest(edge.to);
      if (space_.max_words && place.length + edge.word_count + least.words > space_.max_words) return false;
      if (space_.max_bytes && place.bytes + edge.bytes + least.bytes > std::uint64_t{space_.max_bytes} + 1) return false;
    }
    const double score = edge.score + scorer_.estimate_of(edge.phrase).estimate;
    if (candidates_.size() == pace_.scored && score <= candidates_.back().score) return true;
    if (candidates_.size() == pace_.scored) candidates_.pop_back();
    const auto worse = [&](const Candidate& one) { return one.score < score; };
    candidates_.insert(std::ranges::find_if(candidates_, worse), Candidate{edge, score});
    return true;
  }

  const U& unfolding_;
  Scorer& scorer_;
  Estimator<State>& estimator_;
  const SpaceOptions& space_;
  Pace pace_;
  Budget& budget_;
  std::deque<Place> open_;  // the next one last
  std::vector<Step> steps_;
  Counted<std::pair<double, std::uint32_t>> moves_{budget_};
  std::vector<Candidate> candidates_;  // best first
  double score_ = 0;
};

}  // namespace widl
