#include "lm/ngram_counter.hpp"

#include <algorithm>
#include <utility>

namespace widl {
namespace {

/// Numbers left extensions from 0 in order of first appearance: open addressing, linear probing,
/// and half of the hash beside each number so that a probe rarely has to look at the n-gram itself.
class NGramTable {
 public:
  explicit NGramTable(std::vector<LeftExtension>& ngrams) : ngrams_(ngrams), slots_(1024, kEmpty) {}

  static std::uint64_t hash(LeftExtension ngram) {
    std::uint64_t h = (std::uint64_t{ngram.suffix} << 32 | ngram.left) * 0x9E3779B97F4A7C15u;
    h = (h ^ h >> 32) * 0xD6E8FEB86659FD93u;
    return h ^ h >> 32;
  }

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }

  /// The n-gram's number; it is new when that is the number of n-grams there were before.
  NGramId insert(LeftExtension ngram, std::uint64_t hash) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    for (; slots_[at] != kEmpty; at = (at + 1) & mask) {
      const auto id = static_cast<NGramId>(slots_[at]);
      if (slots_[at] >> 32 == hash >> 32 && ngrams_[id] == ngram) return id;
    }
    const auto id = static_cast<NGramId>(ngrams_.size());
    slots_[at] = (hash & kTagBits) | id;
    ngrams_.push_back(ngram);
    if (ngrams_.size() * 3 > slots_.size() * 2) grow();
    return id;
  }

 private:
  static constexpr std::uint64_t kTagBits = ~std::uint64_t{0} << 32, kEmpty = ~std::uint64_t{0};

  void grow() {
    const std::size_t size = slots_.size() * 2;
    slots_ = std::vector<std::uint64_t>();  // free before the larger one is there
    slots_.assign(size, kEmpty);
    const std::size_t mask = slots_.size() - 1;
    for (NGramId id = 0; id < ngrams_.size(); ++id) {
      const std::uint64_t h = hash(ngrams_[id]);
      std::size_t at = h & mask;
      while (slots_[at] != kEmpty) at = (at + 1) & mask;
      slots_[at] = (h & kTagBits) | id;
    }
  }

  std::vector<LeftExtension>& ngrams_;
  std::vector<std::uint64_t> slots_;
};

/// Where the n-grams end that come last when n-grams are compared from their last word to their
/// first, and how often those of order 1, 2, … occur, up to one that begins with <s>.
struct LastNGrams {
  std::size_t position;
  std::vector<std::uint64_t> occurrences;
};

LastNGrams last_ngrams(const std::vector<WordId>& text, unsigned max_order) {
  const WordId last_word = *std::max_element(text.begin(), text.end());
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == last_word) ends.push_back(i);
  LastNGrams last;
  for (unsigned order = 1; order <= max_order; ++order) {
    if (order > 1) {
      WordId left = 0;
      for (std::size_t end : ends) left = std::max(left, text[end - order + 1]);
      std::erase_if(ends, [&](std::size_t end) { return text[end - order + 1] != left; });
    }
    last.occurrences.push_back(ends.size());
    if (text[ends.front() - order + 1] == kSentenceBegin) break;
  }
  last.position = ends.front();
  return last;
}

/// Turns suffix_ids[i], the number of the (order-1)-gram that ends at i, into that of the order-gram.
CountedNGrams extend_left(const std::vector<WordId>& text, unsigned order, bool highest, bool occurrences,
                          CountedNGrams& lower, std::vector<NGramId>& suffix_ids) {
  constexpr std::size_t kAhead = 24;  // enough to hide a memory access, few enough for the cache
  CountedNGrams result;
  NGramTable table(result.ngrams);
  std::size_t length = 0;  // words of the sentence up to i, with <s>
  NGramId context = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i + kAhead < text.size() && i + kAhead >= order)
      table.prefetch(NGramTable::hash({suffix_ids[i + kAhead], text[i + kAhead - order + 1]}));
    const NGramId suffix = suffix_ids[i];
    length = text[i] == kSentenceBegin ? 1 : length + 1;
    if (length >= order) {
      const LeftExtension ngram{suffix, text[i - order + 1]};
      const NGramId id = table.insert(ngram, NGramTable::hash(ngram));
      if (id == result.counts.size()) {
        result.contexts.push_back(context);
        result.counts.push_back(0);
        if (occurrences) result.occurrences.push_back(0);
        ++lower.counts[suffix];
      }
      if (highest || length == order) ++result.counts[id];
      if (occurrences) ++result.occurrences[id];
      suffix_ids[i] = id;
    }
    context = suffix;
  }
  return result;
}

