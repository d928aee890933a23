#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phrase_table/significance.hpp"

namespace widl {

/// Removes the phrase pairs of a stored table that are not significant in a bitext (Johnson et al. 2007); scores and
/// counts of the others stay as they are, as in Moses' filter-pt. In two steps, since what goes over a table twice
/// need not test twice.
class SignificanceFilter {
 public:
  /// A source phrase, words separated by spaces, and its value.
  using Item = std::pair<std::string_view, std::span<const std::byte>>;

  /// Freezes the bitext, which must outlive this object; it needs no links. `target_words` are the table's.
  /// Pairs with -ln p >= threshold stay.
  SignificanceFilter(Bitext& bitext, const std::vector<std::string>& target_words, double threshold,
                     unsigned threads);

  /// Tests all options of the items: a bit for each, whole bytes for each item. Phrases of more than 255 words are
  /// taken for ones that the bitext doesn't have. @throws InputError for a damaged value
  std::string judge(std::span<const Item> items);

  /// Appends the value of the options that pass to `bytes`, nothing if none does, and takes this value's verdicts
  /// from the front of those that are left.
  void keep(std::span<const std::byte> value, std::string_view& verdicts, std::string& bytes) const;

  std::uint64_t pairs() const { return pairs_; }      // that were judged
  std::uint64_t removed() const { return removed_; }  // of these

 private:
  std::string judge(const Item& item, SignificanceTest& test, std::uint64_t& passed, std::uint64_t& pairs) const;

  const Bitext& bitext_;
  SearchableBitext searchable_;
  std::vector<WordId> target_ids_;  // the bitext's, of the table's words
  unsigned threads_;
  std::vector<SignificanceTest> tests_;  // one for each thread
  std::uint64_t pairs_ = 0, removed_ = 0;
};

}  // namespace widl
