#include "alignment/hidden_markov.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

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

namespace {

// States with a smaller share of the probability are not followed.
constexpr float kNegligible = 1e-6f;

}  // namespace

void HiddenMarkov::prepare(std::size_t positions, const JumpDistribution& jumps) {
  const int n = static_cast<int>(positions);
  jumps.weights(n, weights_);
  mirrored_.assign(weights_.rbegin(), weights_.rend());
  normalizers_.resize(positions + 1);
  for (int last = -1; last < n; ++last) {
    float sum = 0;
    for (int next = 0; next < n; ++next) sum += weights_[static_cast<std::size_t>(next - last + n)];
    normalizers_[static_cast<std::size_t>(last + 1)] = 1 / sum;
  }
}

void HiddenMarkov::sum_forward(const Sentence& sentence) {
  const std::size_t n = sentence.positions;
  const float aligned = 1 - null_;
  forward_.assign(sentence.words * 2 * n, 0);
  scales_.resize(sentence.words);
  for (std::size_t j = 0; j < sentence.words; ++j) {
    float* row = &forward_[j * 2 * n];
    const float* emission = &sentence.emissions[j * n];
    if (j == 0) {
      const float* weight = &weights_[n + 1];  // w(1), from before the sentence to position 0
      for (std::size_t i = 0; i < n; ++i) {
        row[i] = aligned * weight[i] * normalizers_[0];
        row[n + i] = null_ * sentence.unaligned[0] * weight[i] * normalizers_[0];
      }
    } else {
      const float* before = row - 2 * n;
      for (std::size_t last = 0; last < n; ++last) {
        const float mass = before[last] + before[n + last];
        row[n + last] = mass * null_ * sentence.unaligned[j];
        if (mass < kNegligible) continue;
        const float share = mass * aligned * normalizers_[last + 1];
        const float* weight = &weights_[n - last];
        for (std::size_t i = 0; i < n; ++i) row[i] += share * weight[i];
      }
    }
    float sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      row[i] *= emission[i];
      sum += row[i] + row[n + i];
    }
    scales_[j] = 1 / sum;
    for (std::size_t i = 0; i < 2 * n; ++i) row[i] *= scales_[j];
  }
}

void HiddenMarkov::count_step(std::size_t positions, const float* before, float scale) {
  for (std::size_t last = 0; last < positions; ++last) {
    const float mass = (before[last] + before[positions + last]) * scale;
    if (mass < kNegligible) continue;
    float* step = &steps_[last * positions];
    for (std::size_t i = 0; i < positions; ++i) step[i] += mass * emitted_[i];
  }
}

void HiddenMarkov::add_jumps(std::size_t positions, JumpDistribution::Counts& counts) const {
  const int n = static_cast<int>(positions);
  for (int last = 0; last < n; ++last) {
    const float share = (1 - null_) * normalizers_[static_cast<std::size_t>(last + 1)];
    for (int i = 0; i < n; ++i)
      counts[JumpDistribution::index(i - last)] +=
          share * weights_[static_cast<std::size_t>(i - last + n)] * steps_[static_cast<std::size_t>(last * n + i)];
  }
}

void HiddenMarkov::posteriors(const Sentence& sentence, const JumpDistribution& jumps, std::span<float> posteriors,
                              JumpDistribution::Counts* counts) {
  const std::size_t n = sentence.positions;
  prepare(n, jumps);
  sum_forward(sentence);
  if (counts) steps_.assign(n * n, 0);
  backward_.assign(2 * n, 1);
  earlier_.resize(2 * n);
  emitted_.resize(n);
  for (std::size_t j = sentence.words; j-- > 0;) {
    const float* row = &forward_[j * 2 * n];
    float sum = 0;
    for (std::size_t i = 0; i < 2 * n; ++i) sum += row[i] * backward_[i];
    const float norm = 1 / sum;
    for (std::size_t i = 0; i < n; ++i) posteriors[j * n + i] = row[i] * backward_[i] * norm;
    if (j == 0) break;
    for (std::size_t i = 0; i < n; ++i) emitted_[i] = sentence.emissions[j * n + i] * backward_[i] * scales_[j];
    if (counts) count_step(n, row - 2 * n, norm);
    std::fill_n(earlier_.begin(), n, 0.0f);
    for (std::size_t i = 0; i < n; ++i) {
      if (emitted_[i] == 0) continue;
      const float* weight = &mirrored_[n - i];  // from position 0, 1, … to i
      for (std::size_t last = 0; last < n; ++last) earlier_[last] += weight[last] * emitted_[i];
    }
    const float unaligned = null_ * sentence.unaligned[j] * scales_[j];
    for (std::size_t last = 0; last < n; ++last) {
      const float value = (1 - null_) * normalizers_[last + 1] * earlier_[last] + unaligned * backward_[n + last];
      earlier_[last] = earlier_[n + last] = value;
    }
    std::swap(backward_, earlier_);
  }
  if (!counts) return;
  add_jumps(n, *counts);
  for (std::size_t i = 0; i < n; ++i) (*counts)[JumpDistribution::index(static_cast<int>(i) + 1)] += posteriors[i];
}

}  // namespace widl
