#pragma once

#include <algorithm>
#include <vector>

#include "search/search_run.hpp"

namespace widl {

/// Search by layers of equal length in words: `bfs` unfolds everything (Soricut & Marcu 2005, Fig. 4), `beam` of
/// each layer only what is within a factor b of its best, estimates included (Fig. 6). Every edge has a word at
/// least, so a layer is complete when its turn comes; a node that a longer path reaches better has another
/// turn in the later layer.
template <Unfolding U, class Outlook>
class Layered : private SearchRun<U, Outlook> {
  using Run = SearchRun<U, Outlook>;
  using typename Run::Graph;
  using typename Run::NodeId;
  using Run::give_up, Run::graph_, Run::kNone, Run::options_, Run::peak_queue_, Run::priority;

 public:
  Layered(const U& unfolding, Scorer& scorer, Outlook& outlook, const SearchOptions& options)
      : Run(unfolding, scorer, outlook, options), unfolding_(unfolding) {}

  SearchResult run() {
    if (graph_.empty()) return this->finish();
    if (graph_[graph_.root()].bound != Graph::kWorst) offer(graph_.root());
    for (std::size_t length = 0; length < layers_.size(); ++length) {
      std::vector<NodeId> layer = take(length);
      if (options_.algorithm != Algorithm::bfs) this->prune(layer);
      peak_queue_ = std::max(peak_queue_, layer.size());
      for (NodeId number : layer) {
        if (this->stopped_.empty() && !this->exhausted())
          this->unfold(number, [&](NodeId to) { offer(to); });
        else
          give_up(number);
      }
    }
    return this->finish();
  }

 private:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  void offer(NodeId number) {
    const auto& node = graph_[number];
    if (node.is_goal) return;
    if (waits_in_.size() <= number) waits_in_.resize(graph_.size() + graph_.size() / 2, kNowhere);
    const std::uint32_t layer = layer_of(node);
    if (waits_in_[number] == layer) return;
    waits_in_[number] = layer;
    if (layers_.size() <= layer) layers_.resize(layer + 1);
    layers_[layer].push_back(number);
  }

  std::uint32_t layer_of(const typename Graph::Node& node) const {
    if constexpr (CoversTiles<U>)
      if (options_.algorithm == Algorithm::stack) return unfolding_.progress(graph_.state(node.state));
    return node.length;
  }

  /// The nodes whose best path has this length.
  std::vector<NodeId> take(std::size_t length) {
    std::vector<NodeId> layer = std::move(layers_[length]);
    layers_[length] = {};
    // Who left for another layer and came back is listed twice.
    std::erase_if(layer, [&](NodeId number) {
      if (waits_in_[number] != length) return true;
      waits_in_[number] = kNowhere;
      return false;
    });
    return layer;
  }

  std::size_t queue_memory() const override { return waits_in_.capacity() * 3 * sizeof(NodeId); }

  const U& unfolding_;
  std::vector<std::vector<NodeId>> layers_;
  std::vector<std::uint32_t> waits_in_;  // by node: the layer where it has its next turn
};

}  // namespace widl
