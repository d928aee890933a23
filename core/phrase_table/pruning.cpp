#include "phrase_table/pruning.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <mutex>
#include <optional>
#include <span>

#include "parallel.hpp"
#include "phrase_table/value.hpp"

namespace widl {
namespace {

constexpr std::uint32_t kMaxLength = 255;       // any table's phrases
constexpr WordId kUnknown = ~WordId{0};         // to the bitext
constexpr std::size_t kItemsPerTask = 256;

const Bitext& frozen(Bitext& bitext) {
  bitext.freeze();
  return bitext;
}

/// Longer phrases than the suffixes are sorted by are in no sentence as far as is known.
SuffixArray::Range find(const SuffixArray& side, const std::vector<WordId>& words) {
  if (words.size() > kMaxLength || std::find(words.begin(), words.end(), kUnknown) != words.end()) return {};
  return side.find(words);
}

}  // namespace

TablePruner::TablePruner(Bitext& bitext, const std::vector<std::string>& target_words, double threshold,
                         unsigned threads)
    : bitext_(frozen(bitext)), searchable_(bitext_, kMaxLength, threads, false), threads_(std::max(1u, threads)) {
  for (const std::string& word : target_words)
    target_ids_.push_back(bitext_.target().vocabulary.find(word).value_or(kUnknown));
  for (unsigned i = 0; i < threads_; ++i) tests_.emplace_back(searchable_, threshold);
}

TablePruner::Result TablePruner::prune(const std::vector<Item>& items) {
  Result result;
  result.values.resize(items.size());
  std::mutex mutex;
  // As many tasks as threads: each with a test of its own.
  parallel_for(threads_, threads_, [&](std::size_t task) {
    std::uint64_t kept = 0, removed = 0;
    for (std::size_t begin = task * kItemsPerTask; begin < items.size(); begin += threads_ * kItemsPerTask)
      for (std::size_t i = begin; i < std::min(begin + kItemsPerTask, items.size()); ++i)
        kept += prune_item(items[i], tests_[task], result.values[i], removed);
    std::scoped_lock hold(mutex);
    result.kept += kept;
    result.removed += removed;
  });
  return result;
}

std::uint64_t TablePruner::prune_item(const Item& item, SignificanceTest& test, std::string& kept,
                                      std::uint64_t& removed) const {
  std::vector<WordId> words;
  for (std::size_t at = 0; at <= item.phrase.size();) {
    const std::size_t end = std::min(item.phrase.find(' ', at), item.phrase.size());
    words.push_back(bitext_.source().vocabulary.find(item.phrase.substr(at, end - at)).value_or(kUnknown));
    at = end + 1;
  }
  test.set_source(find(searchable_.sides[0], words));
  const auto bytes = std::as_bytes(std::span(item.value));
  auto passes = [&](const PhraseOption& option) {
    words.clear();
    for (WordId word : option.words) words.push_back(target_ids_[word]);
    return test.passes([&] { return find(searchable_.sides[1], words); }, static_cast<std::uint32_t>(words.size()));
  };
  std::string passing;
  std::size_t count = 0;
  OptionReader reader(bytes, target_ids_.size());
  for (PhraseOption option; reader.next(option);) {
    if (!passes(option)) continue;
    const auto encoded = reader.last_bytes();
    passing.append(reinterpret_cast<const char*>(encoded.data()), encoded.size());
    ++count;
  }
  removed += reader.size() - count;
  if (count == 0) return 0;
  ValueWriter(kept, count);
  kept += passing;
  return count;
}

}  // namespace widl
