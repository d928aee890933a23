#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace widl {

/// What a search promises: the score of the best derivation found, and an upper bound on the scores of all.
///
/// All comparisons of scores with bounds, and the tolerances of these, are here.
struct Certificate {
  static constexpr double kNothing = -std::numeric_limits<double>::infinity();

  double score = kNothing;  ///< -infinity: no derivation was found
  double bound = kNothing;

  /// Whether the score reaches the bound. Infinities prove nothing.
  bool optimal() const { return std::isfinite(score) && std::isfinite(bound) && bound - score <= tolerance(score); }

  /// How far below the bound a score may be and still reach it: a millionth of the score. The relative tolerance alone
  /// fails near zero: sums taken in a different order differ by rounding.
  static double tolerance(double score) { return kRelative * std::max(std::abs(score), kLeastScore); }

  /// How much the score of a derivation, counted again from its features, may differ from what search has added up.
  static double recount(double score) { return kRelative * std::max(1.0, std::abs(score)); }
  /// How much two sums of the same numbers in different orders may differ.
  static double rounding(double score) { return kRounding * std::max(1.0, std::abs(score)); }

  /// The relative rounding of a sum of floats.
  static constexpr double kRoundingOfFloats = 2e-5;

 private:
  static constexpr double kRelative = 1e-6, kLeastScore = 1e-6, kRounding = 1e-9;
};

}  // namespace widl
