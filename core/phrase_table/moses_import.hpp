#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/vocabulary.hpp"
#include "phrase_table/moses_reordering.hpp"
#include "phrase_table/moses_text.hpp"
#include "phrase_table/scored_batch.hpp"
#include "phrase_table/word_numbering.hpp"

namespace widl {

/// First pass of reading a Moses text table with lines in any order. It collects the options and returns them as sorted
/// runs, which the caller stores in files for a RunMerger.
class MosesImporter {
 public:
  /// `scores`: number of scores per line; 0: taken from the first line.
  explicit MosesImporter(std::uint32_t scores = 0) : parser_(scores) {}

  /// Takes complete lines; the last line may lack its line end. Parsing can't continue after a faulty line. @throws
  /// InputError `LINE: problem`
  void parse(std::string_view lines);
  /// Takes complete lines of a reordering table, after all lines of the phrase table. @throws InputError like `parse`
  void parse_reordering(std::string_view lines);

  /// Memory used for options collected since the last run.
  std::size_t held() const { return arena_.size() + pieces_.size() * sizeof(Piece); }

  /// Ends the collection of a run and sorts it.
  void sort_run();
  /// The next bytes of the run, about `size` of them; none after the last, and then the next run may begin.
  std::string next_block(std::size_t size);

  std::uint64_t lines() const { return lines_; }
  std::uint64_t reordering_lines() const { return reordering_lines_; }
  std::uint32_t max_length() const { return max_length_; }
  const MosesLayout& layout() const { return layout_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  std::span<const std::uint64_t> uses() const { return uses_; }

 private:
  /// Options of consecutive lines with the same source phrase.
  struct Piece {
    std::size_t begin, value, end;  // key and value in the arena
    std::uint64_t first_line;
    std::uint32_t options;
  };

  void parse_line(std::string_view line);
  void parse_reordering_line(std::string_view line);
  template <class ParseLine>
  void for_each_line(std::string_view lines, std::uint64_t& number, ParseLine&& parse_line);
  void join_words(std::string_view phrase, std::string& key);
  void begin_piece(std::uint64_t line);
  WordId number_of(std::string_view word);

  Vocabulary vocabulary_;  // of target words, in the order of their appearance
  std::vector<std::uint64_t> uses_;
  MosesLayout layout_;
  MosesLineParser parser_;
  ReorderingLineParser reordering_parser_;
  std::uint64_t lines_ = 0, reordering_lines_ = 0;
  std::uint32_t max_length_ = 0;

  std::string arena_;
  std::vector<Piece> pieces_;
  std::size_t written_ = 0;  // of the pieces

  std::string key_, last_key_;
  std::vector<std::string_view> words_;
  std::vector<WordId> ids_;
};

/// Second pass: merges the runs into the values of a table, in the order of the keys' bytes.
class RunMerger {
 public:
  /// The importer and the runs must outlive this object.
  RunMerger(const MosesImporter& importer, std::vector<std::span<const std::byte>> runs);

  /// The options of the next source phrases; none at the end.
  /// @throws InputError `LINE: …` if a phrase pair occurs twice, or has no scores in the reordering table that was
  /// added
  std::optional<ScoredBatch> next();

  std::vector<std::string_view> words() const { return numbering_.words(); }

 private:
  struct Run {
    std::span<const std::byte> left;
    std::string_view key;
    std::uint64_t first_line = 0;
    std::span<const std::byte> value;
  };
  struct Option {
    StoredOption stored;
    std::size_t words, alignment, length;  // position of its words and links, and number of words
    std::size_t links;
    std::size_t more;  // where its further scores are
    std::uint64_t line;
    std::size_t orientation, scores;  // position and number of its reordering scores
  };

  bool advance(Run& run);
  void collect(const Run& run);
  void write_group(ScoredBatch& batch);
  void check_duplicates(std::string_view key);
  void join_reordering();
  std::string text_of(const Option& option) const;
  int compare(const Option& a, const Option& b) const;
  std::span<const WordId> words_of(const Option& option) const {
    return std::span(words_).subspan(option.words, option.length);
  }

  const MosesImporter& importer_;
  WordNumbering numbering_;
  std::vector<Run> runs_;
  std::vector<std::size_t> heap_;
  // State of the current source phrase:
  std::string key_;
  std::vector<Option> options_;
  std::vector<Option> reordering_;  // lines of the reordering table
  std::vector<WordId> words_;  // numbers of the importer's vocabulary
  std::vector<AlignmentPoint> alignment_;
  std::vector<Probability> orientation_;
  std::vector<Probability> more_;
  std::vector<std::uint32_t> order_;
};

}  // namespace widl
