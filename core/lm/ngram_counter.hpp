#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lm/training_text.hpp"

namespace widl {

/// The number of an n-gram among those of its order; a unigram's is its word's.
using NGramId = std::uint32_t;

/// An n-gram of order >= 2: its last n-1 words, and the word to their left.
struct LeftExtension {
  NGramId suffix;
  WordId left;
  bool operator==(const LeftExtension&) const = default;
};

/// The n-grams of one order in order of first appearance, with lmplz's adjusted counts: how often
/// the n-gram occurs when it is of the highest order or begins with <s>, else how many different
/// words (<s> among them) occur to its left.
struct CountedNGrams {
  std::vector<LeftExtension> ngrams;   // empty for order 1, whose n-grams are the words
  std::vector<NGramId> contexts;       // all but the last word; empty for order 1
  std::vector<std::uint32_t> counts;

  /// with_count[j] = how many n-grams have adjusted count j, for the discounts.
  std::array<std::uint64_t, 5> with_count{};

  std::size_t size() const { return counts.size(); }
};

/// Counts the n-grams of orders 1 to `order` within sentences, as if `text` was read once per order.
std::vector<CountedNGrams> count_ngrams(const TrainingText& text, unsigned order);

}  // namespace widl
