#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "search/constants.hpp"

namespace widl {

/// The multipliers λ of a bag's groups. A path pays for the rule that it realizes each group g multiplicity[g] times.
struct GroupMultipliers {
  std::vector<std::uint32_t> multiplicity;
  std::vector<double> values;

  explicit GroupMultipliers(std::vector<std::uint32_t> given)
      : multiplicity(std::move(given)), values(multiplicity.size(), 0.0) {}

  std::size_t groups() const { return values.size(); }
  double operator[](std::uint32_t group) const { return values[group]; }
  /// Sum of the multipliers over all phrases that a path must realize, and the sum of their absolute values.
  double sum() const { return std::inner_product(values.begin(), values.end(), multiplicity.begin(), 0.0); }
  double absolute_sum() const {
    return std::inner_product(values.begin(), values.end(), multiplicity.begin(), 0.0, std::plus<>(),
                              [](double value, std::uint32_t times) { return std::abs(value) * times; });
  }
};

/// Lowers a bound L(λ) by subgradient steps with momentum. For the best path at λ,
///
///   subgradient_g = number of times that the path realizes g  -  multiplicity[g],
///
/// so λ falls for groups that are realized too often and rises for those that are missed. After the path x y z x of a
/// bag x, y, z, u, the first step lowers λ_x and raises λ_u by the same amount.
class MultiplierDescent {
 public:
  /// A bound is an improvement if it is lower by `least_gain`.
  MultiplierDescent(GroupMultipliers& multipliers, double least_gain, unsigned patience)
      : multipliers_(multipliers),
        best_values_(multipliers.values),
        direction_(multipliers.groups(), 0.0),
        least_gain_(least_gain),
        patience_(patience) {}

  double best() const { return best_; }
  /// Takes the bound at the current multipliers. Returns false after `patience` bounds without improvement: the best
  /// multipliers are back, and steps from there must be shorter.
  bool goes_on(double bound) {
    if (bound < best_ - least_gain_) {
      best_ = bound;
      best_values_ = multipliers_.values;
      stalled_ = 0;
    } else if (++stalled_ >= patience_) {
      stalled_ = 0;
      std::ranges::fill(direction_, 0.0);
      restore_best();
      return false;
    }
    return true;
  }
  /// A step by `length(square)` times the direction, where `square` is the direction's squared length. Returns false if
  /// there is no direction.
  template <class Length>
  bool step(const std::vector<std::uint32_t>& visits, Length&& length) {
    double square = 0;
    for (std::size_t g = 0; g < visits.size(); ++g) {
      direction_[g] =
          constants::kMomentum * direction_[g] + (static_cast<double>(visits[g]) - multipliers_.multiplicity[g]);
      square += direction_[g] * direction_[g];
    }
    if (square == 0) return false;
    const double factor = length(square);
    for (std::size_t g = 0; g < visits.size(); ++g) multipliers_.values[g] -= factor * direction_[g];
    return true;
  }
  void restore_best() { multipliers_.values = best_values_; }

 private:
  GroupMultipliers& multipliers_;
  std::vector<double> best_values_, direction_;
  double best_ = std::numeric_limits<double>::infinity(), least_gain_;
  unsigned patience_, stalled_ = 0;
};

}  // namespace widl