void count_counts(CountedNGrams& ngrams) {
  for (std::uint32_t count : ngrams.counts)
    if (count < ngrams.with_count.size()) ++ngrams.with_count[count];
}

template <class T>
void permute(std::vector<T>& values, const std::vector<std::uint64_t>& order) {
  if (values.empty()) return;
  std::vector<T> result(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) result[i] = values[static_cast<NGramId>(order[i])];
  values = std::move(result);
}

/// Sorts n-grams whose suffixes and contexts were given the numbers `renumbered`; empty for words,
/// which keep theirs. @returns the n-grams' new numbers.
std::vector<NGramId> sort_by_suffix(CountedNGrams& ngrams, std::size_t lower_size,
                                    const std::vector<NGramId>& renumbered) {
  if (!renumbered.empty()) {
    for (LeftExtension& ngram : ngrams.ngrams) ngram.suffix = renumbered[ngram.suffix];
    for (NGramId& context : ngrams.contexts) context = renumbered[context];
  }
  // One bucket per suffix, in which few n-grams are left to sort by their left word.
  std::vector<std::uint32_t> ends(lower_size);
  for (LeftExtension ngram : ngrams.ngrams) ++ends[ngram.suffix];
  std::uint32_t begin = 0;
  for (std::uint32_t& end : ends) begin += std::exchange(end, begin);
  std::vector<std::uint64_t> order(ngrams.size());  // left word, and old number
  for (std::size_t i = 0; i < ngrams.size(); ++i)
    order[ends[ngrams.ngrams[i].suffix]++] = std::uint64_t{ngrams.ngrams[i].left} << 32 | i;
  begin = 0;
  for (std::uint32_t end : ends) {
    std::sort(order.begin() + begin, order.begin() + end);
    begin = end;
  }
  permute(ngrams.ngrams, order);
  permute(ngrams.contexts, order);
  permute(ngrams.counts, order);
  permute(ngrams.occurrences, order);
  std::vector<NGramId> result(ngrams.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    result[static_cast<NGramId>(order[i])] = static_cast<NGramId>(i);
  return result;
}

}  // namespace

std::vector<CountedNGrams> count_ngrams(std::vector<WordId>&& ids, std::size_t words, unsigned order,
                                        const std::vector<bool>& occurrences) {
  std::vector<WordId> text = std::move(ids);
  std::vector<CountedNGrams> orders(order);
  orders[0].counts.resize(words);
  if (occurrences[0]) {
    orders[0].occurrences.resize(words);
    for (WordId word : text) ++orders[0].occurrences[word];
  }
  if (order == 1) {
    for (WordId word : text)
      if (word != kSentenceBegin) ++orders[0].counts[word];
    count_counts(orders[0]);
    return orders;
  }
  const LastNGrams last = last_ngrams(text, order - 1);
  std::vector<NGramId> ngram_ids = text;
  std::vector<NGramId> last_ids{ngram_ids[last.position]};
  for (unsigned n = 2; n <= order; ++n) {
    orders[n - 1] =
        extend_left(text, n, n == order, occurrences[n - 1] && n < order, orders[n - 2], ngram_ids);
    last_ids.push_back(ngram_ids[last.position]);
  }
  for (CountedNGrams& ngrams : orders) count_counts(ngrams);
  // lmplz enters the last n-gram of each lower order in the counts of counts with the number of
  // its occurrences, not with its adjusted count. We do too, so that the models are equal.
  for (std::size_t n = 0; n < last.occurrences.size(); ++n) {
    auto& with_count = orders[n].with_count;
    const std::uint64_t adjusted = orders[n].counts[last_ids[n]], raw = last.occurrences[n];
    if (adjusted < with_count.size()) --with_count[adjusted];
    if (raw < with_count.size()) ++with_count[raw];
  }
  text = std::vector<WordId>();
  ngram_ids = std::vector<NGramId>();
  std::vector<NGramId> renumbered;
  for (unsigned n = 2; n <= order; ++n)
    renumbered = sort_by_suffix(orders[n - 1], orders[n - 2].size(), renumbered);
  return orders;
}

}  // namespace widl
