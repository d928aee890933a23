#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alignment/candidates.hpp"

namespace widl {

struct AlignmentTraining {
  int model1_rounds = 3;
  int markov_rounds = 3;
  std::size_t most_pairs = 24'000'000;  ///< that may be linked, see candidate_pairs
};

/// The initial training data, computed from the whole text: number of rounds, words, and linkable pairs.
struct TrainingStart {
  struct Word {
    std::string word;
    std::uint64_t frequency;
  };
  int model1_rounds, markov_rounds;
  std::vector<Word> sources, targets;
  LinkCounts candidates;

  static TrainingStart of(const ParallelText& text, const AlignmentTraining& options, unsigned threads);

  /// For another machine.
  std::string bytes() const;
  /// @throws InputError if they are damaged
  static TrainingStart parse(std::string_view bytes);
};

}  // namespace widl
