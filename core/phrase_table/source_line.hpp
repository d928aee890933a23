#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "phrase_table/number_words.hpp"

namespace widl {

/// Use of the given translations of a span.
enum class GivenUse {
  alternative,  ///< they compete with the tables' translations
  exclusive,    ///< no other phrase translates the span or crosses its edges
  required,     ///< phrases that touch the span cover it and contain one of them; if no phrase does, as `exclusive`
};

/// Translations by a user or a rule: the explicit distribution ∨{p: ×(words), …}. A probability counts in each of the
/// first table's components.
struct GivenTranslations {
  static constexpr std::uint32_t kNoOrigin = std::numeric_limits<std::uint32_t>::max();
  struct Alternative {
    std::vector<std::string> words;
    double probability;
  };

  std::vector<Alternative> alternatives;
  GivenUse use;
  bool copied;           ///< the words are source words, passed through
  std::uint32_t origin;  ///< the feature of origin whose value is `count`, or kNoOrigin
  float count;
};
struct GivenSpan {
  std::uint32_t begin, end;
  GivenTranslations given;
};

/// A line to tile: the words of its finest segmentation, and annotations by users and rules.
struct SourceLine {
  using Range = std::pair<std::uint32_t, std::uint32_t>;  ///< [first, second)

  std::vector<std::string> tokens;
  std::vector<Range> longer;         ///< spans of several tokens that are also a word
  std::vector<std::uint32_t> split;  ///< tokens that are single characters of such a word
  /// By token: adjacent joinable tokens form a word if the table has it. Empty: none are.
  std::vector<bool> joinable;
  std::vector<GivenSpan> given;
  bool keeps_numbers = false;  ///< translations contain the numbers of their span, and no others
  std::vector<NumberSpan> numbers;  ///< without overlaps
  std::vector<Range> zones;
  std::vector<std::uint32_t> walls;
  std::vector<std::uint32_t> clause_marks;  ///< tokens that part clauses
};

}  // namespace widl
