#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "log_zero.hpp"
#include "search/budget.hpp"
#include "search/constants.hpp"
#include "search/explored_graph.hpp"
#include "search/length_limits.hpp"
#include "search/search_graph.hpp"

namespace widl {

/// Limits and orders the successors of a state that a rescue considers.
struct RescueLimits {
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  std::size_t scored;  ///< successors that are scored in context
  std::size_t open;    ///< states to go back to
  Order order;

  /// Time or memory ran out.
  static RescueLimits hurried() { return {constants::kScoredInHurry, constants::kOpenInHurry, Order::estimate}; }
  /// States ran out.
  static RescueLimits relaxed(Order order) { return {constants::kScoredUnhurried, constants::kOpenUnhurried, order}; }
  /// No budget ran out: every state is tried.
  static RescueLimits exhaustive(Order order) { return {kAll, kAll, order}; }
};

/// Completes a path after a search that found no complete one: depth first, most promising successor first,
/// backtracking from dead ends.
///
/// A rescue uses a separate graph, because the search's tables may be about to double. When time is limited, it covers
/// tiles from left to right. It is not interrupted before the first dead end, unless a constraint may cause many dead
/// ends: a late answer is better than no answer.
template <Unfolding U>
class Rescue {
  using Graph = SearchGraph<U>;
  using NodeId = typename Graph::NodeId;
  using Edge = typename U::Edge;

 public:
  /// Begins at a node of the search's graph.
  [[gnu::cold]] Rescue(const U& unfolding, NGramScorer& scorer, Estimator<typename U::State>& estimator,
                       const SearchOptions& options, RescueLimits limits, const Graph& searched, NodeId from,
                       Budget& budget)
      : unfolding_(unfolding),
        scorer_(scorer),
        length_limits_(options.space),
        limits_(limits),
        budget_(budget),
        graph_(unfolding, scorer, estimator, quiet(options), budget, searched.start_at(from)) {}

  /// Whether it found a complete path. @throws OutOfBudget
  [[gnu::cold]] bool complete() {
    if (graph_.empty()) return false;
    constexpr bool kMayHaveManyDeadEnds = requires { U::has_dead_ends; };
    Budget::Grace grace(budget_, !kMayHaveManyDeadEnds && limits_.scored != RescueLimits::kAll);
    open_.push_back(graph_.root());
    for (std::size_t steps = 0; !open_.empty() && steps < constants::kMaxRescueSteps; ++steps) {
      const NodeId node = open_.back();
      open_.pop_back();
      if (graph_[node].is_goal) return true;  // no successor of the previous node is more promising
      if (!is_new(node)) continue;
      if (!expand(node)) grace.end();
    }
    return graph_.goal() != Graph::kNone;
  }

  /// Whether every state after the start was expanded, so that no complete path leads through the start.
  bool is_proof() const { return open_.empty() && !dropped_ && graph_.goal() == Graph::kNone; }

  /// The path found, with the search's path to the start before it.
  [[gnu::cold]] RankedPath path(const Graph& searched, NodeId from) const {
    RankedPath path{searched.labels_to(from), graph_[graph_.goal()].score};
    const auto labels = graph_.labels_to(graph_.goal());
    path.labels.insert(path.labels.end(), labels.begin(), labels.end());
    return path;
  }
  /// The steps of that path as a graph. Needs the search's arcs.
  [[gnu::cold]] ExploredGraph explored(const Graph& searched, NodeId from) const {
    auto arcs = searched.arcs_to(from);
    const auto more = graph_.arcs_to(graph_.goal());
    arcs.insert(arcs.end(), more.begin(), more.end());
    return ExploredGraph::of_path(std::move(arcs));
  }

 private:
  struct Candidate {
    Edge edge;
    double score;  // without context
  };

  static SearchOptions quiet(SearchOptions options) {
    options.recorder = nullptr;
    return options;
  }

  bool is_new(NodeId node) {
    if (expanded_.size() < graph_.size()) expanded_.resize(graph_.size());
    if (expanded_[node]) return false;
    return expanded_[node] = true;
  }

