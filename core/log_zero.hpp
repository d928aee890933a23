#pragma once

#include <limits>

namespace widl {

/// ln 0: the score of a state or step that is in no derivation, and the maximum of no scores.
inline constexpr double kLogZero = -std::numeric_limits<double>::infinity();

/// Stands for ln 0 in loops that vectorize over finite numbers only: far below every score.
inline constexpr double kFiniteLogZero = -1e18;

}  // namespace widl
