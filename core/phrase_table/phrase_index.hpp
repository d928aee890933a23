#pragma once

#include <cstdint>
#include <vector>

#include "phrase_table/bitext.hpp"

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

}  // namespace widl
