#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phrase_table/bitext.hpp"
#include "phrase_table/phrase_smoothing.hpp"
#include "phrase_table/stored_option.hpp"
#include "phrase_table/text_counts.hpp"

namespace widl {

// An external sort of the phrase pairs of a text in parts, on one machine or several. In turn:
//
//   extract_part   for each part: its phrase pairs, by the shard of their target phrase;
//   count_targets  for each shard of target phrases: their counts, and their pairs by the shard of the source phrase;
//   score_sources  for each shard of source phrases: their scored options.
//
// Shards of source phrases are ranges, so their tables follow one another. The table depends neither on parts nor on
// shards: counts are integers, and scores depend only on counts.

/// What is extracted from a part.
struct ExtractedPart {
  std::vector<std::string> shards;  // files of variants, sorted by target phrase
  std::uint64_t occurrences = 0;    // of phrase pairs
  std::vector<std::string> sample;  // some of the source phrases, of which bounds are chosen
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

struct ScoringOptions {
  bool reordering = false;  // also scores of a reordering model
  bool smoothed = false;    // p(f|e) and p(e|f) by Kneser-Ney
};

/// Scores the phrase pairs of a shard in the order of the source phrases' word ids. The scores are p(f|e) = c(f,e) / c(e),
/// p(e|f) = c(f,e) / c(f), or both smoothed (PhraseSmoothing), and the lexical weights of the pair's most frequent word
/// alignment, like Moses' score (ties go to the alignment that is largest when written as the sets of source positions of
/// e's words in turn). Optional scores are the scores of a reordering model, and in-domain lexical weights if some of the
/// text is in-domain.
///
/// `pairs`: of all shards.
PhraseBatch score_sources(std::span<const std::string_view> files, const TextCounts& text, const PairsByCount& pairs,
                          const ScoringOptions& options);

}  // namespace widl
