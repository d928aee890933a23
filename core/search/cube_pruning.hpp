#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "heap.hpp"
#include "log_zero.hpp"
#include "search/constants.hpp"
#include "search/search_run.hpp"

namespace widl {

/// Stack decoding that makes only the most promising states of a layer (cube pruning: Huang & Chiang 2007; of
/// phrase tables as in Heafield et al. 2014).
///
/// A layer holds the states of equal progress. A *cube* pairs the paths to one state, best first, with the options of
/// one step that may come next, best first. All cubes that lead to a layer compete: the pair with the best estimate is
/// realized, and replaced in the queue by its two neighbors, until the pop limit is reached. A pair costs no work
/// before it is realized; only then are the language models queried. Several pairs at a time are taken from the queue
/// and realized side by side, to hide memory latency; no pair's estimate depends on another's result.
template <Unfolding U>
class CubePruningRun : public SearchRun<U> {
  using Run = SearchRun<U>;
  using typename Run::Graph;
  using typename Run::NodeId;
  using StateId = typename Graph::StateId;
  using Covered = std::remove_cvref_t<decltype(U::covered(std::declval<typename U::State>()))>;
  using Run::attempt, Run::budget_, Run::estimator_, Run::graph_, Run::kNone, Run::search_options_, Run::priority,
      Run::prune_nodes, Run::scorer_, Run::unfolded_, Run::unfolding_;

 public:
  CubePruningRun(const U& unfolding, NGramScorer& scorer, Run::StateEstimator& estimator, const CubePruning& settings,
                 const SearchOptions& options, Budget& budget)
      : Run(unfolding, scorer, estimator, options, budget), settings_(settings) {}

  SearchResult run() {
    return this->result_of([&] { return explore(); });
  }

 private:
  struct Cube {
    std::span<const NodeId> paths;
    const double* scores;  ///< of the paths
    std::span<const typename U::Option> options;
    Covered to;
    double step_score;
    ScoreEstimate completion;  ///< of `to`
    StateId number;            ///< of the target state, if known
  };
  /// A pair of a cube in the queue.
  struct Item {
    double estimate;
    std::uint32_t cube, path, option;
    bool operator<(const Item& other) const { return estimate < other.estimate; }
  };
  /// A pair taken from the queue, with partial data of its edge.
  struct Taken {
    Item pair;
    std::optional<typename U::Edge> edge;
    NGramScorer::Step step;
    StateId to;
  };

  using Cubes = MeteredVector<Cube>;
  using Items = MeteredVector<Item>;

  PrunedBound explore() {
    const std::uint32_t length = unfolding_.length();
    layers_.resize(length + 1, MeteredVector<NodeId>(budget_));
    scores_.resize(length + 1, MeteredVector<double>(budget_));
    cubes_.resize(length + 1, Cubes(budget_));
    if (graph_[graph_.root()].bound != kLogZero) layers_[0].push_back(graph_.root());
    PrunedBound pruned = PrunedBound::none();
    for (std::uint32_t covered = 0; covered <= length; ++covered) {
      pruned += realize_best(covered);
      if (covered < length) pruned += make_cubes(covered);
    }
    return pruned;
  }

  PrunedBound realize_best(std::uint32_t covered) {
    Cubes& cubes = cubes_[covered];
    if (search_options_.recorder && !cubes.empty()) search_options_.recorder->layer(covered);
    PrunedBound pruned = PrunedBound::none();
    Items queue = first_pairs(cubes, pruned);
    const double log_beam = std::log(settings_.beam);
    double best = kLogZero;
    for (std::size_t popped = 0; !this->exhausted(); popped += taken_.size()) {
      take_best(queue, cubes, settings_.pop_limit ? settings_.pop_limit - popped : constants::kCubeItemsAtOnce,
                best + log_beam);
      if (taken_.empty()) break;
      pruned += realize(covered, cubes, best);
    }
    for (const Item& left : queue) pruned += prune_item(cubes[left.cube], left);
    Cubes(budget_).swap(cubes);
    return pruned;
  }

