#pragma once

#include <array>
#include <cstddef>
#include <span>
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

/// Forward and backward sums of the alignment HMM for one sentence pair and one direction; keeps its memory between
/// calls.
///
/// J words, generated in order, come from positions 0..I-1 of the other sentence. With probability `null`, a
/// word comes from no position, and the state keeps the previous word's position (Och & Ney 2003, section 2.1.2).
class HiddenMarkov {
 public:
  struct Sentence {
    std::size_t words;                 ///< J
    std::size_t positions;             ///< I
    std::span<const float> emissions;  ///< J × I: probability of word j given that it comes from position i
    std::span<const float> unaligned;  ///< J: probability of word j if it comes from no position
  };

  explicit HiddenMarkov(float null) : null_(null) {}

  /// Writes P(word j comes from position i), J × I. Adds the expected jumps to `counts` unless that is null.
  void posteriors(const Sentence& sentence, const JumpDistribution& jumps, std::span<float> posteriors,
                  JumpDistribution::Counts* counts);

 private:
  void prepare(std::size_t positions, const JumpDistribution& jumps);
  void sum_forward(const Sentence& sentence);
  void count_step(std::size_t positions, const float* before, float scale);
  void add_jumps(std::size_t positions, JumpDistribution::Counts& counts) const;

  float null_;
  std::vector<float> weights_, mirrored_;  // w(-I..I), and in reverse order
  std::vector<float> normalizers_;         // 1 / sum of weights from position i' = -1..I-1
  // A row has I states "comes from i", then I states "comes from no position; i was the last position".
  std::vector<float> forward_, scales_, backward_, earlier_, emitted_;
  std::vector<float> steps_;  // I × I expected steps, before multiplication by their weights
};

}  // namespace widl
