#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "search/search_run.hpp"

namespace widl {

/// Exact search over tiles by dynamic programming: layer by layer of source positions realized, everything that can
/// still reach the floor.
///
/// Where movement is limited, nearly all states that A* can reach are within the looseness of its bound; then it
/// is the constant that counts. The paths to one state differ in their contexts alone, so an option takes the best of
/// them at once, and makes one step: most phrases leave the same context behind, whatever stood before them.
template <CoversTiles U, class Outlook>
class Sweep : private SearchRun<U, Outlook> {
  using Run = SearchRun<U, Outlook>;
  using typename Run::Graph;
  using typename Run::NodeId;
  using StateId = typename Graph::StateId;
  using Run::give_up, Run::graph_, Run::kNone, Run::options_, Run::peak_queue_, Run::unfolded_;

 public:
  /// One derivation only, and no limits of length: what tells paths apart must be the context.
  static bool can_do(const SearchOptions& options) {
    return options.nbest == 1 && options.trace == 0 && options.max_words == 0 && options.max_bytes == 0;
  }

  Sweep(const U& unfolding, Scorer& scorer, Outlook& outlook, const SearchOptions& options)
      : Run(unfolding, scorer, outlook, options), unfolding_(unfolding), scorer_(scorer), outlook_(outlook) {}

  SearchResult run() {
    if (graph_.empty()) return this->finish();
    layers_.resize(unfolding_.length() + 1);
    add(graph_.root());
    for (std::uint32_t covered = 0; covered < unfolding_.length(); ++covered) {
      std::vector<NodeId> layer = std::move(layers_[covered]);
      peak_queue_ = std::max(peak_queue_, layer.size());
      std::erase_if(layer, [&](NodeId n) { return graph_[n].score + graph_[n].bound < options_.floor; });
      std::sort(layer.begin(), layer.end(), [&](NodeId a, NodeId b) { return graph_[a].state < graph_[b].state; });
      for (std::size_t first = 0, last; first < layer.size(); first = last) {
        const StateId state = graph_[layer[first]].state;
        last = first + 1;
        while (last < layer.size() && graph_[layer[last]].state == state) ++last;
        const auto paths = std::span<const NodeId>(layer).subspan(first, last - first);
        if (this->stopped_.empty() && !this->exhausted())
          unfold(graph_.state(state), paths);
        else
          std::for_each(paths.begin(), paths.end(), [&](NodeId number) { give_up(number); });
      }
    }
    return this->finish();
  }

 private:
  void add(NodeId number) {
    const auto& node = graph_[number];
    if (node.is_goal || node.bound == Graph::kWorst) return;
    layers_[unfolding_.progress(graph_.state(node.state))].push_back(number);
  }

  void unfold(const typename U::State& state, std::span<const NodeId> paths) {
    const typename U::State from = state;  // states move while they grow in number
    unfolded_ += paths.size();
    double best = Graph::kWorst;
    scores_.clear();
    for (NodeId number : paths) {
      best = std::max(best, graph_[number].score);
      scores_.push_back(graph_[number].score);
    }
    unfolding_.for_each_span(U::covered(from), [&](const auto& options, const auto& to, double movement) {
      const double least = options_.floor - best - movement - outlook_(unfolding_.moved(from, to), Arrival{}).bound;
      StateId hint = kNone;
      for (const auto& option : options) {
        if (option.rest_bound < least) return;
        if (option.bound < least) continue;
        auto edge = unfolding_.edge(from, option, to, movement);
        if (!edge) continue;
        if (scorer_.ends_alike(option.phrase))
          step(*edge, best_path(paths, option.phrase), hint);
        else
          for (NodeId number : paths) step(*edge, {number, scorer_.extend(graph_[number].context, option.phrase)}, hint);
      }
    });
  }

  struct Extended {
    NodeId from;
    Scorer::Step step;
  };

  /// The path from which a phrase that leaves one context behind scores most.
  Extended best_path(std::span<const NodeId> paths, PhraseId phrase) {
    const std::uint32_t head = scorer_.head(phrase);
    double best = Graph::kWorst;
    Extended found{paths.front(), {0, scorer_.end(phrase)}};
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const ContextId context = graph_[paths[i]].context;
      double score = scorer_.head_row(context)[head];
      if (score != score) score = scorer_.head_score(context, phrase);
      if (scores_[i] + score <= best) continue;
      best = scores_[i] + score;
      found = {paths[i], {score + scorer_.inner_score(phrase), scorer_.end(phrase)}};
    }
    return found;
  }

  void step(const typename U::Edge& edge, const Extended& extended, StateId& hint) {
    const std::size_t known = graph_.size();
    auto [to, better] = graph_.follow(extended.from, edge, extended.step, hint, false);
    if (to != kNone && to >= known) add(to);
  }

  std::size_t queue_memory() const override { return 0; }

  const U& unfolding_;
  Scorer& scorer_;
  Outlook& outlook_;
  std::vector<std::vector<NodeId>> layers_;  // by source positions realized
  std::vector<double> scores_;               // of the paths to the state at hand
};

}  // namespace widl
