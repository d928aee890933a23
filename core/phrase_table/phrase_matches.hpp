#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phrase_table/phrase_table.hpp"
#include "phrase_table/source_line.hpp"

namespace widl {

/// A phrase table of a model and how its options become tiles.
struct TableInUse {
  const PhraseTable* table;
  bool backs_off;          ///< it is asked only for spans that earlier tables lack
  std::size_t components;  ///< the number of scores of its options
  double table_threshold;  ///< options need this fraction of the best p(e|f) of their phrase; 0: all
  const NumberWords* number_words;
};

/// All segmentations of a line as a lattice of words.
class WordLattice {
 public:
  struct Edge {
    std::uint32_t end;
    std::string_view word;
    bool is_split;  ///< a single character that was split off a longer word
  };

  /// The tokens, the longer words, and joinable neighbors that a table has as a word. `line` must outlive this object.
  /// @throws InputError for a span outside of the line
  WordLattice(const SourceLine& line, std::span<const TableInUse> tables);

  std::uint32_t size() const { return static_cast<std::uint32_t>(edges_.size()); }
  const std::vector<Edge>& edges_at(std::uint32_t begin) const { return edges_[begin]; }

 private:
  static constexpr std::uint32_t kLongestJoined = 4;  // tokens

  void join(const SourceLine& line, std::span<const TableInUse> tables);

  std::vector<std::vector<Edge>> edges_;  // by where they begin
  std::deque<std::string> words_;         // of several tokens
};

/// The phrases of a line that phrase tables translate, under all of its segmentations.
class PhraseMatches {
 public:
  /// Maximum number of word sequences of one length to look up per position; others are skipped.
  static constexpr std::size_t kMaxPaths = 64;

  struct Phrase {
    std::uint32_t begin, end;
    std::uint32_t words;
    std::uint32_t split;  ///< the number of its words that are split characters
    OptionReader options;
    std::vector<const GivenSpan*> required = {};  ///< given spans that each of its translations must contain
    std::vector<const NumberSpan*> numbers = {};  ///< number spans that it covers
  };

  /// The phrases of at most `longest` words that meet the requirements of `line`. `line` must outlive this object.
  /// @throws InputError for a span outside of the line, or a damaged table
  PhraseMatches(const SourceLine& line, std::span<const TableInUse> tables, std::size_t longest);

  const std::vector<Phrase>& phrases(std::size_t table) const { return phrases_[table]; }
  /// Whether an option contains the translations that its phrase requires and exactly the numbers of its phrase, and
  /// translates neither a mark as words nor words as a mark that follows them.
  bool meets(const Phrase& phrase, const StoredOption& option, std::size_t table) const;

  /// Whether a translation of the tables meets a required span.
  bool is_met(const GivenSpan& span) const;
  /// Whether a required number covers the position.
  bool in_number(std::uint32_t position) const { return in_number_[position]; }
  /// Whether this is the span of a required or open number, which no other phrase crosses.
  bool is_number(std::uint32_t begin, std::uint32_t end) const;
  /// Whether [begin, end) overlaps a required or open number that it does not cover.
  bool splits_number(std::uint32_t begin, std::uint32_t end) const;
  /// The spans that a table translates, sorted.
  std::vector<SourceLine::Range> translated() const;
  /// Spans translated as several words, or as a word seen more than `rare` times or an unknown number of times.
  std::vector<SourceLine::Range> frequent(std::uint32_t rare) const;

 private:
  void look_up(const WordLattice& lattice, std::size_t table, std::size_t longest);
  void require();
  void keep_numbers();
  void keep_marks();
  bool fits_marks(const Phrase& phrase, const StoredOption& option, const Vocabulary& vocabulary) const;
  /// The sorted spans of the phrases that satisfy `chosen(phrase)`.
  template <class Chosen>
  std::vector<SourceLine::Range> spans(Chosen&& chosen) const;
  bool contains_required(const Phrase& phrase, const StoredOption& option, const Vocabulary& vocabulary) const;

  const SourceLine& line_;
  std::span<const TableInUse> tables_;
  std::vector<std::vector<Phrase>> phrases_;  // by table
  std::vector<const GivenSpan*> met_;
  std::vector<bool> in_number_;         // by position
  std::vector<bool> is_mark_, is_end_;  // by position; one more for the end of the line
};

}  // namespace widl
