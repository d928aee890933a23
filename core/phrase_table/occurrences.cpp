#include "phrase_table/occurrences.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <optional>

#include "errors.hpp"
#include "parallel.hpp"
#include "phrase_table/extraction.hpp"

namespace widl {
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
