#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "lm/discounts.hpp"
#include "lm/external_sort.hpp"
#include "lm/training_text.hpp"

namespace widl {

inline constexpr unsigned kMaxOrder = 6;

/// The words of an n-gram from the last to the first, so that comparing arrays compares suffixes first.
template <unsigned n>
struct Backwards : std::array<WordId, n> {
  // Faster than std::array's operator, which calls memcmp.
  friend bool operator==(const Backwards& a, const Backwards& b) {
    std::uint32_t differences = 0;
    for (unsigned i = 0; i < n; ++i) differences |= a[i] ^ b[i];
    return differences == 0;
  }
};

inline constexpr std::uint32_t kMaxOccurrences = 0x7FFFFFFF;

inline void check_occurrences(std::uint64_t count) {
  if (count > kMaxOccurrences) throw InputError("an n-gram occurs more than 2^31 times, the limit of its count");
}

template <unsigned n>
struct CountedNGram {
  Backwards<n> words;
  std::uint32_t kept : 1, count : 31;
};

/// Sorts by the last word, then the one before, and so on: n-grams with a common suffix are adjacent.
struct SuffixOrder {
  template <class NGram>
  bool operator()(const NGram& a, const NGram& b) const {
    // Faster than std::array's operator, which compares every word both ways.
    const auto [x, y] = std::mismatch(a.words.begin(), a.words.end(), b.words.begin());
    return x != a.words.end() && *x < *y;
  }
};

/// Sorts by all words except the last, in SuffixOrder, then by the last word: n-grams of one context are adjacent.
struct ContextOrder {
  template <class NGram>
  bool operator()(const NGram& a, const NGram& b) const {
    const auto [x, y] = std::mismatch(a.words.begin() + 1, a.words.end(), b.words.begin() + 1);
    return x != a.words.end() ? *x < *y : a.words[0] < b.words[0];
  }
};

/// The words without the array's first word (the context), or without its last word (the suffix).
template <std::size_t n>
Backwards<n - 1> context_of(const std::array<WordId, n>& words) {
  Backwards<n - 1> context;
  std::copy(words.begin() + 1, words.end(), context.begin());
  return context;
}
template <std::size_t n>
Backwards<n - 1> suffix_of(const std::array<WordId, n>& words) {
  Backwards<n - 1> suffix{};
  std::copy(words.begin(), words.end() - 1, suffix.begin());
  return suffix;
}

/// Calls visit(n-gram) for each word of the text, with the n-gram that ends with it, padded in front with <s>. `window`
/// is the last n-gram of the text before, all 0 at its start.
template <unsigned n, class Visit>
void for_each_ngram(Backwards<n>& window, const std::vector<WordId>& ids, Visit&& visit) {
  for (const WordId word : ids) {
    if (word == kSentenceBegin) {
      window.fill(kSentenceBegin);
      continue;
    }
    std::copy_backward(window.begin(), window.end() - 1, window.end());
    window[0] = word;
    visit(std::as_const(window));
  }
}

/// Calls work(std::integral_constant of the order).
template <class Work>
auto with_order(unsigned order, Work&& work) {
  static_assert(kMaxOrder == 6);
  switch (order) {
    case 1:
      return work(std::integral_constant<unsigned, 1>());
    case 2:
      return work(std::integral_constant<unsigned, 2>());
    case 3:
      return work(std::integral_constant<unsigned, 3>());
    case 4:
      return work(std::integral_constant<unsigned, 4>());
    case 5:
      return work(std::integral_constant<unsigned, 5>());
    case 6:
      return work(std::integral_constant<unsigned, 6>());
    default:
      throw InternalError("the order was not checked");
  }
}

/// Counts n-grams in a hash table that grows up to a size; whenever it is full, they are written to disk as a sorted
/// run.
template <unsigned n>
class NGramSpiller {
 public:
  NGramSpiller(const SpillOptions& options, std::size_t memory) : runs_(options) { resize(memory); }

  std::size_t memory() const { return most_slots() * sizeof(std::uint32_t) + capacity_ * sizeof(CountedNGram<n>); }

  /// Spills, and continues with this memory limit.
  void resize(std::size_t memory) {
    spill();
    entries_ = std::vector<CountedNGram<n>>();
    slots_ = std::vector<std::uint32_t>();
    capacity_ = std::clamp<std::size_t>(memory / kPerEntry, 1, std::uint32_t{1} << 31);
    entries_.reserve(capacity_);
    slots_.assign(std::min(kFirstSlots, most_slots()), kEmpty);
  }

