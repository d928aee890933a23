#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "phrase_table/bitext.hpp"
#include "phrase_table/phrase_smoothing.hpp"
#include "phrase_table/phrase_index.hpp"

namespace widl {

/// An occurrence of a phrase pair. Occurrences are grouped by source phrase. Spans are SpanCode's.
struct Occurrence {
  PhraseNumber target;
  std::uint32_t target_span, source_span;
  friend auto operator<=>(const Occurrence&, const Occurrence&) = default;
};

/// All occurrences of the phrase pairs of a bitext, grouped by source phrase.
struct PhraseOccurrences {
  std::vector<std::uint32_t> offsets;        // where the occurrences of each source phrase begin; and the end
  std::vector<Occurrence> occurrences;
  std::vector<std::uint32_t> target_counts;  // of each target phrase: its occurrences in phrase pairs
  std::vector<PairsOfPhrase> target_pairs;   // of each target phrase, if requested
};

/// Both sides' phrases are numbered (PhraseIndex); The first pass over the sentences counts the occurrences, and the
/// second pass sorts them by source phrase with a counting sort.
///
/// @throws InputError if there are too many occurrences
PhraseOccurrences collect_occurrences(const Bitext& bitext, std::uint32_t max_length, unsigned threads);

}  // namespace widl
