#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "search/search_run.hpp"

namespace widl {

/// Search by layers of equal length: everything is unfolded (Soricut & Marcu 2005, Fig. 4) or, with a beam, of each layer
/// only what is within a factor b of its best, estimates included (Fig. 6). Every edge makes a path longer, so a layer
/// is complete when its turn comes; a node that a longer path reaches with a better score is unfolded again in the
/// later layer.
///
/// With an early discard, an edge is left out before language models are asked and its state is looked up, where its
/// estimate is that much below what its layer keeps so far (Moore & Quirk 2007; Moses' early discarding).
template <Unfolding U>
class Layered : private SearchRun<U> {
  using Run = SearchRun<U>;
  using typename Run::Graph;
  using typename Run::NodeId;
  using Run::budget_, Run::estimator_, Run::give_up, Run::graph_, Run::kNone, Run::options_, Run::peak_queue_,
      Run::unfolding_;
  using Layer = Counted<NodeId>;

 public:
  Layered(const U& unfolding, Scorer& scorer, Run::StateEstimator& estimator, const LayerOptions& own,
          const SearchOptions& options, Budget& budget)
      : Run(unfolding, scorer, estimator, options, budget), own_(own), log_beam_(std::log(own.beam)) {}

  SearchResult run() { return this->result_of([&] { return explore(); }); }

 private:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  static constexpr std::size_t kWorkPerStep = 6;

  /// Of the states that wait in a layer: the best priority, and the `size` best ones, as a heap with the least first. One
  /// that was improved counts again.
  struct Kept {
    double best;
    Counted<double> priorities;
  };

  GivenUp explore() {
    GivenUp given_up = GivenUp::nothing();
    if (graph_[graph_.root()].bound != Graph::kWorst) offer(graph_.root());
    for (std::size_t length = 0; length < layers_.size(); ++length) {
      Layer layer = pop_layer(length);
      if (options_.recorder && !layer.empty()) options_.recorder->layer(length);
      if (own_.beam > 0 || own_.size > 0) given_up += this->prune(layer, own_);
      peak_queue_ = std::max(peak_queue_, layer.size());
      std::size_t next = 0;
      for (; next < layer.size() && !this->exhausted(); ++next) given_up += unfold(layer[next]);
      given_up += give_up(std::span<const NodeId>(layer).subspan(next));
    }
    if (discards() && graph_.keeps_arcs()) graph_.unify_arcs();  // those of nodes that were unfolded twice
    return given_up;
  }

  bool discards() const { return !std::isinf(own_.early_discard); }

  GivenUp unfold(NodeId number) {
    if (discards()) return this->visit(number, [&] { return follow_promising(number); });
    return Run::unfold(number, [&](NodeId to) {
      offer(to);
      return GivenUp::nothing();
    });
  }

  GivenUp follow_promising(NodeId number) {
    const typename U::State from = graph_.state(graph_[number].state);  // states move while they grow
    const double score = graph_[number].score;
    GivenUp discarded = GivenUp::nothing();
    unfolding_.for_each_step(U::covered(from), [&](const auto& options, const auto& to, double step_score) {
      budget_.work(kWorkPerStep + options.size() / 4);
      ScoreEstimate completion{0, 0};
      if (!unfolding_.is_complete(to)) completion = estimator_.of_state(unfolding_.moved(from, to));
      if (completion.bound == Graph::kWorst) return;
      auto state = Graph::kNone;
      for (const auto& option : options) {
        const double estimate = score + step_score + option.estimate + completion.estimate;
        if (estimate < least_kept(layer_of(number, option, to)))
          discarded += discard(number, option.label, step_score + option.bound + completion.bound);
        else if (const auto edge = unfolding_.edge(from, option, to, step_score))
          follow(number, *edge, state);
      }
    });
    return discarded;
  }

  void follow(NodeId number, const typename U::Edge& edge, Graph::StateId& state) {
    const auto [to, better] = graph_.follow(number, edge, state, graph_.keeps_arcs());
    if (to == kNone || !better || graph_[to].bound == Graph::kWorst) return;
    offer(to);
    keep(to);
  }

  /// An edge that is left out. `through`: the most that can follow the node that way.
  GivenUp discard(NodeId number, std::uint32_t label, double through) {
    const double score = graph_[number].score;
    if (options_.recorder) options_.recorder->skipped(number, label, score, through);
    return GivenUp::up_to(score + through);
  }

  template <class Option, class Covered>
  std::size_t layer_of(NodeId from, const Option& option, const Covered& to) const {
    return own_.unit == LengthUnit::words ? graph_[from].length + option.word_count : unfolding_.progress(to);
  }

  /// What a state must promise to be kept in a layer, as far as that is known now, less the early discard.
  double least_kept(std::size_t layer) const {
    if (layer >= kept_.size()) return Graph::kWorst;
    const Kept& kept = kept_[layer];
    double least = kept.best + log_beam_;
    if (own_.size && kept.priorities.size() == own_.size) least = std::max(least, kept.priorities.front());
    return least - own_.early_discard;
  }

  void keep(NodeId number) {
    if (graph_[number].is_goal) return;
    const std::size_t layer = this->length_of(number, own_.unit);
    while (kept_.size() <= layer) kept_.push_back({Graph::kWorst, Counted<double>(budget_)});
    Kept& kept = kept_[layer];
    const double priority = this->priority(number);
    kept.best = std::max(kept.best, priority);
    if (own_.size == 0) return;
    if (kept.priorities.size() == own_.size) {
      if (priority <= kept.priorities.front()) return;
      std::ranges::pop_heap(kept.priorities, std::greater<>());
      kept.priorities.pop_back();
    }
    kept.priorities.push_back(priority);
    std::ranges::push_heap(kept.priorities, std::greater<>());
  }

  void offer(NodeId number) {
    const auto& node = graph_[number];
    if (node.is_goal) return;
    if (waits_in_.size() <= number) waits_in_.resize(graph_.size() + graph_.size() / 2, kNowhere);
    const std::uint32_t layer = this->length_of(number, own_.unit);
    if (waits_in_[number] == layer) return;
    while (layers_.size() <= layer) layers_.emplace_back(budget_);
    layers_[layer].push_back(number);
    waits_in_[number] = layer;
  }

  /// The nodes whose best path has this length.
  Layer pop_layer(std::size_t length) {
    Layer layer = std::move(layers_[length]);
    // A node that moved to another layer and back is listed twice.
    std::erase_if(layer, [&](NodeId number) {
      if (waits_in_[number] != length) return true;
      waits_in_[number] = kNowhere;
      return false;
    });
    return layer;
  }

  LayerOptions own_;
  double log_beam_;
  std::vector<Layer> layers_;
  std::vector<Kept> kept_;  // by layer
  Counted<std::uint32_t> waits_in_{budget_};  // by node: the layer where it has its next turn
};

}  // namespace widl
