#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

#include "search/budget.hpp"
#include "search/hash_table.hpp"
#include "search/path_graph.hpp"
#include "search/ranked_path.hpp"

namespace widl {

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
    Counted<Suffix> all;
    HashTable<bool, BudgetAllocator> seen;  // by suffix and node
  };

  bool is_new(std::uint32_t number);
  void push(const Step& step, double suffix);
  void score_forwards();
  std::vector<std::uint32_t> labels(Step step) const;

  PathGraph graph_;
  Budget& budget_;
  ArcsByNode arcs_in_{budget_};       // arcs by the node they lead to
  Counted<double> best_{budget_};     // by node: from the root
  Counted<Step> steps_{budget_};
  std::optional<Suffixes> suffixes_;  // for distinct strings
  std::priority_queue<Entry, Counted<Entry>> queue_{std::less<Entry>(), Counted<Entry>(budget_)};
};

}  // namespace widl