  void add(const Backwards<n>& words) {
    for (std::size_t at = first_slot(words);; at = following(at)) {
      if (slots_[at] == kEmpty) {
        slots_[at] = static_cast<std::uint32_t>(entries_.size());
        entries_.push_back({words, 1, 1});
        if (entries_.size() == capacity_)
          spill();
        else if (entries_.size() * 3 > slots_.size() * 2)
          grow();
        return;
      }
      CountedNGram<n>& entry = entries_[slots_[at]];
      if (entry.words == words) {
        check_occurrences(std::uint64_t{entry.count} + 1);
        ++entry.count;
        return;
      }
    }
  }

  /// All n-grams so far, as runs; an n-gram may be in several runs. The object must not be used afterwards.
  SortedRuns<CountedNGram<n>, SuffixOrder> take_runs() {
    spill();
    entries_ = std::vector<CountedNGram<n>>();
    slots_ = std::vector<std::uint32_t>();
    return std::move(runs_);
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;
  static constexpr std::size_t kPerEntry = sizeof(CountedNGram<n>) + 3 * sizeof(std::uint32_t) / 2;
  static constexpr std::size_t kFirstSlots = 1024;

  std::size_t most_slots() const { return capacity_ + capacity_ / 2 + 1; }
  std::size_t first_slot(const Backwards<n>& words) const {
    std::uint64_t hash = 0;
    for (WordId word : words) hash = (hash ^ word) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
    return (hash >> 32) * slots_.size() >> 32;
  }
  std::size_t following(std::size_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }

  void grow() {
    const std::size_t size = std::min(2 * slots_.size(), most_slots());
    slots_ = std::vector<std::uint32_t>();  // free before the larger one is allocated
    slots_.assign(size, kEmpty);
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
      std::size_t at = first_slot(entries_[i].words);
      while (slots_[at] != kEmpty) at = following(at);
      slots_[at] = i;
    }
  }

  void spill() {
    std::sort(entries_.begin(), entries_.end(), SuffixOrder());
    runs_.add(entries_);
    entries_.clear();
    std::fill(slots_.begin(), slots_.end(), kEmpty);
  }

  std::size_t capacity_ = 0;
  std::vector<CountedNGram<n>> entries_;
  std::vector<std::uint32_t> slots_;
  SortedRuns<CountedNGram<n>, SuffixOrder> runs_;
};

/// Computes adjusted counts of all orders from the n-grams of the highest order, which come in SuffixOrder and are
/// left-padded with <s> (Heafield et al. 2013, Sec. 3.2).
///
/// The same n-gram may come several times in succession, from several runs. Calls emit(order, words, adjusted count,
/// occurrences) for each n-gram, in SuffixOrder per order.
template <unsigned N, class Emit>
class CountAdjuster {
 public:
  explicit CountAdjuster(Emit emit) : emit_(emit) {}

  void add(const CountedNGram<N>& ngram) {
    unsigned same = 0;
    while (same < valid_ && ngram.words[same] == words_[same]) ++same;
    close(same, false);
    words_ = ngram.words;
    valid_ = 1;
    while (valid_ < N && words_[valid_ - 1] != kSentenceBegin) ++valid_;
    for (unsigned order = 1; order <= valid_; ++order) {
      if (order > same) left_words_[order - 1] = occurrences_[order - 1] = 0;
      occurrences_[order - 1] += ngram.count;
      if (order > same && order > 1) ++left_words_[order - 2];
    }
  }

  void finish() { close(0, true); }

  const CountsOfCounts& with_count(unsigned order) const { return with_count_[order - 1]; }

 private:
  /// Completes and emits the n-grams of more than `same` words.
  void close(unsigned same, bool last) {
    for (unsigned order = valid_; order > same; --order) {
      const std::uint64_t occurrences = occurrences_[order - 1];
      const bool raw = order == N || words_[order - 1] == kSentenceBegin;
      const std::uint64_t adjusted = raw ? occurrences : left_words_[order - 1];
      // lmplz counts the very last n-grams by their occurrences, and discounts must match.
      const std::uint64_t counted = last ? occurrences : adjusted;
      if (counted < with_count_[order - 1].size()) ++with_count_[order - 1][counted];
      emit_(order, words_, adjusted, occurrences);
    }
  }

  Emit emit_;
  Backwards<N> words_{};
  unsigned valid_ = 0;  // number of orders for which words_ holds an n-gram: up to the one that begins with <s>
  std::array<std::uint64_t, N> left_words_{}, occurrences_{};
  std::array<CountsOfCounts, N> with_count_{};
};

}  // namespace widl
