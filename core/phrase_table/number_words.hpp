#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/vocabulary.hpp"

namespace widl {

/// A number of the source at [begin, end), and the word sequences that say it in the target language.
struct NumberSpan {
  std::uint32_t begin, end;
  std::vector<std::vector<std::string>> wordings;
  bool required;  ///< whether a translation must contain it; otherwise it is optional
};

/// The vocabulary's number words: digits (35,000, 19th, 1990s), listed words, and hyphenated compounds of these
/// (five-year), except for names (COVID-19).
class NumberWords {
 public:
  /// words: in lower case.
  NumberWords(const Vocabulary& vocabulary, const std::vector<std::string>& words);
  bool contains(WordId word) const { return word < is_number_.size() && is_number_[word]; }

  /// Whether `words` contain each required number once, and no number other than `numbers`.
  bool say_exactly(std::span<const WordId> words, std::span<const NumberSpan* const> numbers) const;

 private:
  const Vocabulary& vocabulary_;
  std::vector<bool> is_number_;
};

}  // namespace widl