  /// A heap of each cube's best pair. If there are more cubes than may be realized, only the best cubes are kept.
  Items first_pairs(const Cubes& cubes, PrunedBound& pruned) {
    Items queue(budget_);
    queue.reserve(cubes.size());
    for (std::uint32_t c = 0; c < cubes.size(); ++c) queue.push_back(item(cubes, c, 0, 0));
    if (settings_.pop_limit && queue.size() > settings_.pop_limit) {
      const auto cutoff = queue.begin() + static_cast<std::ptrdiff_t>(settings_.pop_limit);
      std::nth_element(queue.begin(), cutoff, queue.end(), [](const Item& a, const Item& b) { return b < a; });
      std::for_each(cutoff, queue.end(), [&](const Item& left) { pruned += prune_item(cubes[left.cube], left); });
      queue.erase(cutoff, queue.end());
    }
    std::make_heap(queue.begin(), queue.end());
    return queue;
  }

  Item item(const Cubes& cubes, std::uint32_t c, std::uint32_t path, std::uint32_t option) const {
    const Cube& cube = cubes[c];
    const double so_far = cube.scores[path] + cube.step_score;
    return {so_far + cube.options[option].estimate + cube.completion.estimate, c, path, option};
  }

  /// Takes up to `most` of the best pairs from the queue and adds their neighbors to it. Takes no pair whose estimate
  /// is below `least`.
  void take_best(Items& queue, const Cubes& cubes, std::size_t most, double least) {
    taken_.clear();
    while (taken_.size() < std::min(most, constants::kCubeItemsAtOnce) && !queue.empty() &&
           queue.front().estimate >= least) {
      const Item next = queue.front();
      const Cube& cube = cubes[next.cube];
      const bool more_options = next.option + 1 < cube.options.size();
      const bool more_paths = next.option == 0 && next.path + 1 < cube.paths.size();
      if (more_options)
        replace_top(queue, item(cubes, next.cube, next.path, next.option + 1), std::less<>());
      else if (more_paths)
        replace_top(queue, item(cubes, next.cube, next.path + 1, 0), std::less<>());
      else
        drop_best(queue);
      if (more_options && more_paths) {
        queue.push_back(item(cubes, next.cube, next.path + 1, 0));
        std::push_heap(queue.begin(), queue.end());
      }
      scorer_.prefetch_step(graph_[cube.paths[next.path]].context, cube.options[next.option].phrase);
      taken_.push_back({next, std::nullopt, {}, Graph::kNone});
    }
  }

  static void drop_best(Items& queue) {
    const Item last = queue.back();
    queue.pop_back();
    if (!queue.empty()) replace_top(queue, last, std::less<>());
  }

  /// Adds the edges of the pairs that were taken to the graph, and raises `best` to the priorities of their targets.
  /// The memory of each pair is prefetched several pairs ahead.
  PrunedBound realize(std::uint32_t covered, Cubes& cubes, double& best) {
    for (const Taken& item : taken_) {
      const Cube& cube = cubes[item.pair.cube];
      scorer_.prefetch(graph_[cube.paths[item.pair.path]].context, cube.options[item.pair.option].phrase);
    }
    const auto out = catch_out_of_budget([&] {
      for (Taken& item : taken_) prepare(cubes[item.pair.cube], item);
    });
    std::ignore = this->note(out);  // if so, the budget is exhausted: no pair is added
    PrunedBound pruned = PrunedBound::none();
    for (const Taken& item : taken_) {
      const Cube& cube = cubes[item.pair.cube];
      const auto prune = [&] { return prune_item(cube, item.pair); };
      pruned += this->exhausted() ? prune() : attempt([&] { return realize(covered, cube, item, best); }, prune);
    }
    return pruned;
  }

  /// Finds the target of a pair's edge.
  void prepare(Cube& cube, Taken& item) {
    const NodeId path = cube.paths[item.pair.path];
    const auto& node = graph_[path];
    const auto& option = cube.options[item.pair.option];
    item.edge = unfolding_.edge(graph_.state(node.state), option, cube.to, cube.step_score);
    if (!item.edge) return;
    item.step = scorer_.extend(node.context, option.phrase);
    graph_.prefetch(path, *item.edge, item.step, cube.number);
    item.to = cube.number;
  }

