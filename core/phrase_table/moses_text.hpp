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

/// The common layout of all lines of a Moses text table:
///
///   f ||| e ||| p(f|e) lex(f|e) p(e|f) lex(e|f) [||| alignment [||| count(e) count(f) count(f,e) [||| …]]]
///
/// A table may have another number of scores, which are then any features that users name. Fields after the counts are
/// ignored on input; " ||| |||" is written there, as in Moses.
struct MosesLayout {
  std::uint32_t fields = 5;  // between "|||", 3 to 5: without links and counts, without counts, with both
  std::uint32_t scores = 4;
  bool has_alignment() const { return fields >= 4; }
  bool has_counts() const { return fields >= 5; }
};

/// More scores are damage.
constexpr std::size_t kMaxScores = 100;

/// Replacement for a score of 0: e^-100, the smallest score in Moses.
constexpr double kLeastScore = 3.720075976020836e-44;

/// A parsed line. The views point into the line.
struct MosesLine {
  std::string_view source, target;           // words and white space; the target may have no words
  std::array<Probability, 4> probabilities;  // p(f|e), p(e|f), lex(f|e), lex(e|f), or the first scores
  std::vector<Probability> more;             // further scores
  std::vector<AlignmentPoint> alignment;
  std::array<std::uint32_t, 3> counts;  // of e, f, both; rounded; zeros without counts
  std::uint32_t fields;                 // at most 5, as of a MosesLayout
};

/// Parses the lines of a table, reusing its memory.
class MosesLineParser {
 public:
  /// `scores`: number of scores per line; 0: taken from the first line.
  explicit MosesLineParser(std::uint32_t scores = 0) : named_(scores > 0), scores_(scores) {}

  /// The result is valid until the next call.
  /// @throws InputError that describes the fault of the line
  const MosesLine& parse(std::string_view line);

  /// The layout of the table, if the last parsed line is its first.
  MosesLayout layout() const { return {line_.fields, scores_}; }

 private:
  void parse_scores(std::string_view field);
  Probability read_score(std::size_t at) const;
  void parse_alignment(std::string_view field);
  void parse_counts(std::string_view field);

  bool named_;  // the scores
  std::uint32_t scores_;  // of every line; 0 before the first
  MosesLine line_;
  std::vector<std::string_view> fields_;
  std::vector<std::string_view> numbers_;
};

/// Appends the scores and the following fields of an option's line, without the newline.
void append_scores_and_rest(std::string& text, const MosesLayout& layout, const StoredOption& option);

/// Splits at ASCII white space.
void split_words(std::string_view text, std::vector<std::string_view>& words);

}  // namespace widl
