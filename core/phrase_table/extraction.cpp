#include "phrase_table/extraction.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "errors.hpp"
#include "parallel.hpp"

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

namespace {

constexpr std::size_t kSentencesPerTask = 1024;

/// Calls visit(pair) for all phrase pairs, on several threads.
template <class Visit>
void for_each_pair(const Bitext& bitext, std::uint32_t max_length, unsigned threads, Visit&& visit) {
  const std::size_t sentences = bitext.sentences();
  parallel_for((sentences + kSentencesPerTask - 1) / kSentencesPerTask, threads, [&](std::size_t task) {
    PhraseExtractor extractor(bitext, max_length);
    const std::size_t begin = task * kSentencesPerTask;
    for (std::size_t s = begin; s < std::min(begin + kSentencesPerTask, sentences); ++s) extractor.extract(s, visit);
  });
}

std::uint32_t add_one(std::uint32_t& counter) {
  return std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

PhraseOccurrences collect_occurrences(const Bitext& bitext, std::uint32_t max_length, unsigned threads) {
  const SpanCode code(max_length);
  std::optional<PhraseIndex> source_index, target_index;
  parallel_for(2, threads, [&](std::size_t side) {
    if (side == 0) source_index.emplace(bitext.source(), max_length);
    if (side == 1) target_index.emplace(bitext.target(), max_length);
  });
  const auto for_each = [&](auto&& visit) {
    for_each_pair(bitext, max_length, threads, [&](const PhrasePairSpan& pair) {
      const std::uint32_t source = code.encode(pair.source_begin, pair.source_length);
      const std::uint32_t target = code.encode(pair.target_begin, pair.target_length);
      visit(source_index->id(source), Occurrence{target_index->id(target), target, source});
    });
  };
  // Counting sort, offset by two slots: after the prefix sum offsets[i + 1] is group i's insertion cursor, and after
  // placement offsets[i] is its start.
  PhraseOccurrences occurrences;
  std::vector<std::uint32_t>& offsets = occurrences.offsets;
  offsets.resize(source_index->size() + 2);
  occurrences.target_counts.resize(target_index->size());
  for_each([&](PhraseNumber source, const Occurrence& occurrence) {
    add_one(offsets[source + 2]);
    add_one(occurrences.target_counts[occurrence.target]);
  });
  const std::uint64_t size = std::accumulate(offsets.begin(), offsets.end(), std::uint64_t{0});
  if (size > std::numeric_limits<std::uint32_t>::max())
    throw InputError("more than 2^32 phrase pairs: split the bitext or make phrases shorter");
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  occurrences.occurrences.resize(size);
  for_each([&](PhraseNumber source, const Occurrence& occurrence) {
    occurrences.occurrences[add_one(offsets[source + 1])] = occurrence;
  });
  offsets.pop_back();
  return occurrences;
}

}  // namespace widl
