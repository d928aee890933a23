#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "log_zero.hpp"
#include "search/budget.hpp"
#include "search/certificate.hpp"
#include "search/search_run.hpp"
#include "search/tile_bounds/left_contexts.hpp"
#include "search/tile_bounds/tile_bound.hpp"
#include "search/unfolding.hpp"

namespace widl {

/// The steps of a sweep from the unfolding, with an estimator's bounds.
template <OfTiles U>
class FreeSteps {
 public:
  using State = typename U::State;
  using Edge = typename U::Edge;
  /// Language-model scores that have not been computed yet; +infinity prunes nothing.
  struct Words {
    double best = std::numeric_limits<double>::infinity();
    double after(LeftContexts::LeftContext) const { return best; }
  };

  FreeSteps(const U& unfolding, Estimator<State>& estimator, Budget& budget)
      : unfolding_(unfolding), estimator_(estimator), budget_(budget) {}

  Estimator<State>& estimator() { return estimator_; }
  /// The value that ranks the paths to one state.
  double score_plus_multiplier(const State&, std::uint32_t, double score) const { return score; }
  /// Calls visit(edge, bound on its completion) for the options that may reach the floor after a path of this score,
  /// multiplier included.
  template <class Visit>
  void for_each(const State& from, double score_plus_multiplier, double floor, Visit&& visit) {
    unfolding_.for_each_step(U::covered(from), [&](const auto& options, const auto& to, double movement) {
      budget_.work(1 + options.size() / 8);
      const double rest = estimator_.of_state(unfolding_.moved(from, to)).bound;
      const double least = floor - score_plus_multiplier - movement - rest;  // that an option must be able to gain
      for (const auto& option : options) {
        if (option.bound_from_here < least) return;
        if (option.bound < least) continue;
        if (auto edge = unfolding_.edge(from, option, to, movement)) visit(*edge, rest);
      }
    });
  }
  /// The same after a particular path.
  double completion_after(const State&, std::uint32_t, const Edge&, double rest) const { return rest; }
  LeftContexts::LeftContext left_context(std::uint32_t) const { return 0; }
  Words words(const State&, const Edge&) const { return {}; }
  void arrive(const State&, std::uint32_t, const Edge&, std::uint32_t) {}

 private:
  const U& unfolding_;
  Estimator<State>& estimator_;
  Budget& budget_;
};

/// The steps that a TileBound has not pruned, with its bounds: a path has earned the multiplier of its left
/// context.
template <OfTiles U>
class TileBoundSteps {
 public:
  using State = typename U::State;
  using Edge = typename U::Edge;

  TileBoundSteps(const U& unfolding, const TileBound& bound, Budget& budget)
      : unfolding_(unfolding), bound_(bound), budget_(budget), bounds_(bound), left_contexts_(1, 0, budget) {}

