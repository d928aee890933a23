#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "phrase_table/word_numbering.hpp"
#include "phrase_table/value.hpp"

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
  void count(std::span<const std::byte> value);
  /// The words that remain, by their new numbers; ends the first pass.
  std::vector<std::string_view> words();
  /// Second pass: appends the selected options to `bytes` and returns their number. Appends no bytes if it is 0.
  std::size_t rewrite(std::span<const std::byte> value, std::string& bytes);

  const SelectionTally& tally() const { return tally_; }

 private:
  struct Option {
    StoredOption stored;
    std::size_t words, alignment, more, orientation;  // where they begin, below
  };

  void select(std::span<const std::byte> value, SelectionTally& tally);
  double rank(const StoredOption& option) const;

  const Vocabulary& vocabulary_;
  SelectionCriteria criteria_;
  SelectionTally tally_;
  std::vector<std::uint64_t> uses_;
  std::optional<WordNumbering> numbering_;
  // The selected part of the current value:
  std::vector<Option> options_;
  std::vector<WordId> words_;
  std::vector<AlignmentPoint> alignment_;
  std::vector<Probability> more_;
  std::vector<Probability> orientation_;
  std::vector<double> ranks_;
};

}  // namespace widl
