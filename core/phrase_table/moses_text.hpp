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
///   f ||| e ||| p(f|e) lex(f|e) p(e|f) lex(e|f) [||| alignment [||| count(e) count(f) count(f,e) [||| …]]]
///
/// A table may have another number of scores, which are then any features that users name. What follows the counts is of no
/// use here; behind them " ||| |||" is written, as Moses has it.
struct MosesLayout {
  std::uint32_t fields = 5;  // between "|||", 3 to 5: without links and counts, without counts, with both
  std::uint32_t scores = 4;
  bool has_alignment() const { return fields >= 4; }
  bool has_counts() const { return fields >= 5; }
};

/// More scores are damage.
constexpr std::size_t kMaxScores = 100;

/// What a score of 0 counts as, e^-100: the least for Moses.
constexpr double kLeastScore = 3.720075976020836e-44;

/// A line, taken apart. The views are of the line.
struct MosesLine {
  std::string_view source, target;           // words and white space; the target may have none
  std::array<Probability, 4> probabilities;  // p(f|e), p(e|f), lex(f|e), lex(e|f), or the first scores
  std::vector<Probability> more;             // further scores
  std::vector<AlignmentPoint> alignment;
  std::array<std::uint32_t, 3> counts;  // of e, f, both; rounded; zeros without counts
  std::uint32_t fields;                 // at most 5, as of a MosesLayout
};

/// Takes the lines of a table apart, reusing its memory.
class MosesLineParser {
 public:
  /// `scores`: their number in each line; 0: that of the first line.
  explicit MosesLineParser(std::uint32_t scores = 0) : named_(scores > 0), scores_(scores) {}

  /// Valid until the next call.
  /// @throws InputError saying what is wrong with the line
  const MosesLine& parse(std::string_view line);

  /// The layout of a table of which the last line parsed is the first.
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

/// Appends the scores of an option and what follows them in a line, without the line's end.
void append_scores_and_rest(std::string& text, const MosesLayout& layout, const StoredOption& option);

/// Splits at ASCII white space.
void split_words(std::string_view text, std::vector<std::string_view>& words);

}  // namespace widl