  Estimator<State>& estimator() { return bounds_; }
  double score_plus_multiplier(const State& state, std::uint32_t path, double score) const {
    return score + multiplier(state, left_contexts_[path]);
  }
  template <class Visit>
  void for_each(const State& from, double score_plus_multiplier, double floor, Visit&& visit) {
    const auto number = bound_.find(U::coverage(from));
    if (number == bound_.kNoState) return;
    for (const auto& arc : bound_.arcs(number)) {
      const auto options = bound_.options(arc);
      budget_.work(1 + options.size() / 8);
      const double rest = bound_.completion(arc.to);
      const double least = floor - score_plus_multiplier - arc.movement - rest;
      if (bound_.best(arc) < least) continue;
      for (const auto& live : options)
        if (live.value >= least) {
          const Edge next = edge(from, live.option, arc);
          const double already_in_edge_score = unfolding_.is_final(next.to) ? bound_.contexts().final_bound() : 0;
          visit(next, rest - already_in_edge_score + bound_.contexts().earned(live.option));
        }
    }
  }
  /// Upper bound on what follows an option of one path, in terms of the multiplier φ of the context c that it leaves:
  ///
  ///     min(rest, rest − φ(c of the option alone) + φ(c after the path))
  ///
  /// Both hold: the option may be read after any context, and refined contexts are only more of these readings.
  double completion_after(const State& from, std::uint32_t path, const Edge& edge, double rest) const {
    const double other = multiplier(edge.to, left_context_after(edge, from, path));
    return std::min(rest, rest - bound_.contexts().earned(edge.label) + other);
  }
  /// The left context that a path leaves.
  LeftContexts::LeftContext left_context(std::uint32_t path) const { return left_contexts_[path]; }
  LeftContexts::WordBounds words(const State& from, const Edge& edge) const {
    const LeftContexts& contexts = bound_.contexts();
    return contexts.words(contexts.block(U::coverage(from).last_end, unfolding_.option(edge.label).begin), edge.label);
  }
  /// A path is extended to another path.
  void arrive(const State& from, std::uint32_t path, const Edge& edge, std::uint32_t to) {
    const LeftContexts::LeftContext left = left_context_after(edge, from, path);
    if (to >= left_contexts_.size()) {
      if (to >= left_contexts_.capacity()) left_contexts_.reserve(2 * std::size_t{to});
      left_contexts_.resize(to + 1, kNoLeftContext);
    }
    LeftContexts::LeftContext& cheapest = left_contexts_[to];
    if (cheapest == kNoLeftContext || multiplier(edge.to, left) < multiplier(edge.to, cheapest)) cheapest = left;
  }

 private:
  static constexpr LeftContexts::LeftContext kNoLeftContext = ~LeftContexts::LeftContext{0};

  /// Bounds of states for callers that don't know the left context.
  class Bounds : public Estimator<State> {
   public:
    explicit Bounds(const TileBound& bound) : bound_(bound) {}
    ScoreEstimate operator()(const State& state, const Arrival& arrival) override {
      if (arrival.label == Arrival::kNone) return of_state(state);
      return bound_with_multiplier(state, bound_.contexts().earned(arrival.label));
    }
    ScoreEstimate of_state(const State& state) override {
      double most = std::numeric_limits<double>::lowest();
      const LeftContextsAt& end = bound_.contexts().end(U::coverage(state).last_end);
      for (std::size_t t = 0; t < end.left_contexts.size(); ++t)
        if (end.multipliers[t] != kUnreachableMultiplier) most = std::max(most, end.multipliers[t]);
      return bound_with_multiplier(state, most);
    }

   private:
    ScoreEstimate bound_with_multiplier(const State& state, double multiplier) const {
      const auto number = bound_.find(U::coverage(state));
      const double bound = number == bound_.kNoState ? kLogZero : bound_.completion(number) + multiplier;
      return {bound, bound};
    }
    const TileBound& bound_;
  };

  Edge edge(const State& from, LeftContexts::OptionId option, const TileBound::Arc& arc) const {
    if constexpr (std::is_same_v<State, TileBound::State>)
      return edge_of(unfolding_.option(option), bound_.state(arc.to), arc.movement);
    else
      return *unfolding_.step(from, option);
  }
  LeftContexts::LeftContext left_context_after(const Edge& edge, const State& from, std::uint32_t path) const {
    return bound_.contexts().left_context_after(edge.label, U::coverage(from).last_end, left_contexts_[path]);
  }
  double multiplier(const State& state, LeftContexts::LeftContext left_context) const {
    return bound_.contexts().end(U::coverage(state).last_end).multipliers[left_context];
  }

