#include "lm/ngram_runs.hpp"

#include <algorithm>
#include <cstdint>

#include "byte_reader.hpp"
#include "errors.hpp"
#include "varint.hpp"

namespace widl {
namespace {

template <unsigned n>
void append_ngram(std::string& run, const CountedNGram<n>& ngram) {
  run.append(reinterpret_cast<const char*>(&ngram), sizeof ngram);
}

template <unsigned n>
class NGramRunsOf final : public NGramRuns {
 public:
  std::vector<std::string> count(const std::vector<WordId>& ids, std::size_t runs) const override {
    std::vector<std::string> files(runs);
    if constexpr (n > 1) {
      const SpillOptions nowhere;
      NGramSpiller<n> counter(nowhere, NGramSpiller<n>::memory_for(ids.size()));
      Backwards<n> window{};
      for_each_ngram<n>(window, ids, [&](const Backwards<n>& ngram) { counter.add(ngram); });
      for (const CountedNGram<n>& ngram : counter.take_all()) {
        std::uint64_t hash = 0;
        for (const WordId word : context_of(ngram.words)) hash = (hash ^ word) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
        append_ngram(files[hash % runs], ngram);
      }
    }
    return files;
  }

  std::string merge(std::span<const std::string_view> runs, std::size_t words) const override {
    std::vector<CountedNGram<n>> all;
    for (const std::string_view run : runs) {
      const std::vector<CountedNGram<n>> more = read_run<n>(run, words);
      all.insert(all.end(), more.begin(), more.end());
    }
    std::sort(all.begin(), all.end(), SuffixOrder());
    std::string merged;
    for (auto at = all.begin(); at != all.end();) {
      CountedNGram<n> sum = *at;
      std::uint64_t count = 0;
      for (; at != all.end() && at->words == sum.words; ++at) count += at->count;
      check_occurrences(count);
      sum.count = static_cast<std::uint32_t>(count & kMostOccurrences);
      append_ngram(merged, sum);
    }
    return merged;
  }
};

}  // namespace

std::unique_ptr<NGramRuns> NGramRuns::make(unsigned order) {
  return with_order(order, [](auto n) -> std::unique_ptr<NGramRuns> { return std::make_unique<NGramRunsOf<n.value>>(); });
}

std::string count_words(const TrainingText& part) {
  std::vector<std::uint64_t> occurrences(part.vocabulary().size());
  for (const WordId word : part.ids()) ++occurrences[word];
  occurrences[kSentenceBegin] = 0;  // as everywhere: nothing ends with it
  std::string bytes;
  append_varint(bytes, part.words());
  append_varint(bytes, part.sentences());
  for (WordId word = 0; word < occurrences.size(); ++word) {
    append_text(bytes, part.vocabulary().word(word));
    append_varint(bytes, occurrences[word]);
  }
  return bytes;
}

Vocabulary parse_vocabulary(std::string_view numbered) {
  Vocabulary vocabulary;
  for (ByteReader reader(numbered); !reader.at_end();) vocabulary.intern(reader.text());
  return vocabulary;
}

}  // namespace widl
