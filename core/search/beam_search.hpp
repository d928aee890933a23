#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "log_zero.hpp"
#include "search/search_run.hpp"

namespace widl {

/// Search by layers of equal length. It unfolds everything (Soricut & Marcu 2005, Fig. 4) or, with a beam, only the
/// states of each layer within a factor b of its best, estimates included (Fig. 6). Every edge makes a path longer, in words
/// and in positions, so a layer is complete when its turn comes; a node that a longer path reaches with a better score is
/// unfolded again in the later layer.
template <Unfolding U>
class BeamSearchRun : public SearchRun<U> {
  using Run = SearchRun<U>;
  using typename Run::Graph;
  using typename Run::NodeId;
  using Run::budget_, Run::graph_, Run::prune_nodes, Run::search_options_;
  using Layer = MeteredVector<NodeId>;

 public:
  BeamSearchRun(const U& unfolding, NGramScorer& scorer, Run::StateEstimator& estimator, const BeamSearch& layers,
                const SearchOptions& options, Budget& budget)
      : Run(unfolding, scorer, estimator, options, budget), settings_(layers) {}

  SearchResult run() {
    return this->result_of([&] { return explore(); });
  }

 private:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  PrunedBound explore() {
    PrunedBound pruned = PrunedBound::none();
    if (graph_[graph_.root()].bound != kLogZero) offer(graph_.root());
    for (std::size_t length = 0; length < layers_.size(); ++length) {
      Layer layer = pop_layer(length);
      if (search_options_.recorder && !layer.empty()) search_options_.recorder->layer(length);
      if (settings_.beam > 0 || settings_.stack_size > 0)
        pruned += this->prune_layer(layer, settings_.beam, settings_.stack_size);
      std::size_t next = 0;
      for (; next < layer.size() && !this->exhausted(); ++next) pruned += unfold(layer[next]);
      pruned += prune_nodes(std::span<const NodeId>(layer).subspan(next));
    }
    return pruned;
  }

  PrunedBound unfold(NodeId number) {
    return Run::unfold(number, [&](NodeId to) {
      offer(to);
      return PrunedBound::none();
    });
  }

  void offer(NodeId number) {
    const auto& node = graph_[number];
    if (node.is_goal) return;
    if (waits_in_.size() <= number) waits_in_.resize(graph_.size() + graph_.size() / 2, kNowhere);
    const std::uint32_t layer = this->length_of(number, settings_.unit);
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

  BeamSearch settings_;
  std::vector<Layer> layers_;
  MeteredVector<std::uint32_t> waits_in_{budget_};  // by node: the layer where it has its next turn
};

}  // namespace widl
