#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "phrase_table/stored_option.hpp"

namespace widl {

/// Counts over the values of a table.
class TableStatistics {
 public:
  /// Histogram of probabilities by decade: [0] counts values of at least 1, [i] values in [10^-i, 10^(1-i)), the last
  /// one all smaller values.
  static constexpr std::size_t kDecades = 12;
  using Histogram = std::map<std::uint64_t, std::uint64_t>;

  /// @throws InputError for a damaged value
  void add(const PhraseBatch& batch);

  std::uint64_t source_phrases = 0, pairs = 0, links = 0;
  Histogram source_lengths;  // of source phrases, in words
  Histogram target_lengths;  // of the pairs' target phrases
  Histogram options;         // number of options of source phrases
  Histogram counts;          // of pairs
  std::vector<std::array<std::uint64_t, kDecades>> probabilities{
      4};  // p(f|e), p(e|f), lex(f|e), lex(e|f), further ones
  // Sums over source phrases of H = -sum p log2 p, p being p(e|f) as a share of its sum over the options
  // (tables may be pruned): each phrase once, and weighted by the phrase's count.
  double entropy = 0, weighted_entropy = 0, weight = 0;

 private:
  void add_phrase(std::size_t source_words, std::string_view value);
};

}  // namespace widl
