#include "phrase_table/significance_filter.hpp"

#include <algorithm>
#include <mutex>

#include "errors.hpp"
#include "parallel.hpp"
#include "phrase_table/phrase_words.hpp"
#include "phrase_table/value.hpp"

namespace widl {
namespace {

constexpr std::uint32_t kMaxLength = 255;  // any table's phrases
constexpr WordId kUnknown = ~WordId{0};    // to the bitext
constexpr std::size_t kItemsPerTask = 256;
constexpr std::size_t kBits = 8;  // verdicts in a byte

const Bitext& frozen(Bitext& bitext) {
  bitext.freeze();
  return bitext;
}

/// Longer phrases than the suffixes are sorted by are in no sentence as far as that finds out.
SuffixArray::Range find(const SuffixArray& side, const std::vector<WordId>& words) {
  if (std::find(words.begin(), words.end(), kUnknown) != words.end()) return {};
  return side.find(words);
}

}  // namespace

SignificanceFilter::SignificanceFilter(Bitext& bitext, const std::vector<std::string>& target_words,
                                       double threshold, unsigned threads)
    : bitext_(frozen(bitext)), searchable_(bitext_, kMaxLength, threads), threads_(std::max(1u, threads)) {
  for (const std::string& word : target_words)
    target_ids_.push_back(bitext_.target().vocabulary.find(word).value_or(kUnknown));
  for (unsigned i = 0; i < threads_; ++i) tests_.emplace_back(searchable_, threshold);
}

std::string SignificanceFilter::judge(std::span<const Item> items) {
  std::vector<std::string> verdicts(items.size());
  std::mutex mutex;
  // As many tasks as threads: each with a test of its own.
  parallel_for(threads_, threads_, [&](std::size_t task) {
    std::uint64_t passed = 0, pairs = 0;
    for (std::size_t begin = task * kItemsPerTask; begin < items.size(); begin += threads_ * kItemsPerTask)
      for (std::size_t i = begin; i < std::min(begin + kItemsPerTask, items.size()); ++i)
        verdicts[i] = judge(items[i], tests_[task], passed, pairs);
    std::scoped_lock hold(mutex);
    pairs_ += pairs;
    removed_ += pairs - passed;
  });
  std::string all;
  for (const std::string& verdict : verdicts) all += verdict;
  return all;
}

std::string SignificanceFilter::judge(const Item& item, SignificanceTest& test, std::uint64_t& passed,
                                      std::uint64_t& pairs) const {
  const auto& [phrase, value] = item;
  std::vector<WordId> words;
  for_each_word(phrase, [&](std::string_view word) {
    words.push_back(bitext_.source().vocabulary.find(word).value_or(kUnknown));
  });
  test.set_source(find(searchable_.sides[0], words));
  OptionReader reader(value, target_ids_.size());
  std::string verdict((reader.size() + kBits - 1) / kBits, '\0');
  StoredOption option;
  for (std::size_t i = 0; reader.next(option); ++i) {
    words.clear();
    for (WordId word : option.words) words.push_back(target_ids_[word]);
    auto target = [&] { return find(searchable_.sides[1], words); };
    if (!test.passes(target, static_cast<std::uint32_t>(words.size()))) continue;
    verdict[i / kBits] = static_cast<char>(static_cast<unsigned char>(verdict[i / kBits]) | 1u << i % kBits);
    ++passed;
  }
  pairs += reader.size();
  return verdict;
}

void SignificanceFilter::keep(std::span<const std::byte> value, std::string_view& verdicts, std::string& bytes) const {
  OptionReader reader(value, target_ids_.size());
  const std::size_t size = (reader.size() + kBits - 1) / kBits;
  if (size > verdicts.size()) throw InternalError("verdicts of the same items");
  const std::string_view verdict = verdicts.substr(0, size);
  verdicts.remove_prefix(size);
  std::string passing;
  std::size_t count = 0;
  StoredOption option;
  for (std::size_t i = 0; reader.next(option); ++i) {
    if ((static_cast<unsigned char>(verdict[i / kBits]) >> i % kBits & 1) == 0) continue;
    const auto encoded = reader.last_bytes();
    passing.append(reinterpret_cast<const char*>(encoded.data()), encoded.size());
    ++count;
  }
  if (count == 0) return;
  ValueWriter(bytes, count);
  bytes += passing;
}

}  // namespace widl
