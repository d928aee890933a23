#pragma once

#include <cstdint>
#include <vector>

#include "phrase_table/bitext.hpp"
#include "phrase_table/suffix_order.hpp"

namespace widl {

/// A phrase's number in a PhraseIndex.
using PhraseNumber = std::uint32_t;

/// Where a phrase occurs, position and length (at most max_length) in one number. Spans of the same length
/// compare like their positions.
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
/// Built from the sorted suffixes, so that grouping phrase pairs is sorting integers and no phrase is ever
/// hashed or stored.
class PhraseIndex {
 public:
  /// Of all phrases.
  /// @throws InputError when the text is too large for 32-bit numbers
  PhraseIndex(const BitextSide& side, std::uint32_t max_length);

  /// Of the phrases whose first word is in the range only, numbered from `first_id` on. Ranges indexed one after
  /// the other, each from where the one before ended, give the same numbers as all at once.
  PhraseIndex(const BitextSide& side, std::uint32_t max_length, WordRange range, PhraseNumber first_id,
              unsigned threads);

  /// The phrase must lie within a sentence, and its first word in the range.
  PhraseNumber id(std::uint32_t span) const {
    return slots_.empty() ? ids_[span]
                          : ids_[static_cast<std::size_t>(slots_[span / max_length_]) * max_length_ + span % max_length_];
  }
  /// Of phrases in it, or in its range.
  std::size_t size() const { return size_; }

 private:
  void number(const BitextSide& side, const std::vector<std::uint32_t>& order,
              const std::vector<std::uint8_t>& room, PhraseNumber first_id);

  std::uint32_t max_length_;
  std::size_t size_ = 0;
  std::vector<PhraseNumber> ids_;         // of (position, length), max_length_ to a position
  std::vector<std::uint32_t> slots_;  // of a range: where each position's ids are
};

}  // namespace widl
