#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/vocabulary.hpp"
#include "phrase_table/stored_option.hpp"

namespace widl {

/// The common layout of all lines of a Moses text table:
///
///   f ||| e ||| p(f|e) lex(f|e) p(e|f) lex(e|f) [||| alignment [||| count(e) count(f) count(f,e) [||| …]]]
///
/// A table may have another number of scores, which are then any features that users name. Fields after the counts are
/// ignored on input; " ||| |||" is written there, as in Moses. A reordering table has lines f ||| e ||| scores.
struct MosesLayout {
  std::uint32_t fields = 5;  // between "|||", 3 to 5: without links and counts, without counts, with both
  std::uint32_t scores = 4;
  bool has_alignment() const { return fields >= 4; }
  bool has_counts() const { return fields >= 5; }
};

/// More scores are damage.
constexpr std::size_t kMaxScores = 100;

/// A parsed line. The views point into the line.
struct MosesLine {
  std::vector<std::string_view> source, target;  // words; the target may have none
  std::array<Probability, 4> probabilities;      // p(f|e), p(e|f), lex(f|e), lex(e|f), or the first scores
  std::vector<Probability> more;                 // further scores
  std::vector<AlignmentPoint> alignment;
  std::array<std::uint32_t, 3> counts;   // of e, f, both; rounded; zeros without counts
  std::uint32_t fields;                  // at most 5, as of a MosesLayout
  std::vector<Probability> orientation;  // of a reordering table
};

/// Parses the lines of a table, reusing its memory. Results are valid until the next call. A score of 0 counts as e^-100,
/// the smallest score in Moses.
class MosesLineParser {
 public:
  /// `scores`: number of scores per line; 0: taken from the first line.
  explicit MosesLineParser(std::uint32_t scores = 0) : named_(scores > 0), scores_(scores) {}

  /// @throws InputError that describes the fault of the line
  const MosesLine& parse(std::string_view line);
  /// Parses a line of a reordering table.
  const MosesLine& parse_reordering(std::string_view line);

  /// The layout of the table, if the last parsed line is its first.
  MosesLayout layout() const { return {line_.fields, scores_}; }

 private:
  void split_fields(std::string_view line, std::size_t least, std::size_t most, const char* expected,
                    const char* example);
  void parse_scores(std::string_view field);
  Probability read_score(std::size_t at) const;
  void parse_alignment(std::string_view field);
  void parse_counts(std::string_view field);

  bool named_;            // the scores
  std::uint32_t scores_;  // of every line; 0 before the first
  MosesLine line_;
  std::vector<std::string_view> fields_;
  std::vector<std::string_view> numbers_;
};

/// Writes a table as Moses text, in table order. Numbers have as few digits as read the same number back.
class MosesExporter {
 public:
  /// The vocabulary of the target words must outlive this object.
  MosesExporter(const Vocabulary& vocabulary, MosesLayout layout) : vocabulary_(vocabulary), layout_(layout) {}
  /// Writes the scores of the reordering model instead, as Moses' reordering table.
  static MosesExporter of_reordering(const Vocabulary& vocabulary) {
    MosesExporter exporter(vocabulary, {});
    exporter.is_reordering_ = true;
    return exporter;
  }

  /// The lines of the phrases.
  /// @throws InputError for a damaged value
  std::string text(const PhraseBatch& batch);

  std::uint64_t pairs() const { return pairs_; }
  /// Number of phrase pairs that were omitted because they contain "|||".
  std::uint64_t left_out() const { return left_out_; }

 private:
  bool append_option(std::string& text, std::string_view phrase, const StoredOption& option) const;

  const Vocabulary& vocabulary_;
  MosesLayout layout_;
  bool is_reordering_ = false;
  std::uint64_t pairs_ = 0, left_out_ = 0;
};

}  // namespace widl
