#include "phrase_table/phrase_index.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "errors.hpp"

namespace widl {
namespace {

using Positions = std::vector<std::uint32_t>;

/// Sorts positions by key(position) < keys, keeping the order of equals.
template <class Key>
void counting_sort(Positions& positions, std::size_t keys, Key&& key) {
  Positions begins(keys + 1), sorted(positions.size());
  for (std::uint32_t position : positions) ++begins[key(position) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  for (std::uint32_t position : positions) sorted[begins[key(position)]++] = position;
  positions.swap(sorted);
}

/// Number of words from each position to its sentence's end, at most max_length.
std::vector<std::uint8_t> phrase_room(const BitextSide& side, std::uint32_t max_length) {
  if (max_length == 0 || max_length > 255) throw InputError("a phrase has 1 to 255 words");
  if (side.words.size() > std::numeric_limits<std::uint32_t>::max() / max_length)
    throw InputError("the bitext is too large for phrases of " + std::to_string(max_length) +
                     " words: split it or make them shorter");
  std::vector<std::uint8_t> room(side.words.size());
  for (std::size_t s = 0; s < side.sentences(); ++s)
    for (std::uint32_t at = side.begins[s]; at < side.begins[s + 1]; ++at)
      room[at] = static_cast<std::uint8_t>(std::min(side.begins[s + 1] - at, max_length));
  return room;
}

/// All positions, sorted by the up to max_length words of the sentence that start there; equals by position. Prefix
/// doubling (Manber & Myers 1990), truncated at max_length.
Positions sort_suffixes(const BitextSide& side, std::uint32_t max_length, const std::vector<std::uint8_t>& room) {
  const std::vector<WordId>& words = side.words;
  // ranks[p]: the rank of the up to `depth` words that start at p among all such.
  Positions order(words.size()), ranks(words.begin(), words.end()), next(words.size());
  std::iota(order.begin(), order.end(), 0);
  std::size_t distinct = side.vocabulary.size();
  counting_sort(order, distinct, [&](std::uint32_t at) { return ranks[at]; });
  for (std::uint32_t depth = 1; depth < max_length;) {
    const std::uint32_t step = std::min(depth, max_length - depth);
    auto rest = [&](std::uint32_t at) { return step < room[at] ? ranks[at + step] + 1 : 0; };
    counting_sort(order, distinct + 1, rest);
    counting_sort(order, distinct, [&](std::uint32_t at) { return ranks[at]; });
    distinct = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && (ranks[order[i]] != ranks[order[i - 1]] || rest(order[i]) != rest(order[i - 1]))) ++distinct;
      next[order[i]] = static_cast<std::uint32_t>(distinct);
    }
    ++distinct;
    ranks.swap(next);
    depth += step;
  }
  return order;
}

}  // namespace

PhraseIndex::PhraseIndex(const BitextSide& side, std::uint32_t max_length) {
  const std::vector<std::uint8_t> room = phrase_room(side, max_length);
  // In the sorted suffixes, a phrase is new exactly where its suffix differs from the previous one.
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
