#include "phrase_table/phrase_index.hpp"

#include <algorithm>

namespace widl {

PhraseIndex::PhraseIndex(const BitextSide& side, std::uint32_t max_length) : max_length_(max_length) {
  const std::vector<std::uint8_t> room = phrase_room(side, max_length);
  number(side, sort_suffixes(side, max_length, room), room, 0);
}

PhraseIndex::PhraseIndex(const BitextSide& side, std::uint32_t max_length, WordRange range, PhraseNumber first_id,
                         unsigned threads)
    : max_length_(max_length) {
  const std::vector<std::uint8_t> room = phrase_room(side, max_length);
  const std::vector<std::uint32_t> order = sort_suffixes(side, range, room, threads);
  slots_.resize(side.words.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) slots_[order[i]] = i;
  number(side, order, room, first_id);
}

void PhraseIndex::number(const BitextSide& side, const std::vector<std::uint32_t>& order,
                         const std::vector<std::uint8_t>& room, PhraseNumber first_id) {
  // A phrase first met in the sorted suffixes is new exactly where its suffix departs from the one before.
  const LargeArray<WordId>& words = side.words;
  ids_.resize(order.size() * max_length_);
  const PhraseNumber* previous = nullptr;
  std::uint32_t previous_at = 0;
  for (std::uint32_t at : order) {
    const std::uint32_t slot = slots_.empty() ? at : slots_[at];
    PhraseNumber* ids = ids_.data() + static_cast<std::size_t>(slot) * max_length_;
    std::uint32_t length = 0;
    if (previous != nullptr)
      for (const std::uint32_t both = std::min(room[at], room[previous_at]);
           length < both && words[at + length] == words[previous_at + length]; ++length)
        ids[length] = previous[length];
    for (; length < room[at]; ++length) ids[length] = static_cast<PhraseNumber>(first_id + size_++);
    previous = ids;
    previous_at = at;
  }
}

}  // namespace widl
