#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/orientation.hpp"
#include "phrase_table/bitext.hpp"
#include "phrase_table/extraction.hpp"
#include "phrase_table/lexical.hpp"
#include "phrase_table/orientation_counts.hpp"
#include "phrase_table/text_counts.hpp"

namespace widl {

// Phrase pairs of a text in parts, in shards that several machines count and score. A source phrase with all its pairs
// belongs to one shard. A target phrase is also counted in one shard, chosen by the hash of its words. In turn:
//
//   extract_shards  for each part: its phrase pairs by shard, with the counts of their variants;
//   merge_shard     for each shard: the sums over all parts, and the counts of its target phrases by the shard that
//                   counts them;
//   target_totals   for each shard: the total counts of its target phrases over all shards, with one answer per shard;
//   shard_to_score  combines the merged pairs and the answers into everything that a shard's scores depend on.
//
// A variant of a pair is an alignment and the orientations of the occurrences (besides words, scores depend only on
// these). Files of pairs are sorted by word number and contain no duplicates.

/// The shards of a part whose words have the whole text's ids.
std::vector<std::string> extract_shards(Bitext& part, std::uint32_t max_length, bool reordering, std::size_t shards,
                                        unsigned threads);

struct MergedShard {
  std::string pairs;
  std::vector<std::string> targets;  // for each shard
  PairsByCount counts;
  std::uint64_t occurrences = 0;
};

/// @throws InputError if the parts' data is damaged
MergedShard merge_shard(std::span<const std::string_view> parts, std::size_t shards);

/// The answers are in the order of the requests. @throws InputError if a request is damaged
std::vector<std::string> target_totals(std::span<const std::string_view> asked);

/// A text with all variants of a shard's phrase pairs as sentence pairs, as frequent as in the whole text.
struct ShardToScore {
  Bitext text;
  PhraseOccurrences occurrences;
  LexicalWeights lexical;
  std::optional<LexicalWeights> in_domain;
  std::vector<Orientations> orientations;  // by the position where a source phrase begins
  PairsByCount pairs;                      // of the whole text
};

/// `counts`: of all shards. @throws InputError if the bytes are damaged, or the shard is too large
std::unique_ptr<ShardToScore> shard_to_score(const TextCounts& text, std::string_view pairs,
                                             std::span<const std::string_view> answers, std::uint32_t max_length,
                                             const PairsByCount& counts);

}  // namespace widl