  /// Adds the pair's edge to the graph.
  PrunedBound realize(std::uint32_t covered, const Cube& cube, const Taken& item, double& best) {
    ++unfolded_;
    const NodeId path = cube.paths[item.pair.path];
    if (search_options_.recorder)
      search_options_.recorder->left(SearchEvent::Kind::unfolded, path, graph_[path],
                                     cube.options[item.pair.option].label);
    if (!item.edge) return PrunedBound::none();
    const std::size_t node_count = graph_.size();
    StateId state = item.to;
    const auto [to, better] = graph_.follow(path, *item.edge, item.step, state, graph_.keeps_arcs());
    if (to == kNone || graph_[to].bound == kLogZero) return PrunedBound::none();
    if (to >= node_count && !graph_[to].is_goal) layers_[covered].push_back(to);
    if (better) best = std::max(best, priority(to));
    return PrunedBound::none();
  }

  /// Prunes a pair, the pairs that it dominates and, in the first column, the worse paths below.
  PrunedBound prune_item(const Cube& cube, const Item& pair) {
    const double score = cube.scores[pair.path];
    const double through = cube.step_score + cube.options[pair.option].bound_from_here + cube.completion.bound;
    if (search_options_.recorder)
      search_options_.recorder->skipped(cube.paths[pair.path], cube.options[pair.option].label, score, through);
    return PrunedBound::up_to(score + through);
  }

  /// Pairs a layer's best paths with all spans that may follow.
  PrunedBound make_cubes(std::uint32_t covered) {
    MeteredVector<NodeId>& layer = layers_[covered];
    if (this->exhausted()) return prune_nodes(layer);
    PrunedBound pruned = this->prune_layer(layer, settings_.beam, settings_.stack_size);
    std::sort(layer.begin(), layer.end(), [&](NodeId a, NodeId b) {
      const auto &x = graph_[a], &y = graph_[b];
      return x.state != y.state ? x.state < y.state : x.score > y.score;
    });
    MeteredVector<double>& scores = scores_[covered];
    scores.reserve(layer.size());
    for (NodeId path : layer) scores.push_back(graph_[path].score);
    for (std::size_t first = 0, last; first < layer.size(); first = last) {
      const auto number = graph_[layer[first]].state;
      last = first + 1;
      while (last < layer.size() && graph_[layer[last]].state == number) ++last;
      const auto paths = std::span<const NodeId>(layer).subspan(first, last - first);
      if (search_options_.recorder)
        for (NodeId path : paths) search_options_.recorder->left(SearchEvent::Kind::paired, path, graph_[path]);
      pruned += this->exhausted() ? prune_nodes(paths) : add_cubes(graph_.state(number), paths, scores.data() + first);
    }
    return pruned;
  }

  PrunedBound add_cubes(const typename U::State& from, std::span<const NodeId> paths, const double* scores) {
    const auto add = [&] {
      const Covered& covered = U::covered(from);
      unfolding_.for_each_step(covered, [&](const auto& options, const Covered& to, double step_score) {
        budget_.work(kWorkPerCube);
        ScoreEstimate completion{0, 0};
        if (!unfolding_.is_complete(to)) completion = estimator_.of_state(unfolding_.moved(from, to));
        if (completion.bound != kLogZero)
          cubes_[unfolding_.progress(to)].push_back({paths, scores, options, to, step_score, completion, Graph::kNone});
      });
      return PrunedBound::none();
    };
    return attempt(add, [&] { return prune_nodes(paths); });
  }

  static constexpr std::size_t kWorkPerCube = 10;

  CubePruning settings_;
  std::vector<MeteredVector<NodeId>> layers_;  // by progress
  std::vector<MeteredVector<double>> scores_;  // of the paths there, once they are sorted
  std::vector<Cubes> cubes_;                   // by where they lead
  std::vector<Taken> taken_;
};

}  // namespace widl
