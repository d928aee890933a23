#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace widl {

/// The guarantee of a search: the score of the best derivation found, and an upper bound on all scores.
///
/// It has the tolerances of all comparisons of scores with bounds.
struct Certificate {
  static constexpr double kNothing = -std::numeric_limits<double>::infinity();

  double score = kNothing;  ///< -infinity: no derivation was found
  double bound = kNothing;

  /// Whether the score reaches the bound. Infinite values prove no optimality.
  bool optimal() const { return std::isfinite(score) && std::isfinite(bound) && bound - score <= tolerance(score); }

  /// How far the score may be below the bound and still reach it: a millionth of the score. The relative tolerance
  /// alone fails near zero: sums taken in a different order differ by rounding.
  static double tolerance(double score) { return kRelative * std::max(std::abs(score), kMinScore); }

  /// Tolerance between the score of a derivation recomputed from its features and the sum that search accumulated.
  static double recount(double score) { return kRelative * std::max(1.0, std::abs(score)); }
  /// Tolerance between two sums of the same numbers in different orders.
  static double rounding(double score) { return kRounding * std::max(1.0, std::abs(score)); }

  /// The relative rounding of a sum of floats.
  static constexpr double kRoundingOfFloats = 2e-5;

 private:
  static constexpr double kRelative = 1e-6, kMinScore = 1e-6, kRounding = 1e-9;
};

/// An upper bound on the score of every derivation that a step of a search pruned.
///
/// Every step that may prune, or that a budget may interrupt, returns a PrunedBound. The certificate's bound is the
/// largest of them. Code that drops it does not compile.
class [[nodiscard]] PrunedBound {
 public:
  /// The step pruned no derivation.
  static PrunedBound none() { return PrunedBound(-std::numeric_limits<double>::infinity()); }
  static PrunedBound up_to(double bound) { return PrunedBound(bound); }

  double value() const { return value_; }
  PrunedBound& operator+=(PrunedBound other) {
    value_ = std::max(value_, other.value_);
    return *this;
  }

 private:
  explicit PrunedBound(double value) : value_(value) {}
  double value_;
};

}  // namespace widl