  const U& unfolding_;
  const TileBound& bound_;
  Budget& budget_;
  Bounds bounds_;
  MeteredVector<LeftContexts::LeftContext> left_contexts_;  // by path
};

/// Whether a sweep can answer: it keeps no lattice or record, and paths to a state may differ only in their contexts.
inline bool sweep_applies(const SearchOptions& options) {
  return !options.output.lattice && !options.recorder && options.space.max_words == 0 && options.space.max_bytes == 0;
}

/// Exact search over tiles by dynamic programming: by the number of realized source positions, it extends every path
/// that can still reach the floor,
///
///   score of the path + score of the option + ln p(its words | the path's context) + bound of the completion >= floor.
///
/// In TileBound's example with the floor -2.5, a b (-1) and a c (-2) are both kept, because d may score -0.5. Then d is
/// scored after each: a b d has -1 - 3 < floor, a c d has -2 - 0.5. (worked_examples_test.cpp repeats it.)
///
/// `Steps` knows which options may reach the floor after a path, and a bound on their completions. Where movement is
/// limited, nearly all states that A* can reach are within the looseness of its bound. The cost per state then decides.
/// The paths to one state differ only in their contexts. An option therefore extends the best of them at once, in one
/// step: most phrases lead to the same context from any left context. If several derivations are requested, all steps
/// that can be part of a derivation above the floor are kept.
///
/// `explore` is the loop over layers. For each state, `unfold` calls `extend` with its paths, which calls the second
/// `extend` for each option; `follow` adds the remaining paths to the graph.
template <OfTiles U, class Steps>
class SweepRun : public SearchRun<U> {
  using Run = SearchRun<U>;
  using typename Run::Graph;
  using typename Run::NodeId;
  using StateId = typename Graph::StateId;
  using Run::attempt, Run::budget_, Run::graph_, Run::kNone, Run::search_options_, Run::prune_nodes, Run::scorer_,
      Run::unfolded_, Run::unfolding_;

 public:
  SweepRun(const U& unfolding, NGramScorer& scorer, Steps& steps, const SearchOptions& options, Budget& budget)
      : Run(unfolding, scorer, steps.estimator(), options, budget),
        steps_(steps),
        rounding_(Certificate::rounding(options.known.floor)) {}

  SearchResult run() {
    return this->result_of([&] { return explore(); });
  }

 private:
  PrunedBound explore() {
    PrunedBound pruned = PrunedBound::none();
    layers_.resize(unfolding_.length() + 1, MeteredVector<NodeId>(budget_));
    add(graph_.root());
    for (std::uint32_t covered = 0; covered < unfolding_.length(); ++covered) {
      MeteredVector<NodeId> layer = std::move(layers_[covered]);
      budget_.work(kWorkToSort * layer.size());
      std::erase_if(layer, [&](NodeId n) { return graph_[n].score + graph_[n].bound < search_options_.known.floor; });
      std::sort(layer.begin(), layer.end(), [&](NodeId a, NodeId b) { return graph_[a].state < graph_[b].state; });
      for (std::size_t first = 0, last; first < layer.size(); first = last) {
        const StateId state = graph_[layer[first]].state;
        last = first + 1;
        while (last < layer.size() && graph_[layer[last]].state == state) ++last;
        const auto paths = std::span<const NodeId>(layer).subspan(first, last - first);
        pruned += this->exhausted() ? prune_nodes(paths) : unfold(graph_.state(state), paths);
      }
    }
    return pruned;
  }

  void add(NodeId number) {
    const auto& node = graph_[number];
    if (node.is_goal || node.bound == kLogZero) return;
    layers_[unfolding_.progress(U::covered(graph_.state(node.state)))].push_back(number);
  }

  PrunedBound unfold(const typename U::State& state, std::span<const NodeId> paths) {
    const typename U::State from = state;  // states move while they grow in number
    unfolded_ += paths.size();
    const auto extend_all = [&] {
      extend(from, paths);
      return PrunedBound::none();  // apart from paths that can't reach the floor
    };
    return attempt(extend_all, [&] { return prune_nodes(paths); });
  }

