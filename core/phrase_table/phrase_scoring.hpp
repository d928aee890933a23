#pragma once

#include <span>
#include <string_view>

#include "phrase_table/phrase_smoothing.hpp"
#include "phrase_table/stored_option.hpp"
#include "phrase_table/text_counts.hpp"

namespace widl {

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
