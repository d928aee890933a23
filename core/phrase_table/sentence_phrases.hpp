#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phrase_table/phrase_table.hpp"

namespace widl {

/// A word of a segmentation of a source sentence: where it ends, and whether it is a single character that was cut off.
struct WordEdge {
  std::uint32_t end;
  std::string_view word;
  bool cut_off;
};

/// A phrase table of a model. One that backs off is looked into only for spans that those before it lack.
struct TableInUse {
  const PhraseTable* table;
  bool backs_off;
};

/// A translation must contain one of some word sequences wherever its phrase covers the span [begin, end).
struct RequiredSpan {
  std::uint32_t begin, end;
  std::vector<std::vector<std::string>> alternatives;
};

/// A number of the source at [begin, end), and the word sequences that say it in the target language.
struct NumberSpan {
  std::uint32_t begin, end;
  std::vector<std::vector<std::string>> wordings;
  bool required;  ///< whether it must be said; else it only may be
};

/// Which words of a vocabulary say a number: digits (35,000, 19th, 1990s), some words, and compounds of these with
/// hyphens (five-year), but for names (COVID-19).
class NumberWords {
 public:
  /// words: in lower case.
  NumberWords(const Vocabulary& vocabulary, const std::vector<std::string>& words);
  bool contains(WordId word) const { return word < says_.size() && says_[word]; }

 private:
  std::vector<bool> says_;
};

/// The phrases of a source sentence that phrase tables translate, under all of its segmentations.
class SentencePhrases {
 public:
  /// Sequences of one length that begin at a position and are looked at; further ones are left out.
  static constexpr std::size_t kMostPaths = 64;

  struct Phrase {
    std::uint32_t begin, end;
    std::uint32_t words;
    std::uint32_t cut_off;  ///< how many of the words are single characters that were cut off
    PhraseTable::Options options;
    std::vector<std::uint32_t> required;  ///< indices of the spans that each of its translations must meet
    std::vector<std::uint32_t> numbers;   ///< indices of the numbers that it covers
  };

  /// edges: by position, the words that begin there. longest: words of a phrase at most.
  SentencePhrases(const std::vector<std::vector<WordEdge>>& edges, std::vector<TableInUse> tables, std::size_t longest);

  /// A phrase that touches a required span must cover it, and its translations must meet it. Gives whether each of the
  /// spans is met by any translation.
  std::vector<bool> require(std::vector<RequiredSpan> spans);

  /// A phrase that touches a required number must cover it, and its translations say all those that it covers, and no
  /// number that it doesn't cover. The spans don't overlap. words: for each table; they must outlive this object.
  void keep_numbers(std::vector<NumberSpan> spans, std::vector<const NumberWords*> words);

  /// Whether this is the span of a required number, which no other phrase crosses.
  bool is_number(std::uint32_t begin, std::uint32_t end) const;

  using Span = std::pair<std::uint32_t, std::uint32_t>;
  /// The spans that a table translates, in order.
  std::vector<Span> translated() const;
  /// Of these those with several words, or with a word that a table has seen more than `rare` times, or unknown times.
  std::vector<Span> frequent(std::uint32_t rare) const;

  const std::vector<TableInUse>& tables() const { return tables_; }
  const std::vector<Phrase>& phrases(std::size_t table) const { return phrases_[table]; }
  /// Whether a translation contains what is required of its phrase, and its numbers are those of the phrase.
  bool meets(const Phrase& phrase, const StoredOption& option, std::size_t table) const;

 private:
  bool contains_required(const Phrase& phrase, const StoredOption& option, const Vocabulary& vocabulary) const;
  bool says_its_numbers(const Phrase& phrase, const StoredOption& option, std::size_t table) const;

  std::vector<TableInUse> tables_;
  std::vector<std::vector<Phrase>> phrases_;  // of each table
  std::vector<RequiredSpan> required_;
  std::vector<NumberSpan> numbers_;
  std::vector<const NumberWords*> number_words_;  // of each table; empty: any numbers may be said
};

}  // namespace widl
