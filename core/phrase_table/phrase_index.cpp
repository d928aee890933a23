#include "phrase_table/phrase_index.hpp"

#include <algorithm>

namespace widl {

PhraseIndex::PhraseIndex(const BitextSide& side, std::uint32_t max_length) {
  const std::vector<std::uint8_t> room = phrase_room(side, max_length);
  // A phrase first met in the sorted suffixes is new exactly where its suffix departs from the one before.
  const std::vector<WordId>& words = side.words;
  ids_.resize(words.size() * max_length);
  const PhraseNumber* previous = nullptr;
  std::uint32_t previous_at = 0;
  for (std::uint32_t at : sort_suffixes(side, max_length, room)) {
    PhraseNumber* ids = ids_.data() + static_cast<std::size_t>(at) * max_length;
    std::uint32_t length = 0;
    if (previous != nullptr)
      for (const std::uint32_t both = std::min(room[at], room[previous_at]);
           length < both && words[at + length] == words[previous_at + length]; ++length)
        ids[length] = previous[length];
    for (; length < room[at]; ++length) ids[length] = static_cast<PhraseNumber>(size_++);
    previous = ids;
    previous_at = at;
  }
}

}  // namespace widl
