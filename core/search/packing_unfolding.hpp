#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "expression/packing.hpp"
#include "search/budget.hpp"
#include "search/extent.hpp"
#include "search/hash_table.hpp"
#include "search/options.hpp"
#include "search/realization.hpp"
#include "search/scorer.hpp"
#include "search/unfolding.hpp"
#include "search/weights.hpp"

namespace widl {

/// A phrase of a packing, scored. Its bound holds after <s> or any phrase that may precede.
struct PackingOption : StepOption {
  std::uint64_t items;
  std::uint32_t cost;         ///< of the limit on length
  std::uint32_t alternative;  ///< its number in the packing
  double finish;              ///< at least ln p(</s>) after it
};

/// A packing joined with weights and language models.
class PackingModel {
 public:
  static constexpr double kImpossible = -std::numeric_limits<double>::infinity();

  PackingModel(const Packing& packing, Scorer& scorer, const Weights& weights, const SpaceOptions& options,
               Budget& budget);

  const Packing& packing() const { return *packing_; }
  std::span<const PackingOption> options() const { return options_; }
  /// The same as the last phrase of a derivation; the option of a label.
  std::span<const PackingOption> last_options() const { return last_options_; }
  const PackingOption& option(std::uint32_t label) const { return options_[label / 2]; }
  static bool is_last(std::uint32_t label) { return label % 2; }
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

  const Packing* packing_;
  std::vector<PackingOption> options_, last_options_;  // of a group side by side, the groups in groups_
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
  using Option = PackingOption;

  explicit PackingUnfolding(PackingModel& model) : model_(&model) {}

  State initial() const { return {}; }
  bool is_final(const State& state) const { return state.done; }
  bool is_complete(const State& state) const { return state.done; }
  static std::uint64_t hash(const State& state) {
    return mix(state.used + 0x9e3779b97f4a7c15ULL * (2 * std::uint64_t{state.cost} + state.done));
  }
  /// Items served, and whether that is all.
  std::uint32_t progress(const State& state) const {
    return static_cast<std::uint32_t>(std::popcount(state.used)) + state.done;
  }
  std::uint32_t length() const { return Packing::kMostItems + 1; }
  static const State& covered(const State& state) { return state; }
  static const State& moved(const State&, const State& to) { return to; }

  /// Calls visit(option, state after, 0) for every phrase that may come next, as the last one and as another.
  template <class Visit>
  void for_each_step(const State& state, Visit&& visit) const {
    if (state.done) return;
    const auto options = model_->options(), last = model_->last_options();
    for (std::size_t o = 0; o < options.size(); ++o) {
      const PackingOption& option = options[o];
      if ((option.items & state.used) || option.cost > model_->capacity() - state.cost) continue;
      visit(last.subspan(o, 1), after(state, option, true), 0.0);
      visit(options.subspan(o, 1), after(state, option, false), 0.0);
    }
  }
  template <class Visit>
  void successors(const State& state, Visit&& visit) const {
    for_each_step(state, [&](std::span<const PackingOption> options, const State& to, double) {
      visit(edge_of(options.front(), to, 0));
    });
  }
  std::optional<Edge> edge(const State&, const PackingOption& option, const State& to, double) const {
    return edge_of(option, to, 0);
  }
  std::optional<Edge> step(const State& state, std::uint32_t label) const {
    const PackingOption& option = model_->option(label);
    return edge_of(option, after(state, option, PackingModel::is_last(label)), 0);
  }
  /// Adds the features of a step, but those of language models, words and phrases.
  void add_features(const State&, std::uint32_t label, const FeatureLayout&, std::span<double> row) const {
    const Packing& packing = model_->packing();
    const auto log_scores = packing.log_scores(packing.alternatives()[model_->option(label).alternative]);
    for (std::size_t j = 0; j < log_scores.size(); ++j) row[j] += log_scores[j];
  }
  const PackingOption& option(std::uint32_t label) const { return model_->option(label); }
  RealizedPhrase phrase(std::uint32_t label) const {
    const std::uint32_t number = model_->option(label).alternative;
    const Packing::Alternative& alternative = model_->packing().alternatives()[number];
    return {alternative.first_word, alternative.first_word + alternative.word_count, alternative.word_count, number};
  }
  std::uint32_t phrases_of(std::uint32_t) const { return 1; }

  /// Bound of completing a state; serves all searches as the estimate, too.
  ScoreEstimate completion(const State& state) const {
    if (state.done) return {0, 0};
    double bound = model_->rest(state.used, model_->capacity() - state.cost);
    return {bound, bound};
  }
  Extent shortest(const State& state) const { return state.done ? Extent{} : model_->shortest(state.used); }

 private:
  static State after(const State& state, const PackingOption& option, bool done) {
    return {state.used | option.items, state.cost + option.cost, done};
  }

  PackingModel* model_;
};

}  // namespace widl
