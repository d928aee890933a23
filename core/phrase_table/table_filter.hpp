#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "phrase_table/stored_option.hpp"
#include "phrase_table/table_format.hpp"

namespace widl {

/// The criteria for keeping options of a source phrase, in the order of application.
struct SelectionCriteria {
  double min_probability = 0;   // p(e|f) at least
  std::uint32_t min_count = 0;  // of the pair, at least
  std::size_t limit = 0;        // number of best options kept; 0 = all
  // Weights of ln p(f|e), ln p(e|f), ln lex(f|e), ln lex(e|f) and further scores, for `limit`. If absent, options are
  // ranked by p(e|f), then p(f|e).
  std::optional<std::vector<double>> weights;
};

/// Number of phrase pairs read, and removed by each criterion.
struct SelectionTally {
  std::uint64_t pairs = 0, min_probability = 0, min_count = 0, limit = 0;
};

/// Selects options of a table in two passes over its values: the first pass counts the remaining words, and the second
/// writes the options with new word ids. The remaining options keep their order.
class TableFilter {
 public:
  /// The table's target vocabulary must outlive this object.
  TableFilter(const Vocabulary& vocabulary, const SelectionCriteria& criteria)
      : vocabulary_(vocabulary), criteria_(criteria), uses_(vocabulary.size()) {}

  /// First pass. @throws InputError for a damaged value
  void count(const PhraseBatch& batch);
  /// The words that remain, by their new numbers; ends the first pass.
  std::vector<std::string_view> words();
  /// Second pass: the phrases that have selected options, with these.
  PhraseBatch select(const PhraseBatch& batch);

  const SelectionTally& tally() const { return tally_; }

 private:
  void select_options(std::string_view value, SelectionTally& tally);
  /// Keeps the best options, up to the limit.
  void keep_best();
  double rank(const StoredOption& option) const;

  const Vocabulary& vocabulary_;
  SelectionCriteria criteria_;
  SelectionTally tally_;
  std::vector<std::uint64_t> uses_;
  std::optional<WordNumbering> numbering_;
  OptionList options_;                 // that the current value's criteria leave, without the limit
  std::vector<std::size_t> selected_;  // of these
  std::size_t further_scores_ = 0;
  std::vector<double> ranks_;
};

}  // namespace widl
