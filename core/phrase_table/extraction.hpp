#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "phrase_table/bitext.hpp"
#include "phrase_table/phrase_smoothing.hpp"

namespace widl {

/// A phrase's number in a PhraseIndex.
using PhraseNumber = std::uint32_t;

/// Encodes the occurrence of a phrase, its position and length (at most max_length), as one number. Spans of the same
/// length compare like their positions.
class SpanCode {
 public:
  explicit SpanCode(std::uint32_t max_length) : max_length_(max_length) {}
  std::uint32_t encode(std::uint32_t begin, std::uint32_t length) const { return begin * max_length_ + length - 1; }
  std::uint32_t begin(std::uint32_t span) const { return span / max_length_; }
  std::uint32_t length(std::uint32_t span) const { return span % max_length_ + 1; }

 private:
  std::uint32_t max_length_;
};

/// Numbers all phrases of up to `max_length` words of one side of a bitext: equal phrases get equal
/// numbers, which follow the lexicographic order of the word ids, a phrase before its extensions.
///
/// Built from the sorted suffixes, so that phrase pairs are grouped by sorting integers, and no phrase is hashed or
/// stored.
class PhraseIndex {
 public:
  /// @throws InputError when positions times max_length exceed 32 bits, or max_length is not in 1..255
  PhraseIndex(const BitextSide& side, std::uint32_t max_length);

  /// The phrase must lie within a sentence.
  PhraseNumber id(std::uint32_t span) const { return ids_[span]; }
  /// Number of phrases.
  std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
  std::vector<PhraseNumber> ids_;  // by SpanCode
};

/// An occurrence of a phrase pair, in positions of the bitext.
struct PhrasePairSpan {
  std::uint32_t source_begin, source_length;
  std::uint32_t target_begin, target_length;
};

/// Finds the phrase pairs of a sentence pair that are consistent with its word alignment (Och & Ney
/// 2004; Koehn et al. 2003): there is a link inside, no link leads from inside to outside, and words without
/// links at either end may belong to the phrase or not. Keeps its working memory from sentence to sentence.
class PhraseExtractor {
 public:
  PhraseExtractor(const Bitext& bitext, std::uint32_t max_length) : bitext_(bitext), max_length_(max_length) {}

  /// Calls visit(PhrasePairSpan) for each phrase pair of up to max_length words on both sides.
  template <class Visit>
  void extract(std::size_t sentence, Visit&& visit) {
    const std::uint32_t source_begin = bitext_.source().begins[sentence];
    const std::uint32_t source_end = bitext_.source().begins[sentence + 1];
    const std::uint32_t target_begin = bitext_.target().begins[sentence];
    const std::uint32_t target_end = bitext_.target().begins[sentence + 1];
    link_targets(source_begin, source_end, target_begin, target_end);
    for (std::uint32_t begin = target_begin; begin < target_end; ++begin) {
      Range sources;  // linked from the target words begin..last
      for (std::uint32_t last = begin; last < std::min(begin + max_length_, target_end); ++last) {
        for (std::uint32_t source : bitext_.links(last)) sources.include(source);
        if (sources.empty()) continue;
        if (sources.last - sources.first >= max_length_) break;
        Range targets;  // linked from these source words
        for (std::uint32_t source = sources.first; source <= sources.last; ++source)
          targets.include(targets_[source - source_begin]);
        if (targets.first < begin) break;  // no longer span from `begin` can be consistent
        if (targets.last > last) continue;
        for (std::uint32_t first = sources.first;; --first) {
          for (std::uint32_t end = sources.last + 1; end - first <= max_length_; ++end) {
            visit(PhrasePairSpan{first, end - first, begin, last - begin + 1});
            if (end == source_end || !targets_[end - source_begin].empty()) break;
          }
          if (first == source_begin || !targets_[first - 1 - source_begin].empty() ||
              sources.last - first + 1 >= max_length_)
            break;
        }
      }
    }
  }

 private:
  struct Range {
    std::uint32_t first = ~0u, last = 0;
    bool empty() const { return first > last; }
    void include(std::uint32_t position) {
      first = std::min(first, position);
      last = std::max(last, position);
    }
    void include(const Range& other) {
      first = std::min(first, other.first);
      last = std::max(last, other.last);
    }
  };

  void link_targets(std::uint32_t source_begin, std::uint32_t source_end, std::uint32_t target_begin,
                    std::uint32_t target_end) {
    targets_.assign(source_end - source_begin, Range());
    for (std::uint32_t target = target_begin; target < target_end; ++target)
      for (std::uint32_t source : bitext_.links(target)) targets_[source - source_begin].include(target);
  }

  const Bitext& bitext_;
  std::uint32_t max_length_;
  std::vector<Range> targets_;  // of each source word of the sentence
};

/// An occurrence of a phrase pair. Occurrences are grouped by source phrase. Spans are SpanCode's.
struct Occurrence {
  PhraseNumber target;
  std::uint32_t target_span, source_span;
  friend auto operator<=>(const Occurrence&, const Occurrence&) = default;
};

/// Calls visit(pair) with the occurrences of each phrase pair of a group, in the order of the target phrases. Sorts
/// the group.
template <class Visit>
void for_each_phrase_pair(std::span<Occurrence> group, Visit&& visit) {
  std::sort(group.begin(), group.end());
  for (auto begin = group.begin(); begin != group.end();) {
    const auto end = std::find_if(begin, group.end(), [&](auto& o) { return o.target != begin->target; });
    visit(std::span<const Occurrence>(begin, end));
    begin = end;
  }
}

/// All occurrences of the phrase pairs of a bitext, grouped by source phrase.
struct PhraseOccurrences {
  std::vector<std::uint32_t> offsets;        // where the occurrences of each source phrase begin; and the end
  std::vector<Occurrence> occurrences;
  std::vector<std::uint32_t> target_counts;  // of each target phrase: its occurrences in phrase pairs
  std::vector<PairsOfPhrase> target_pairs;   // of each target phrase, if requested
};

/// Numbers both sides' phrases (PhraseIndex). One pass counts the occurrences of each source phrase, a second one puts
/// them in place.
///
/// @throws InputError if there are too many occurrences
PhraseOccurrences collect_occurrences(const Bitext& bitext, std::uint32_t max_length, unsigned threads);

}  // namespace widl
