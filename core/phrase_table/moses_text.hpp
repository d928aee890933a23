#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "phrase_table/value.hpp"

namespace widl {

/// Between two fields of a line.
inline constexpr std::string_view kBars = "|||";

/// What all lines of a Moses text table have in common:
///
///   f ||| e ||| p(f|e) lex(f|e) p(e|f) lex(e|f) [penalty] [||| alignment [||| count(e) count(f) count(f,e) [tail]]]
struct MosesLayout {
  std::uint32_t fields = 7;            // between "|||", 3 to 7
  std::string penalty;                 // the fifth score of older tables, 2.718 as it is written, or nothing
  std::string tail = " ||| |||";       // behind the counts, where there are more than five fields
  bool has_alignment() const { return fields >= 4; }
  bool has_counts() const { return fields >= 5; }
};

/// A line, taken apart. The views are of the line.
struct MosesLine {
  std::string_view source, target;           // words and white space
  std::array<Probability, 4> probabilities;  // p(f|e), p(e|f), lex(f|e), lex(e|f)
  std::string_view penalty;
  std::vector<AlignmentPoint> alignment;
  std::array<std::uint32_t, 3> counts;  // of e, f, both; rounded; zeros without counts
  std::string_view rest;                // all that follows the scores
  std::uint32_t fields;
};

/// Takes lines apart, reusing its memory.
class MosesLineParser {
 public:
  /// Valid until the next call.
  /// @throws InputError saying what is wrong with the line
  const MosesLine& parse(std::string_view line);

  /// The layout of a table of which the last line parsed is the first.
  MosesLayout layout() const;

 private:
  void parse_scores(std::string_view field);
  void parse_alignment(std::string_view field);
  void parse_counts(std::string_view field);

  MosesLine line_;
  std::vector<std::string_view> fields_;
  std::vector<std::string_view> numbers_;
};

/// Appends what a line has behind its scores.
void append_rest(std::string& text, const MosesLayout& layout, std::span<const AlignmentPoint> alignment,
                 const std::array<std::uint32_t, 3>& counts);

/// Appends a line's scores and what follows them, without the line's end.
void append_scores_and_rest(std::string& text, const MosesLayout& layout, const StoredOption& option);

/// Splits at ASCII white space.
void split_words(std::string_view text, std::vector<std::string_view>& words);

}  // namespace widl
