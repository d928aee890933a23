#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "search/search_run.hpp"
#include "search/tiles_unfolding.hpp"

namespace widl {

/// Stack decoding that makes only the most promising states of a layer (cube pruning: Huang & Chiang 2007; of
/// phrase tables as in Heafield et al. 2014).
///
/// A layer holds the states with as many source positions realized. A *cube* pairs the paths to one state, best
/// first, with the options of one span that may come next, best first. All cubes that lead to a layer
/// compete: the pair with the best estimate is realized, and makes way for its two neighbours, until the pop limit
/// is reached. Pairs cost nothing before they are realized; language models are asked only then.
template <std::size_t Words, class Outlook>
class CubePruning : private SearchRun<TilesUnfolding<Words>, Outlook> {
  using U = TilesUnfolding<Words>;
  using Run = SearchRun<U, Outlook>;
  using typename Run::Graph;
  using typename Run::NodeId;
  using StateId = typename Graph::StateId;
  using Run::give_up, Run::graph_, Run::kNone, Run::lost_bound_, Run::options_, Run::peak_queue_, Run::priority,
      Run::unfolded_;

 public:
  CubePruning(const U& unfolding, Scorer& scorer, Outlook& outlook, const SearchOptions& options)
      : Run(unfolding, scorer, outlook, options), unfolding_(unfolding), outlook_(outlook) {}

  SearchResult run() {
    if (graph_.empty()) return this->finish();
    const std::uint32_t length = unfolding_.length();
    layers_.resize(length + 1);
    cubes_.resize(length + 1);
    if (graph_[graph_.root()].bound != Graph::kWorst) layers_[0].push_back(graph_.root());
    for (std::uint32_t covered = 0; covered <= length; ++covered) {
      realize_best(covered);
      if (covered < length) make_cubes(covered);
    }
    return this->finish();
  }

 private:
  struct Cube {
    const NodeId* paths;
    const TileOption* options;
    std::uint32_t path_count, option_count;
    StateId to;
    double movement;
    Scorer::Outlook outlook;  ///< of `to`
  };
  /// A pair of a cube that may be realized next.
  struct Item {
    double estimate;
    std::uint32_t cube, path, option;
    bool operator<(const Item& other) const { return estimate < other.estimate; }
  };

  void realize_best(std::uint32_t covered) {
    const std::vector<Cube>& cubes = cubes_[covered];
    std::vector<Item> queue;
    queue.reserve(cubes.size());
    for (std::uint32_t c = 0; c < cubes.size(); ++c) queue.push_back(item(cubes, c, 0, 0));
    std::make_heap(queue.begin(), queue.end());
    const double log_beam = std::log(options_.beam);
    double best = Graph::kWorst;
    for (std::size_t made = 0; !queue.empty(); ++made) {
      if (options_.pop_limit && made >= options_.pop_limit) break;
      if (!this->stopped_.empty() || this->exhausted()) break;
      if (queue.front().estimate < best + log_beam) break;
      std::pop_heap(queue.begin(), queue.end());
      const Item next = queue.back();
      queue.pop_back();
      const Cube& cube = cubes[next.cube];
      best = std::max(best, realize(covered, cube, next));
      if (next.option + 1 < cube.option_count) push(queue, item(cubes, next.cube, next.path, next.option + 1));
      if (next.option == 0 && next.path + 1 < cube.path_count) push(queue, item(cubes, next.cube, next.path + 1, 0));
    }
    peak_queue_ = std::max(peak_queue_, queue.size());
    for (const Item& left : queue) lose(cubes[left.cube], left);
    cubes_[covered] = {};
  }

  Item item(const std::vector<Cube>& cubes, std::uint32_t c, std::uint32_t path, std::uint32_t option) const {
    const Cube& cube = cubes[c];
    return {graph_[cube.paths[path]].score + cube.movement + cube.options[option].estimate + cube.outlook.estimate, c,
            path, option};
  }

  static void push(std::vector<Item>& queue, const Item& item) {
    queue.push_back(item);
    std::push_heap(queue.begin(), queue.end());
  }

  /// The pair becomes a step of the graph; returns the priority of where it leads.
  double realize(std::uint32_t covered, const Cube& cube, const Item& pair) {
    ++unfolded_;
    const auto edge = unfolding_.edge(cube.options[pair.option], graph_.state(cube.to), cube.movement);
    const std::size_t known = graph_.size();
    auto [to, better] = graph_.follow(cube.paths[pair.path], edge, cube.to, graph_.keeps_arcs());
    if (to == kNone || graph_[to].bound == Graph::kWorst) return Graph::kWorst;
    if (to >= known && !graph_[to].is_goal) layers_[covered].push_back(to);
    return better ? priority(to) : Graph::kWorst;
  }

  /// What is never realized: the pair and what is behind it; in the first column also the worse paths below.
  void lose(const Cube& cube, const Item& pair) {
    lost_bound_ = std::max(lost_bound_, graph_[cube.paths[pair.path]].score + cube.movement +
                                            cube.options[pair.option].rest_bound + cube.outlook.bound);
  }

  /// Cubes of a layer's best paths with all that may follow.
  void make_cubes(std::uint32_t covered) {
    std::vector<NodeId>& layer = layers_[covered];
    prune(layer);
    std::sort(layer.begin(), layer.end(), [&](NodeId a, NodeId b) {
      const auto &x = graph_[a], &y = graph_[b];
      return x.state != y.state ? x.state < y.state : x.score > y.score;
    });
    for (std::size_t first = 0, last; first < layer.size(); first = last) {
      const StateId from = graph_[layer[first]].state;
      last = first + 1;
      while (last < layer.size() && graph_[layer[last]].state == from) ++last;
      const auto state = graph_.state(from);
      unfolding_.for_each_span(state, [&](std::span<const TileOption> options, const auto& to, double movement) {
        StateId id = graph_.intern(to);
        Scorer::Outlook outlook = unfolding_.is_final(to) ? Scorer::Outlook{0, 0} : outlook_(to, Arrival{});
        if (outlook.bound == Graph::kWorst) return;
        cubes_[unfolding_.progress(to)].push_back({layer.data() + first, options.data(),
                                                   static_cast<std::uint32_t>(last - first),
                                                   static_cast<std::uint32_t>(options.size()), id, movement, outlook});
      });
    }
  }

  void prune(std::vector<NodeId>& layer) {
    double best = Graph::kWorst;
    for (NodeId number : layer) best = std::max(best, priority(number));
    const double least = best + std::log(options_.beam);
    auto end = std::partition(layer.begin(), layer.end(), [&](NodeId number) { return priority(number) >= least; });
    std::for_each(end, layer.end(), [&](NodeId number) { give_up(number); });
    layer.erase(end, layer.end());
    if (options_.beam_size == 0 || layer.size() <= options_.beam_size) return;
    auto kept = layer.begin() + static_cast<std::ptrdiff_t>(options_.beam_size);
    std::nth_element(layer.begin(), kept, layer.end(), [&](NodeId a, NodeId b) { return priority(a) > priority(b); });
    std::for_each(kept, layer.end(), [&](NodeId number) { give_up(number); });
    layer.erase(kept, layer.end());
  }

  std::size_t queue_memory() const override { return 0; }

  const U& unfolding_;
  Outlook& outlook_;
  std::vector<std::vector<NodeId>> layers_;  // by source positions realized
  std::vector<std::vector<Cube>> cubes_;     // by where they lead
};

}  // namespace widl
