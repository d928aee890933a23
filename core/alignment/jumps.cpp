#include "alignment/jumps.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace widl {

JumpDistribution::JumpDistribution() {
  for (int jump = -kWidth; jump <= kWidth; ++jump)
    weights_[index(jump)] = static_cast<float>(std::exp(-0.35 * std::abs(jump - 1)) + 0.002);
}

JumpDistribution::JumpDistribution(const Counts& counts) {
  static constexpr int kExact = 10;
  Counts smooth = counts;
  for (int sign : {-1, 1}) {
    for (int first = kExact + 1; first <= kWidth;) {
      const int last = std::min(kWidth, first + first / 3);
      double sum = 0;
      for (int jump = first; jump <= last; ++jump) sum += counts[index(sign * jump)];
      for (int jump = first; jump <= last; ++jump) smooth[index(sign * jump)] = sum / (last - first + 1);
      first = last + 1;
    }
  }
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0) + static_cast<double>(smooth.size());
  for (std::size_t i = 0; i < smooth.size(); ++i) weights_[i] = static_cast<float>((smooth[i] + 1) / total);
}

void JumpDistribution::weights(int positions, std::vector<float>& weights) const {
  weights.resize(static_cast<std::size_t>(2 * positions + 1));
  for (int jump = -positions; jump <= positions; ++jump)
    weights[static_cast<std::size_t>(jump + positions)] = weights_[index(jump)];
}

}  // namespace widl
