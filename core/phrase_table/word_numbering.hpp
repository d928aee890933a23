#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "expression/vocabulary.hpp"

namespace widl {

/// New numbers for a table's source words or target words: by decreasing number of uses, so that frequent words are
/// stored in one byte, then by their bytes. They depend only on a table's content.
class WordNumbering {
 public:
  /// `uses[id]`: how often the table has the word.
  WordNumbering(const Vocabulary& vocabulary, std::span<const std::uint64_t> uses)
      : vocabulary_(vocabulary), renumbered_(uses.size()) {
    for (WordId id = 0; id < uses.size(); ++id)
      if (uses[id] > 0) order_.push_back(id);
    std::sort(order_.begin(), order_.end(), [&](WordId a, WordId b) {
      return uses[a] != uses[b] ? uses[a] > uses[b] : vocabulary.word(a) < vocabulary.word(b);
    });
    for (WordId id = 0; id < order_.size(); ++id) renumbered_[order_[id]] = id;
  }

  /// The new id of a used word.
  WordId operator()(WordId old) const { return renumbered_[old]; }

  /// The words in the order of their new numbers.
  std::vector<std::string_view> words() const {
    std::vector<std::string_view> words;
    for (WordId old : order_) words.push_back(vocabulary_.word(old));
    return words;
  }

 private:
  const Vocabulary& vocabulary_;
  std::vector<WordId> renumbered_, order_;
};

}  // namespace widl
