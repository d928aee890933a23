#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "expression/vocabulary.hpp"

namespace widl {

/// The separator after a phrase in a line of a Moses text table.
constexpr std::string_view kPhraseEnd = "|||";

/// Order of two words in such a line, in which a space follows each word.
inline int compare_words(std::string_view a, std::string_view b) {
  const std::size_t common = std::min(a.size(), b.size());
  if (int order = a.substr(0, common).compare(b.substr(0, common))) return order;
  if (a.size() == b.size()) return 0;
  const bool a_is_longer = a.size() > b.size();
  return (static_cast<unsigned char>((a_is_longer ? a : b)[common]) > ' ') == a_is_longer ? 1 : -1;
}

/// Order of phrases in a Moses text table, as bytes of its lines; options with equal probabilities use it, too. Words
/// have ranks, because a phrase is compared with very many others.
class TextOrder {
 public:
  explicit TextOrder(const Vocabulary& vocabulary) : ranks_(vocabulary.size()) {
    std::vector<WordId> order(vocabulary.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](WordId a, WordId b) {
      return compare_words(vocabulary.word(a), vocabulary.word(b)) < 0;
    });
    // Ranks are odd, so that a phrase's end has a separate rank.
    for (std::uint32_t i = 0; i < order.size(); ++i) ranks_[order[i]] = 2 * i + 1;
    end_ = 2 * static_cast<std::uint32_t>(std::partition_point(order.begin(), order.end(), [&](WordId word) {
      return compare_words(vocabulary.word(word), kPhraseEnd) < 0;
    }) - order.begin());
  }

  /// Whether a's lines come before b's.
  bool before(std::span<const WordId> a, std::span<const WordId> b) const {
    const auto [at_a, at_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (at_a == a.end() && at_b == b.end()) return false;
    return (at_a == a.end() ? end_ : ranks_[*at_a]) < (at_b == b.end() ? end_ : ranks_[*at_b]);
  }

 private:
  std::vector<std::uint32_t> ranks_;
  std::uint32_t end_;
};

}  // namespace widl
