#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace widl {

/// The words of an output. Words are compared by their letters: equal, equal except for case, sharing a stem, or
/// similar.
using OutputWords = std::vector<std::string>;

/// The alternatives of the outputs at one position: words, or possibly the empty word.
struct Slot {
  struct Alternative {
    std::string word;                    // empty: no word
    std::vector<std::uint32_t> outputs;  // that have it here, in order
  };
  std::vector<Alternative> alternatives;  // in the order of the outputs
};

/// Several outputs for one input, aligned in the order of one of them, the skeleton (a confusion network: Mangu et al.
/// 2000; Rosti et al. 2007). The others are aligned to the existing slots by edit distance, the one most like the
/// skeleton first, so that insertions of several outputs can share slots. Blocks of three or more words that the
/// skeleton has elsewhere are moved to the skeleton's position, so that their votes add up. Apart from these moves,
/// each output is a path through the slots.
/// @throws InputError for an invalid `skeleton`
std::vector<Slot> align_outputs(const std::vector<OutputWords>& outputs, std::size_t skeleton);

}  // namespace widl
