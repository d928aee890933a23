#pragma once

#include <cstdint>
#include <vector>

#include "phrase_table/bitext.hpp"

namespace widl {

/// A phrase's number in a PhraseIndex.
using PhraseId = std::uint32_t;

/// Numbers all phrases of up to `max_length` words of one side of a bitext: equal phrases get equal
/// numbers, which follow the lexicographic order of the word ids, a phrase before its extensions.
///
/// Built from the suffixes' order by prefix doubling (Manber & Myers 1990), cut off at max_length, so
/// that grouping phrase pairs is sorting integers and no phrase is ever hashed or stored.
class PhraseIndex {
 public:
  /// @throws InputError when the text is too large for 32-bit numbers
  PhraseIndex(const BitextSide& side, std::uint32_t max_length);

  /// The phrase must lie within a sentence.
  PhraseId id(std::uint32_t position, std::uint32_t length) const {
    return ids_[static_cast<std::size_t>(position) * max_length_ + length - 1];
  }
  /// The length of the phrase `id` that starts at `position`.
  std::uint32_t length(std::uint32_t position, PhraseId id) const {
    const PhraseId* ids = ids_.data() + static_cast<std::size_t>(position) * max_length_;
    std::uint32_t length = 1;
    while (ids[length - 1] != id) ++length;
    return length;
  }
  std::size_t size() const { return size_; }

 private:
  std::uint32_t max_length_;
  std::size_t size_ = 0;
  std::vector<PhraseId> ids_;  // of (position, length), max_length_ to a position
};

}  // namespace widl
