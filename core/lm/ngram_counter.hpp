#pragma once

#include <cstdint>
#include <vector>

#include "lm/smoothing.hpp"
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

/// The n-grams of one order with lmplz's adjusted counts: how often the n-gram occurs when it is of
/// the highest order or begins with <s>, else how many different words (<s> among them) occur to its
/// left. They are sorted by their last word, then the one before, and so on, as in lmplz's models.
struct CountedNGrams {
  std::vector<LeftExtension> ngrams;      // empty for order 1, whose n-grams are the words
  std::vector<NGramId> contexts;          // all but the last word; empty for order 1
  std::vector<std::uint32_t> counts;
  std::vector<std::uint32_t> occurrences; // empty where they are the counts, or nobody asked

  CountsOfCounts with_count{};            // for the discounts

  std::size_t size() const { return counts.size(); }
};

/// Counts the n-grams of orders 1 to `order` within sentences, as if the text was read once per order.
/// `occurrences[n-1]` asks for those of order n. `ids` are a text's, of `words` different words.
std::vector<CountedNGrams> count_ngrams(std::vector<WordId>&& ids, std::size_t words, unsigned order,
                                        const std::vector<bool>& occurrences);

}  // namespace widl