  void extend(const typename U::State& from, std::span<const NodeId> paths) {
    paths_.clear();
    for (std::uint32_t i = 0; i < paths.size(); ++i) {
      const double score = graph_[paths[i]].score;
      paths_.push_back({steps_.score_plus_multiplier(from, paths[i], score), score, steps_.left_context(paths[i]), i});
    }
    std::ranges::sort(paths_, std::ranges::greater(),
                      [](const Path& path) { return std::pair(path.score_plus_multiplier, path.index); });
    StateId hint = kNone;
    steps_.for_each(from, paths_.front().score_plus_multiplier, search_options_.known.floor,
                    [&](const typename U::Edge& edge, double rest) { extend(from, edge, paths, rest, hint); });
  }

  /// Extends paths by one option if its language-model score and the best completion reach the floor:
  ///
  ///     score(path) + φ(path) + words(path, option) + score(option) + rest ≥ floor
  ///
  /// where words is first bounded by the steps, so that language models are queried for few paths.
  void extend(const typename U::State& state, const typename U::Edge& edge, std::span<const NodeId> paths, double rest,
              StateId& hint) {
    budget_.work(2 + paths.size() / 4);
    const PhraseId phrase = edge.phrase;
    const double inner = scorer_.inner_score(phrase);
    const bool one_end = scorer_.ends_alike(phrase), best_only = one_end && !graph_.keeps_arcs();
    const auto words = steps_.words(state, edge);
    double best = search_options_.known.floor - edge.score - rest - inner;
    reaching_.clear();
    for (const Path& path : paths_) {
      const double least = best + inner - rounding_;
      if (path.score_plus_multiplier + words.best < least) break;
      if (path.score + words.after(path.left_context) < least) continue;
      const double score = prefix_score(graph_[paths[path.index]].context, phrase);
      if (path.score + score < best) continue;
      if (best_only) {
        if (!reaching_.empty() && path.score + score == best && path.index < reaching_[0].index) continue;
        reaching_.clear();
        best = path.score + score;
      }
      reaching_.push_back({path.index, score});
    }
    if (!best_only) std::ranges::sort(reaching_, {}, &Reaching::index);
    for (const auto& [index, score] : reaching_) {
      const NodeId from = paths[index];
      if (!best_only) {
        const double least =
            search_options_.known.floor - edge.score - steps_.completion_after(state, from, edge, rest);
        if (graph_[from].score + score + inner < least) continue;
      }
      const ContextId next = one_end ? scorer_.end(phrase) : scorer_.end_after(graph_[from].context, phrase);
      follow(state, from, edge, {score + inner, next}, hint);
    }
  }

  double prefix_score(ContextId context, PhraseId phrase) {
    const double prefix_score = NGramScorer::Prefixes::at(scorer_.prefix_row(context), scorer_.prefix(phrase));
    if (prefix_score == prefix_score) return prefix_score;
    budget_.work(10);
    const double score = scorer_.prefix_score(context, phrase);
    graph_.reserve_for_arcs();
    return score;
  }

  void follow(const typename U::State& state, NodeId from, const typename U::Edge& edge, NGramScorer::Step step,
              StateId& hint) {
    const std::size_t node_count = graph_.size();
    const auto [to, better] = graph_.follow(from, edge, step, hint, graph_.keeps_arcs());
    if (to == kNone) return;
    steps_.arrive(state, from, edge, to);
    if (to >= node_count) add(to);
  }

  /// A path to the state at hand.
  struct Path {
    double score_plus_multiplier, score;
    LeftContexts::LeftContext left_context;
    std::uint32_t index;  // index among its state's paths
  };
  struct Reaching {
    std::uint32_t index;
    double score;  // of the prefix
  };
  static constexpr std::size_t kWorkToSort = 10;  // for each node

  Steps& steps_;
  double rounding_;                            // bounds add the same numbers in another order
  std::vector<MeteredVector<NodeId>> layers_;  // by source positions realized
  std::vector<Path> paths_;                    // to the state at hand, the best score and multiplier first
  std::vector<Reaching> reaching_;             // paths from which an option may reach the floor
};

}  // namespace widl
