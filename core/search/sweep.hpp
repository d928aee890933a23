#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "search/search_run.hpp"
#include "search/sweep_steps.hpp"

namespace widl {

/// Exact search over tiles by dynamic programming: layer by layer of source positions realized, everything that can
/// still reach the floor.
///
/// `Steps` knows which options may reach the floor behind a path, and how much follows them at most. Where movement is
/// limited, nearly all states that A* can reach are within the looseness of its bound; then the
/// cost per state decides. The paths to one state differ in their contexts alone, so an option takes the best of
/// them at once, and makes one step: most phrases leave the same context behind, whatever stood before them. Where several
/// derivations are wanted, all steps that one above the floor may have are kept.
template <OfTiles U, class Steps>
class Sweep : private SearchRun<U> {
  using Run = SearchRun<U>;
  using typename Run::Graph;
  using typename Run::NodeId;
  using StateId = typename Graph::StateId;
  using Run::budget_, Run::give_up, Run::graph_, Run::guarded, Run::kNone, Run::options_, Run::peak_queue_, Run::scorer_, Run::unfolded_, Run::unfolding_;

 public:
  /// No limits of length: what tells paths apart must be the context.
  static bool can_do(const SearchOptions& options) {
    return !options.answer.lattice && options.answer.trace == 0 && !options.recorder && options.space.max_words == 0 && options.space.max_bytes == 0;
  }

  Sweep(const U& unfolding, Scorer& scorer, Steps& steps, const SearchOptions& options, Budget& budget)
      : Run(unfolding, scorer, steps.estimator(), options, budget), steps_(steps) {}

  SearchResult run() { return this->result_of([&] { explore(); }); }

 private:
  void explore() {
    layers_.resize(unfolding_.length() + 1, Counted<NodeId>(budget_));
    add(graph_.root());
    for (std::uint32_t covered = 0; covered < unfolding_.length(); ++covered) {
      Counted<NodeId> layer = std::move(layers_[covered]);
      peak_queue_ = std::max(peak_queue_, layer.size());
      budget_.afford(kWorkToSort * layer.size());
      std::erase_if(layer, [&](NodeId n) { return graph_[n].score + graph_[n].bound < options_.floor; });
      std::sort(layer.begin(), layer.end(), [&](NodeId a, NodeId b) { return graph_[a].state < graph_[b].state; });
      for (std::size_t first = 0, last; first < layer.size(); first = last) {
        const StateId state = graph_[layer[first]].state;
        last = first + 1;
        while (last < layer.size() && graph_[layer[last]].state == state) ++last;
        const auto paths = std::span<const NodeId>(layer).subspan(first, last - first);
        if (this->exhausted()) {
          give_up(paths);
        } else {
          unfolded_ += paths.size();
          guarded([&] { unfold(graph_.state(state), paths); }, [&] { give_up(paths); });
        }
      }
    }
  }

  void add(NodeId number) {
    const auto& node = graph_[number];
    if (node.is_goal || node.bound == Graph::kWorst) return;
    layers_[unfolding_.progress(U::covered(graph_.state(node.state)))].push_back(number);
  }

  void unfold(const typename U::State& state, std::span<const NodeId> paths) {
    const typename U::State from = state;  // states move while they grow in number
    double worth = Graph::kWorst;
    scores_.clear();
    for (NodeId number : paths) {
      scores_.push_back(graph_[number].score);
      worth = std::max(worth, steps_.worth(from, number, scores_.back()));
    }
    StateId hint = kNone;
    rows_.clear();
    steps_.for_each(from, worth, options_.floor, [&](const typename U::Edge& edge, double rest) {
      if (rows_.empty())
        for (NodeId number : paths) rows_.push_back(scorer_.head_row(graph_[number].context));
      extend(from, edge, paths, rest, hint);
    });
  }

  /// Extends by one option all paths that reach the floor with its language-model score and the most that follows.
  void extend(const typename U::State& state, const typename U::Edge& edge, std::span<const NodeId> paths, double rest,
              StateId& hint) {
    budget_.work(2 + paths.size() / 4);
    const PhraseId phrase = edge.phrase;
    const std::uint32_t head = scorer_.head(phrase);
    const double inner = scorer_.inner_score(phrase);
    const bool one_end = scorer_.ends_alike(phrase), best_only = one_end && !graph_.keeps_arcs();
    double best = options_.floor - edge.score - rest - inner;
    Scorer::Step step{0, one_end ? scorer_.end(phrase) : ContextId()};
    NodeId from = kNone;
    const std::size_t piece = head / Scorer::Heads::kPiece, place = head % Scorer::Heads::kPiece;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (i + kAhead < paths.size()) __builtin_prefetch(&rows_[i + kAhead][piece][place]);
      double score = rows_[i][piece][place];
      if (score != score) {
        budget_.work(10);
        score = scorer_.head_score(graph_[paths[i]].context, phrase);
        graph_.count_scorer();
      }
      if (scores_[i] + score < best) continue;
      if (!best_only) {
        const double least = options_.floor - edge.score - steps_.rest_behind(state, paths[i], edge, rest);
        if (scores_[i] + score + inner >= least) {
          const ContextId next = one_end ? step.next : scorer_.end_after(graph_[paths[i]].context, phrase);
          follow(state, paths[i], edge, {score + inner, next}, hint);
        }
        continue;
      }
      best = scores_[i] + score;
      step.score = score + inner;
      from = paths[i];
    }
    if (from != kNone) follow(state, from, edge, step, hint);
  }

  void follow(const typename U::State& state, NodeId from, const typename U::Edge& edge, Scorer::Step step, StateId& hint) {
    const std::size_t known = graph_.size();
    const auto [to, better] = graph_.follow(from, edge, step, hint, graph_.keeps_arcs());
    if (to == kNone) return;
    steps_.arrive(state, from, edge, to);
    if (to >= known) add(to);
  }

  static constexpr std::size_t kWorkToSort = 10;  // for each node
  static constexpr std::size_t kAhead = 8;        // paths whose scores are fetched while others are compared

  Steps& steps_;
  std::vector<Counted<NodeId>> layers_;  // by source positions realized
  std::vector<double> scores_;           // of the paths to the state at hand
  std::vector<Scorer::Heads::Row> rows_;  // of the scores of heads in their contexts
};

}  // namespace widl
