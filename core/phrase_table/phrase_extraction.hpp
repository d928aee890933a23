#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "phrase_table/bitext.hpp"

namespace widl {

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

}  // namespace widl
