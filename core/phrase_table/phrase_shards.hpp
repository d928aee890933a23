#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phrase_table/bitext.hpp"
#include "phrase_table/phrase_smoothing.hpp"
#include "phrase_table/text_counts.hpp"

namespace widl {

// An external sort of the phrase pairs of a text in parts, on one machine or several. In turn:
//
//   extract_part   for each part: its phrase pairs, by the shard of their target phrase;
//   count_targets  for each shard of target phrases: their counts, and their pairs by the shard of the source phrase;
//   score_sources  (phrase_scoring.hpp) for each shard of source phrases: their scored options.
//
// Shards of source phrases are ranges, so their tables follow one another. The table depends neither on parts nor on
// shards: counts are integers, and scores depend only on counts.

/// The phrase pairs extracted from a part.
struct ExtractedPart {
  std::vector<std::string> shards;  // files of variants, sorted by target phrase
  std::uint64_t occurrences = 0;    // of phrase pairs
  std::vector<std::string> sample;  // some of the source phrases, from which shard bounds are chosen
};

/// `text`: the counts of all parts. @throws InputError if the part has words that were not counted
ExtractedPart extract_part(const Bitext& part, const TextCounts& text, std::uint32_t max_length, bool reordering,
                           std::size_t shards);

struct CountedTargets {
  std::vector<std::string> shards;  // files of variants, sorted by target phrase, with the targets' counts
  PairsByCount pairs;
};

/// `bounds`: sorted source phrases; each begins a shard, and the first shard precedes them.
CountedTargets count_targets(std::span<const std::string_view> files, std::span<const std::string_view> bounds);

}  // namespace widl
