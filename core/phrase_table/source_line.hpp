#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/vocabulary.hpp"

namespace widl {

/// What a number requires of phrases that touch its span.
enum class NumberUse {
  required,  ///< they cover the span and say the number
  optional,  ///< they may say the number, but no other
  whole,     ///< they cover the span, and may say its number, but no other: the span was not read
  open,      ///< they cover the span, and may say any number: it was not read with certainty
};

/// A number of the source at [begin, end), and the word sequences that say it in the target language.
struct NumberSpan {
  std::uint32_t begin, end;
  std::vector<std::vector<std::string>> wordings;
  NumberUse use;
};

/// The vocabulary's number words: digits (35,000, 19th, 1990s), listed words, and hyphenated compounds of these
/// (five-year), except for names (COVID-19). Words such as March say a number only beside digits.
class NumberWords {
 public:
  /// words: in lower case. beside_digits: words that are number words beside digits, as they are written.
  NumberWords(const Vocabulary& vocabulary, const std::vector<std::string>& words,
              const std::vector<std::string>& beside_digits);
  bool contains(WordId word) const { return word < is_number_.size() && is_number_[word]; }

  /// Whether `words` contain each required number once, and no number other than `numbers`, unless one is open.
  bool say_exactly(std::span<const WordId> words, std::span<const NumberSpan* const> numbers) const;

 private:
  /// Whether the word at a position is a number word there.
  bool is_number_at(std::span<const WordId> words, std::size_t at) const;

  const Vocabulary& vocabulary_;
  std::vector<bool> is_number_;
  std::vector<WordId> beside_digits_;  // sorted
};

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
  bool keeps_numbers = false;       ///< translations contain the numbers of their span, and no others
  std::vector<NumberSpan> numbers;  ///< without overlaps
  std::vector<Range> zones;
  std::vector<std::uint32_t> walls;
  std::vector<std::uint32_t> clause_marks;  ///< tokens that part clauses
  std::vector<std::uint32_t> marks;         ///< dashes, brackets and quotation marks, which by themselves are no words
  std::vector<std::uint32_t> ends;  ///< marks at the ends of sentences, which the words before them do not repeat
};

}  // namespace widl
