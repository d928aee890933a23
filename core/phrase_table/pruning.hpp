#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "phrase_table/significance.hpp"

namespace widl {

/// Removes the phrase pairs of a stored table that are not significant in a bitext (Johnson et al. 2007); scores and
/// counts of the others stay as they are, as in Moses' filter-pt.
class TablePruner {
 public:
  /// Freezes the bitext, which must outlive this object; it needs no links. `target_words` are the table's.
  /// Pairs with -ln p >= threshold stay.
  TablePruner(Bitext& bitext, const std::vector<std::string>& target_words, double threshold, unsigned threads);

  struct Item {
    std::string_view phrase;  // source words, separated by spaces
    std::string_view value;   // ValueWriter's
  };
  struct Result {
    std::vector<std::string> values;  // of each item; empty where no pair is left
    std::uint64_t kept = 0, removed = 0;
  };
  /// Phrases of more than 255 words are taken for ones that the bitext doesn't have. @throws InputError for a damaged value
  Result prune(const std::vector<Item>& items);

 private:
  std::uint64_t prune_item(const Item& item, SignificanceTest& test, std::string& kept, std::uint64_t& removed) const;

  const Bitext& bitext_;
  SearchableBitext searchable_;
  std::vector<WordId> target_ids_;  // the bitext's, of the table's words
  unsigned threads_;
  std::vector<SignificanceTest> tests_;  // one for each thread
};

}  // namespace widl
