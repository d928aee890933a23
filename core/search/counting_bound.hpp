#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "log_zero.hpp"
#include "search/budget.hpp"
#include "search/certificate.hpp"
#include "search/constants.hpp"
#include "search/row_loops.hpp"
#include "search/sequence_bound.hpp"

namespace widl {

/// A SequenceBound with less relaxation: it counts the realizations of some groups.
///
///   state of SequenceBound      (placed, previous, last)
///   state with group g counted  (placed, previous, last, realizations of g so far)
///
///   value(node, counts) = max over steps of the node  score + λ_g + value(to, counts + 1 for g),
///                         where g is the step's group, and its count, if it has one, is below multiplicity[g]
///
/// A node is a state without counts. The counts are the digits of an index: group g has the digit
/// index / stride_g modulo (multiplicity[g] + 1).
///
/// `find_floor` finds a realization; its score is the floor. Steps through which no path of the relaxed problem reaches
/// the floor are pruned, usually 98 of 100. `refine` solves the remaining problem again and again, each time with one
/// more group counted, beginning with the groups that the best path realizes too often (decremental state-space
/// relaxation, Righini & Salani 2008), and takes subgradient steps in between. It ends at the optimum unless counting
/// becomes too much work. `settle` keeps the values for look-ups. Completions below the floor have no bound.
///
/// In SequenceBound's example with λ = 0, counting x forbids x y z x: the best path is y z x y at -4. Counting y, too,
/// leaves z x y z. With z counted the bound is tight at -5. (counting_bound_test.cpp repeats it.)
class CountingBound {
 public:
  using OptionId = SequenceBound::OptionId;
  /// The score of a realization, minus infinity if it is impossible.
  using ScoreOf = std::function<double(std::span<const OptionId>)>;

  /// Both `sequence` and `budget` must outlive it. All methods that are not const throw OutOfBudget.
  CountingBound(const SequenceBound& sequence, ScoreOf score_of, Budget& budget);

  /// Finds a realization and the steps that may improve on it. Returns false if there is no realization, or too much
  /// work.
  bool find_floor();
  /// Distance of the bound from the best known realization.
  double gap() const { return bound_ - floor_; }
  /// Counts groups until the gap is closed or another group would cost too much.
  void refine();
  /// Ends that; from now on there are completions.
  void settle();

  double bound() const { return bound_; }
  const GroupMultipliers& multipliers() const { return multipliers_; }
  /// Amount by which each realization of a group increases a state's index.
  std::uint32_t stride(std::uint32_t group) const { return counters_[group].stride; }
  /// Upper bound on the remaining score, like SequenceBound::completion; minus infinity below the floor.
  double completion(std::uint32_t placed, OptionId previous, OptionId last, std::uint32_t index) const {
    const std::uint32_t node = node_at_[key(placed, previous, last)];
    if (node == kNone) return kLogZero;
    const double most = table_[std::size_t{node} * indices_ + index];
    return most > kFiniteLogZero / 2 ? most : kLogZero;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr double kRounding = Certificate::kRoundingOfFloats;

  struct Node {
    OptionId previous, last;
    std::size_t first_step;
  };
  struct Step {
    OptionId option;
    std::uint32_t to;
    double score;
  };
  /// Position of a group's count within a state's index, for a counted group.
  struct Counter {
    std::uint32_t stride = 0, radix = 1;
  };
  /// A partial realization.
  struct Partial {
    double score, promise;
    std::uint64_t realized;  // a hash of the groups
    std::uint32_t node, index, parent;
    OptionId option;
  };

  std::size_t key(std::uint32_t placed, OptionId previous, OptionId last) const {
    const std::size_t first = previous == SequenceBound::kStart ? option_count_ : previous;
    return (placed * std::size_t{option_count_ + 1} + first) * option_count_ + last;
  }
  std::uint32_t group(OptionId option) const { return sequence_.options()[option].group; }
  std::span<const Step> steps(std::uint32_t node) const {
    return {steps_.data() + nodes_[node].first_step, nodes_[node + 1].first_step - nodes_[node].first_step};
  }
  double threshold() const;
  double entry(std::uint32_t node) const;
  std::uint32_t entry_index(std::uint32_t node) const { return counters_[group(nodes_[node].last)].stride; }
  bool may_count(std::uint32_t index, std::uint32_t group) const;
  CountedStep counted(std::uint32_t group) const {
    return {counters_[group].stride, counters_[group].radix, closed_[group].empty() ? nullptr : closed_[group].data()};
  }
  std::size_t pass_work() const { return steps_.size() * indices_; }

  bool make_steps();
  template <class Real>
  double solve(MeteredVector<Real>& table) const;
  std::vector<OptionId> best_path() const;
  std::vector<std::uint32_t> lower();
  void raise_floor(std::size_t width);
  static std::vector<OptionId> placed_by(const std::vector<Partial>& all, const Partial& last);
  void extend(const Partial& partial, std::uint32_t number, double least, const std::vector<std::uint8_t>& counts,
              std::vector<Partial>& next) const;
  void drop_steps();
  void mark_closed();
  bool count_one_more(const std::vector<std::uint32_t>& surplus);

  const SequenceBound& sequence_;
  ScoreOf score_of_;
  Budget& budget_;
  std::uint32_t option_count_;
  GroupMultipliers multipliers_;
  double bound_, floor_ = -std::numeric_limits<double>::infinity();
  std::vector<std::size_t> layers_;     // the first node of each, and the end
  MeteredVector<Node> nodes_{budget_};  // and one more, where the steps end
  MeteredVector<Step> steps_{budget_};
  std::vector<Counter> counters_;             // by group
  std::vector<MeteredVector<float>> closed_;  // by group and index, where strides are short; see CountedStep
  std::uint32_t indices_ = 1;
  MeteredVector<float> rough_{budget_};            // [node][index], of the last pass
  MeteredVector<double> table_{budget_};           // the same
  MeteredVector<std::uint32_t> node_at_{budget_};  // by key
};

}  // namespace widl
