#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phrase_table/probability.hpp"

namespace widl {

/// A line of a Moses reordering table, `f ||| e ||| scores`; the views point into the line.
struct ReorderingLine {
  std::string_view source, target;
  std::vector<Probability> scores;
};

/// Parses lines, reusing its memory.
class ReorderingLineParser {
 public:
  /// Valid until the next call. A score of 0, which is too small for six decimals, counts as e^-100, as in Moses.
  /// @throws InputError that describes the fault of the line
  const ReorderingLine& parse(std::string_view line);

 private:
  ReorderingLine line_;
  std::vector<std::string_view> numbers_;
};

/// Appends scores as Moses writes them, with six decimals and a space after each, or with enough digits to read the
/// same number back.
void append_reordering_scores(std::string& text, std::span<const Probability> scores);

}  // namespace widl
