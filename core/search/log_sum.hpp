#pragma once

#include <cmath>
#include <limits>
#include <utility>

namespace widl {

/// ln(e^a + e^b)
inline double log_sum(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == -std::numeric_limits<double>::infinity() ? a : a + std::log1p(std::exp(b - a));
}

}  // namespace widl
