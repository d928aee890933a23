#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "expression/orientation.hpp"
#include "phrase_table/bitext.hpp"
#include "phrase_table/extraction.hpp"
#include "phrase_table/stored_option.hpp"

namespace widl {

/// Number of times a phrase occurred in each orientation, in the order of the scores.
using OrientationCounts = std::array<std::uint32_t, kReorderingScores>;

/// The orientations of an occurrence of a phrase pair.
struct Orientations {
  std::uint8_t backward = 0, forward = 0;
};

/// Determines the orientations of phrase pair occurrences from the links of adjacent words, like Moses' `extract`:
/// relative to the target word before the phrase (backward) or after it (forward),
///
///   monotone       if that word is linked to the source word on the same side of the phrase, and not to the source
///                  word on the other side,
///   swap           if it is linked to the other side only,
///   discontinuous  else.
///
/// The start of a sentence is linked to its start, the end to its end.
class OrientationCounter {
 public:
  explicit OrientationCounter(const Bitext& bitext);
  /// For a text with known orientations: `known[i]` belongs to the occurrence whose source phrase begins at position i.
  OrientationCounter(const Bitext& bitext, std::vector<Orientations> known) : bitext_(bitext), known_(std::move(known)) {}

  Orientations orientations(const PhrasePairSpan& pair) const;
  void count(const PhrasePairSpan& pair, OrientationCounts& counts) const;

  /// The scores of a phrase: p(o) = (count(o) + 0.5) / Σ_o' (count(o') + 0.5), as Moses smooths by default.
  static void score(const OrientationCounts& counts, std::vector<Probability>& scores);

 private:
  /// A source word next to the phrase.
  enum class Side { before, behind };

  std::uint8_t orientation(std::uint32_t target, bool is_outside, bool at_edge, const PhrasePairSpan& pair,
                          Side monotone) const;

  const Bitext& bitext_;
  std::vector<bool> source_edges_, target_edges_;  // by position: whether a sentence begins or the last ends there
  std::vector<Orientations> known_;
};

}  // namespace widl
