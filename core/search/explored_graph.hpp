#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "search/budget.hpp"
#include "search/hash_index.hpp"
#include "search/hash_table.hpp"
#include "search/ngram_scorer.hpp"

namespace widl {

/// A complete path: the labels of its edges, and its score.
struct RankedPath {
  std::vector<std::uint32_t> labels;
  double score;
};

/// Some of the best of a graph's complete paths, best first.
struct RankedPaths {
  std::vector<RankedPath> paths;
  bool complete = true;  ///< no budget has truncated the list: it has the requested number, or all that exist
};

/// A step between nodes of an explored graph.
struct PathArc {
  std::uint32_t from, to;
  PhraseId phrase;
  std::uint32_t label;
  double score;
};

/// The paths of an explored graph, without its states. The root is node 0.
struct PathGraph {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kRoot = 0;

  std::span<const PathArc> arcs;
  std::size_t nodes;
  std::uint32_t goal;  ///< or kNone
  std::function<std::span<const WordId>(PhraseId)> words;
  std::function<ContextId(std::uint32_t node)> context;
};

/// The arcs of a graph, as numbers, by the node at one of their ends.
class ArcsByNode {
 public:
  explicit ArcsByNode(Budget& budget) : budget_(budget) {}

  /// `end`: the arc member used as the key. The arcs of a node are in the order of their numbers.
  void index(std::span<const PathArc> arcs, std::size_t nodes, std::uint32_t PathArc::*end);

  std::span<const std::uint32_t> of(std::uint32_t node) const {
    return std::span(arcs_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  Budget& budget_;
  MeteredVector<std::uint32_t> first_{budget_}, arcs_{budget_};
};

/// The arcs of an acyclic graph as numbers, each after all arcs into the node where it begins.
MeteredVector<std::uint32_t> topological_arcs(std::span<const PathArc> arcs, std::size_t nodes, Budget& budget);

/// The complete paths of an explored graph, best first: best-first search from the goal backwards, where the best score
/// of reaching a node from the root is known exactly.
class PathRanking {
 public:
  /// @throws OutOfBudget
  PathRanking(PathGraph graph, Budget& budget);

  /// Appends the k best paths, or all paths if there are fewer. `distinct` keeps only the best path for each string.
  /// @throws OutOfBudget after the first path
  void best(std::size_t k, bool distinct, std::vector<RankedPath>& paths);

 private:
  static constexpr std::uint32_t kNone = PathGraph::kNone;
  static constexpr std::size_t kWorkPerArc = 20, kWorkPerStep = 20;

  /// The end of a path from `node`: an arc and the remaining path.
  struct Step {
    std::uint32_t node;
    std::uint32_t rest;
    std::uint32_t arc;
    std::uint32_t suffix;  ///< its words, for distinct strings: known once the step was looked at
  };
  struct Entry {
    double priority, suffix;
    std::uint32_t step;
    bool operator<(const Entry& other) const { return priority < other.priority; }
  };

  /// The numbered suffixes of strings, and the nodes where each was found.
  struct Suffixes {
    struct Suffix {
      WordId word;
      std::uint32_t rest;
    };
    explicit Suffixes(Budget& budget) : index(budget), all(budget), seen(64, budget) {}
    std::uint32_t longer(WordId word, std::uint32_t rest);

    HashIndex<BudgetAllocator> index;
    MeteredVector<Suffix> all;
    HashTable<bool, BudgetAllocator> seen;  // by suffix and node
  };

  bool is_new(std::uint32_t number);
  void push(const Step& step, double suffix);
  void score_forwards();
  std::vector<std::uint32_t> labels(Step step) const;

  PathGraph graph_;
  Budget& budget_;
  ArcsByNode arcs_in_{budget_};          // arcs by the node they lead to
  MeteredVector<double> best_{budget_};  // by node: from the root
  MeteredVector<Step> steps_{budget_};
  std::optional<Suffixes> suffixes_;  // for distinct strings
  std::priority_queue<Entry, MeteredVector<Entry>> queue_{std::less<Entry>(), MeteredVector<Entry>(budget_)};
};

/// The steps of a SearchGraph that are on complete paths from node 0 to the last node. Steps lead to larger node
/// numbers.
struct ExploredGraph {
  struct Arc {
    std::uint32_t from, to;
    std::uint32_t label;
    PhraseId phrase;
    ContextId context;  ///< before the phrase; equal for all paths, as recombination requires
  };
  std::uint32_t nodes = 0;
  std::vector<Arc> arcs;  ///< by `to`, then by `from`
  bool complete = true;   ///< no budget has cut it

  /// A part of all derivations: one path, given by its arcs from the first on. Their nodes are numbered anew.
  static ExploredGraph of_path(std::vector<Arc> arcs) {
    ExploredGraph path;
    path.complete = false;
    for (Arc& arc : arcs) {
      arc.from = path.nodes++;
      arc.to = path.nodes;
    }
    ++path.nodes;
    path.arcs = std::move(arcs);
    return path;
  }
};

/// Finds the complete paths of an explored graph, and prunes by max-marginals. The max-marginal of an arc is the score
/// of the best complete path through it, so pruning keeps complete paths (Sixtus & Ortmanns 1999: forward-backward
/// pruning of lattices).
class GraphPruning {
 public:
  /// @throws OutOfBudget
  GraphPruning(PathGraph graph, Budget& budget);

  /// Keeps arcs whose best path is at most `beam` worse than the best of all. Keeps only the `most` best of these (0:
  /// all), and always the best path.
  ExploredGraph keep(double beam, std::size_t most) const;

 private:
  static constexpr std::size_t kWorkPerArc = 20;

  static MeteredVector<std::uint32_t> arcs_in_order(const PathGraph& graph, Budget& budget);
  double least_marginal(double beam, std::size_t most) const;
  std::vector<bool> complete(double least) const;
  ExploredGraph numbered(const std::vector<bool>& selected) const;

  PathGraph graph_;
  MeteredVector<std::uint32_t> order_;
  MeteredVector<double> marginals_;  // by arc: of the best complete path through it
  double best_;
};

}  // namespace widl