  /// Opens the best successors of a node; returns false at a dead end.
  [[gnu::cold]] bool expand(NodeId number) {
    candidates_.clear();
    const auto from = graph_.state(graph_[number].state);  // states move while they grow in number
    list(number, from);
    std::vector<std::pair<double, NodeId>> next;
    typename Graph::StateId hint = Graph::kNone;
    for (const Candidate& candidate : candidates_) {
      budget_.work(20);
      const auto [to, better] = graph_.follow(number, candidate.edge, hint, graph_.keeps_arcs());
      if (!better || graph_[to].bound == kLogZero) continue;
      const auto& node = graph_[to];
      next.emplace_back(node.score + (limits_.order == Order::bound ? node.bound : node.estimate), to);
    }
    std::ranges::sort(next, {}, [](const auto& successor) { return successor.first; });
    for (const auto& [_, to] : next) open_.push_back(to);
    for (; open_.size() > limits_.open; open_.pop_front()) dropped_ = true;
    return !next.empty();
  }

  /// Lists the most promising successors by their scores without context.
  [[gnu::cold]] void list(NodeId number, const typename U::State& from) {
    if (limits_.scored == RescueLimits::kAll) {
      unfolding_.successors(from, [&](const Edge& edge) { candidates_.push_back({edge, 0}); });
    } else if constexpr (OfTiles<U>) {
      list_first_tiles(number, from);
    } else if constexpr (requires { unfolding_.moves(from, [](std::uint32_t) {}); }) {
      list_moves(number, from);
    } else {
      unfolding_.successors(from, [&](const Edge& edge) { offer(number, edge); });
    }
  }

  /// Lists tiles that begin at the first position where any can follow.
  [[gnu::cold]] void list_first_tiles(NodeId number, const typename U::State& from) {
    std::optional<std::uint32_t> first;
    unfolding_.for_each_step(U::covered(from), [&](const auto& options, const auto& to, double movement) {
      budget_.work(4);
      if (first && *first != options.front().begin) return false;
      std::size_t offered = 0;
      for (const auto& option : options) {
        if (offered == limits_.scored) break;
        const auto edge = unfolding_.edge(from, option, to, movement);
        if (!edge || !offer(number, *edge)) continue;
        ++offered;
        first = option.begin;
      }
      return true;
    });
  }

  /// Lists the best moves; worse moves only if no best move is possible.
  [[gnu::cold]] void list_moves(NodeId number, const typename U::State& from) {
    moves_.clear();
    unfolding_.moves(from, [&](std::uint32_t move) {
      budget_.work(1);
      moves_.emplace_back(
          unfolding_.model().edge_score(move) + scorer_.estimate_of(unfolding_.model().phrase(move)).estimate, move);
    });
    auto next = moves_.begin();
    while (candidates_.empty() && next != moves_.end()) {
      const auto last = next + std::min(static_cast<std::ptrdiff_t>(limits_.scored), moves_.end() - next);
      std::partial_sort(next, last, moves_.end(), std::greater<>());
      for (; next != last; ++next)
        if (const std::optional<Edge> edge = unfolding_.step(from, next->second)) offer(number, *edge);
    }
    dropped_ |= next != moves_.end();
  }

  /// Keeps an edge if it is among the best edges. Returns whether a completion after it fits the length limits.
  [[gnu::cold]] bool offer(NodeId number, const Edge& edge) {
    budget_.work(2);
    const auto& node = graph_[number];
    if (length_limits_.has_any() &&
        !length_limits_.allow(node.length + edge.word_count, node.bytes + edge.bytes, unfolding_.shortest(edge.to)))
      return false;
    const double score = edge.score + scorer_.estimate_of(edge.phrase).estimate;
    if (candidates_.size() == limits_.scored) {
      dropped_ = true;
      if (score <= candidates_.back().score) return true;
      candidates_.pop_back();
    }
    const auto worse = [&](const Candidate& candidate) { return candidate.score < score; };
    candidates_.insert(std::ranges::find_if(candidates_, worse), Candidate{edge, score});
    return true;
  }

  const U& unfolding_;
  NGramScorer& scorer_;
  LengthLimits length_limits_;
  RescueLimits limits_;
  Budget& budget_;
  Graph graph_;
  std::deque<NodeId> open_;  // the next one last
  std::vector<bool> expanded_;
  bool dropped_ = false;  // whether some successors were never tried
  MeteredVector<std::pair<double, std::uint32_t>> moves_{budget_};
  std::vector<Candidate> candidates_;  // best first
};

}  // namespace widl
