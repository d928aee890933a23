#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "expression/packing.hpp"
#include "search/budget.hpp"
#include "search/edge.hpp"
#include "search/extent.hpp"
#include "search/hash_table.hpp"
#include "search/options.hpp"
#include "search/scorer.hpp"
#include "search/weights.hpp"

namespace widl {

/// A phrase of a packing, scored.
struct PackingOption {
  std::uint64_t items;
  PhraseId phrase;
  std::uint32_t word_count;
  std::uint32_t bytes;        ///< of the words, and as many separators
  std::uint32_t cost;         ///< of the limit on length
  std::uint32_t alternative;  ///< its number in the packing
  double score;               ///< all weighted features but language models
  double gain;                ///< at least that and the language models' score, after <s> or any phrase that may precede
  double finish;              ///< at least ln p(</s>) after it
};

/// A packing joined with weights and language models.
class PackingModel {
 public:
  static constexpr double kImpossible = -std::numeric_limits<double>::infinity();

  PackingModel(const Packing& packing, Scorer& scorer, const Weights& weights, const SearchOptions& options,
               Budget& budget);

  std::span<const PackingOption> options() const { return options_; }
  /// The length that may be used up, in the unit of the options' costs; 0, as these are, if there is no limit.
  std::uint32_t capacity() const { return capacity_; }

  /// At least what phrases give that may still come when `used` items are served and `left` of the length is left:
  /// one or more of them and </s>. Items are served once, but by groups: of phrases that share an item only one.
  /// Without regard to length where the budget has no room or time for that.
  double rest(std::uint64_t used, std::uint32_t left);
  /// The fewest words and bytes of one of them.
  Extent shortest(std::uint64_t used) const;

 private:
  std::size_t lengths() const { return std::size_t{capacity_} + 1; }
  void bound_gains(Scorer& scorer);
  void bound_pairs(Scorer& scorer);
  void group();
  void limit_capacity();
  using Table = Counted<double>;  // by length left
  Table table(std::uint64_t used) const;
  double rest_without_table(std::uint64_t used) const;

  std::vector<PackingOption> options_;            // of a group side by side, the groups in `groups_`
  std::vector<std::pair<std::size_t, std::size_t>> groups_;
  std::uint32_t capacity_ = 0;
  Budget& budget_;
  std::unordered_map<std::uint64_t, Table, std::hash<std::uint64_t>, std::equal_to<std::uint64_t>,
                     BudgetAllocator<std::pair<const std::uint64_t, Table>>>
      tables_{budget_};  // by used items
};

/// The acceptor of a packing, unfolded on demand. A state is which items are served, how much of the length is used,
/// and whether the derivation is complete: every phrase leads to a state from where it goes on and to one that is final.
class PackingUnfolding {
 public:
  struct State {
    std::uint64_t used = 0;
    std::uint32_t cost = 0;
    bool done = false;
    bool operator==(const State&) const = default;
  };
  using Edge = UnfoldedEdge<State>;

  explicit PackingUnfolding(PackingModel& model) : model_(&model) {}

  State initial() const { return {}; }
  bool is_final(const State& state) const { return state.done; }
  static std::uint64_t hash(const State& state) {
    return mix(state.used + 0x9e3779b97f4a7c15ULL * (2 * std::uint64_t{state.cost} + state.done));
  }

  /// Calls visit(edge) for every phrase that may come next, as the last one and as another.
  template <class Visit>
  void successors(const State& state, Visit&& visit) const {
    if (state.done) return;
    std::uint32_t label = 0;
    for (const PackingOption& option : model_->options()) {
      const std::uint32_t number = label++;
      if (option.items & state.used) continue;
      if (option.cost > model_->capacity() - state.cost) continue;
      State to{state.used | option.items, state.cost + option.cost, true};
      visit(Edge{to, option.phrase, option.score, number, option.word_count, option.bytes});
      to.done = false;
      visit(Edge{to, option.phrase, option.score, number, option.word_count, option.bytes});
    }
  }

  /// Bound of completing a state; serves all searches as the estimate, too.
  Scorer::ScoreEstimate completion(const State& state) const {
    if (state.done) return {0, 0};
    double bound = model_->rest(state.used, model_->capacity() - state.cost);
    return {bound, bound};
  }
  Extent shortest(const State& state) const { return state.done ? Extent{} : model_->shortest(state.used); }

 private:
  PackingModel* model_;
};

}  // namespace widl
