#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "search/budget.hpp"
#include "search/group_multipliers.hpp"

namespace widl {

/// An upper bound on realizing a bag: every group exactly once, in any order, under language models.
///
/// Relaxes the rule "every group exactly once" to "as many phrases as there are groups". The relaxed problem is a
/// dynamic program over (phrases placed, last two phrases), where trigram scores are exact. A multiplier λ_g per group
/// pays for the rule (state-space relaxation, Christofides et al. 1981; for phrase-based decoding Chang & Collins
/// 2011):
///
///   L(λ) = max over paths Σ (score of each step + λ_g of its group)  -  Σ_g λ_g
///
/// Every L(λ) is a bound. Subgradient steps lower it: λ falls for groups that the best path realizes too often and
/// rises for those it misses. The same multipliers bound every partial realization by a look-up, because its completion
/// realizes exactly the remaining groups:
///
///   completion(placed, previous, last)  -  Σ λ_g over the remaining groups
///
/// No group occurs twice among the last three phrases, so bags of three are exact; of four: <s> x: 0, <s> and another
/// word: -1, x y, y z and z x: -1, all other pairs: -3, the end: 0. The best string x y z u scores 0 - 1 - 1 - 3 = -5.
/// At λ = 0 the best path is x y z x, which scores -3 and misses u. Both it and x y z u score -5 at λ_x = -1, λ_u = 1:
/// L = -5 is tight. (counting_bound_test.cpp repeats it.)
class SequenceBound {
 public:
  using OptionId = std::uint32_t;
  /// No phrase: before the first one.
  static constexpr OptionId kStart = std::numeric_limits<OptionId>::max();

  /// One way to realize a group.
  struct Option {
    std::uint32_t group;
    double score;  ///< weighted features without language models
  };

  /// Scores of language models after two consecutive options; `previous`, or both, may be kStart.
  struct Scores {
    std::function<std::function<double(OptionId next)>(OptionId previous, OptionId last)> after;
    std::function<double(OptionId previous, OptionId last)> finish;
  };

  /// multiplicity[g]: the number of equal groups that g represents. A path places `length` phrases, the sum of all
  /// multiplicities.
  /// @throws OutOfBudget
  SequenceBound(std::vector<std::uint32_t> multiplicity, std::vector<Option> options, const Scores& scores,
                Budget& budget);

  /// Operations of one pass of the dynamic program.
  static double work(std::size_t length, std::size_t options) {
    return static_cast<double>(length) * static_cast<double>(options) * static_cast<double>(options) *
           static_cast<double>(options);
  }

  /// Lowers the bound by up to `iterations` subgradient steps, within the budget.
  void tighten(unsigned iterations);

  std::uint32_t length() const { return length_; }
  /// Whether some path with the score of the bound realizes every group once.
  bool is_realized() const { return realized_; }
  /// The bound of the whole realization.
  double bound() const { return bound_; }
  const GroupMultipliers& multipliers() const { return multipliers_; }
  const std::vector<Option>& options() const { return options_; }
  /// Scores of a first option, of an option after two others (far below any score if its group would be realized too
  /// often), and of the end.
  double start(OptionId next) const { return starts_[next]; }
  double step(OptionId previous, OptionId last, OptionId next) const {
    return steps_[(std::size_t{last} * option_count_ + next) * columns_ + column(previous)];
  }
  double finish(OptionId previous, OptionId last) const { return finishes_[pair(previous, last)]; }
  /// Upper bound on the score that follows `placed` phrases ending with these two, plus the multipliers of the groups
  /// it realizes.
  double completion(std::uint32_t placed, OptionId previous, OptionId last) const {
    if (placed == 0) return bound_ + multiplier_sum_;
    return table_[placed * pairs_ + pair(previous, last)];
  }

 private:
  /// Tables have a row for each last option (or pair of last options), with a column for each previous option.
  std::size_t column(OptionId previous) const { return previous == kStart ? option_count_ : previous; }
  std::size_t pair(OptionId previous, OptionId last) const { return std::size_t{last} * columns_ + column(previous); }
  bool may_follow(OptionId previous, OptionId last, OptionId next) const;
  template <class Real>
  double solve(const MeteredVector<Real>& steps, MeteredVector<Real>& table) const;
  void lower(unsigned iterations);
  std::vector<std::uint32_t> best_visits(const MeteredVector<float>& table) const;

  Budget& budget_;
  GroupMultipliers multipliers_;
  std::vector<Option> options_;
  std::uint32_t option_count_;
  std::uint32_t length_ = 0;
  std::size_t columns_, pairs_;  // of all options and the start; with room for whole vectors
  std::vector<double> starts_;   // [next]
  MeteredVector<double> steps_{
      budget_};  // [last][next][column]; far below any score where the group would be realized too often
  MeteredVector<double> finishes_{budget_};  // [pair]
  double multiplier_sum_ = 0;
  double bound_ = 0;
  bool realized_ = false;
  MeteredVector<double> table_{budget_};  // [placed][pair]
};

}  // namespace widl
