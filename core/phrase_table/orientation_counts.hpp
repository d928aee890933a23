#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "expression/orientation.hpp"
#include "phrase_table/phrase_extraction.hpp"
#include "phrase_table/stored_option.hpp"

namespace widl {

/// The orientations of an occurrence of a phrase pair.
struct Orientations {
  std::uint8_t backward = 0, forward = 0;
};

/// Orientations as the links of adjacent words show them, like Moses' `extract`: relative to the target word before the
/// phrase (backward) or after it (forward),
///
///   monotone       if that word is linked to the source word on the same side of the phrase, and not to the source
///                  word on the other side,
///   swap           if it is linked to the other side only,
///   discontinuous  else.
///
/// The start of a sentence is linked to its start, the end to its end.
Orientations orientations_in(const Bitext& bitext, std::size_t sentence, const PhrasePairSpan& pair);

/// Number of times a phrase occurred in each orientation, in the order of the scores.
using OrientationCounts = std::array<std::uint32_t, kReorderingScores>;

/// The scores of a phrase: p(o) = (count(o) + 0.5) / Σ_o' (count(o') + 0.5), as Moses smooths by default.
void score_orientations(const OrientationCounts& counts, std::vector<Probability>& scores);

}  // namespace widl
