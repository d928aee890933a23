#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace widl {

/// The jump from the partner of the previous word to the partner of a word: the transitions of a hidden Markov model
/// (Vogel et al. 1996),
///
///   p(i | i', I) = w(i - i') / sum_{k=0..I-1} w(k - i'),
///
/// from position i' to i of a sentence of I words; i' = -1 before the first word.
class JumpDistribution {
 public:
  static constexpr int kWidth = 200;  // longer jumps count as this long
  using Counts = std::array<double, 2 * kWidth + 1>;

  /// Initial weights: jumps to neighboring words are the most probable.
  JumpDistribution();
  /// Uses relative frequencies. Jumps beyond ten words are averaged over similar lengths.
  explicit JumpDistribution(const Counts& counts);

  static std::size_t index(int jump) {
    return static_cast<std::size_t>(kWidth + (jump < -kWidth ? -kWidth : jump > kWidth ? kWidth : jump));
  }

  /// Returns w(-positions), …, w(positions), the weights for a sentence of `positions` words.
  void weights(int positions, std::vector<float>& weights) const;

 private:
  std::array<float, 2 * kWidth + 1> weights_;
};

}  // namespace widl
