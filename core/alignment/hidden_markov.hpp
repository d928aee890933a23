#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "alignment/jumps.hpp"

namespace widl {

/// Forward and backward sums of the alignment HMM for one sentence pair and one direction; keeps its memory between
/// calls.
///
/// J words, generated in order, come from positions 0..I-1 of the other sentence. With probability `null`, a
/// word comes from no position, and the state keeps the previous word's position (Och & Ney 2003, section 2.1.2).
class HiddenMarkov {
 public:
  struct Sentence {
    std::size_t words;                  ///< J
    std::size_t positions;              ///< I
    std::span<const float> emissions;   ///< J × I: probability of word j given that it comes from position i
    std::span<const float> unaligned;   ///< J: probability of word j if it comes from no position
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
