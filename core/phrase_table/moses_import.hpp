#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "byte_reader.hpp"
#include "expression/vocabulary.hpp"
#include "phrase_table/moses_text.hpp"
#include "phrase_table/stored_option.hpp"
#include "phrase_table/table_format.hpp"
#include "scratch_file.hpp"

namespace widl {

/// First pass of reading a Moses text table with lines in any order. It collects options, and writes them to a temporary
/// file as sorted runs.
class MosesImporter {
 public:
  /// `memory`: bytes of options that a run holds. `scores`: number of scores per line; 0: taken from the first line.
  MosesImporter(const std::string& directory, std::size_t memory, std::uint32_t scores = 0)
      : file_(directory), memory_(memory), parser_(scores) {}

  /// Takes complete lines; the last line may lack its line end. Parsing can't continue after a faulty line. @throws
  /// InputError `LINE: problem`
  void parse(std::string_view lines);
  /// Takes complete lines of a reordering table, after all lines of the phrase table. @throws InputError like `parse`
  void parse_reordering(std::string_view lines);

  std::uint64_t lines() const { return lines_; }
  std::uint64_t reordering_lines() const { return reordering_lines_; }
  std::uint32_t max_length() const { return max_length_; }
  const MosesLayout& layout() const { return layout_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  std::span<const std::uint64_t> uses() const { return uses_; }

 private:
  friend class RunMerger;  // the runs

  /// Options of consecutive lines with the same source phrase.
  struct Piece {
    std::size_t begin, value, end;  // key and value in the arena
    std::uint64_t first_line;
    std::uint32_t options, further_scores;
  };

  template <class ParseLine>
  void for_each_line(std::string_view lines, std::uint64_t& number, ParseLine&& parse_line);
  void parse_line(std::string_view line);
  void parse_reordering_line(std::string_view line);
  void add(const std::vector<std::string_view>& source, std::uint64_t line, const StoredOption& option);
  WordId number_of(std::string_view word);
  void write_run();

  ScratchFile file_;
  std::size_t memory_;
  std::vector<std::uint64_t> run_ends_{0};  // in the file; and its begin
  Vocabulary vocabulary_;                   // of target words, in the order of their appearance
  std::vector<std::uint64_t> uses_;
  MosesLayout layout_;
  MosesLineParser parser_;
  std::uint64_t lines_ = 0, reordering_lines_ = 0;
  std::uint32_t max_length_ = 0;

  std::string arena_;
  std::vector<Piece> pieces_;
  std::string key_, last_key_;
  std::vector<WordId> ids_;
};

/// Second pass: merges the runs into the values of a table, in the order of the keys' bytes.
class RunMerger {
 public:
  /// The importer must outlive this object.
  explicit RunMerger(MosesImporter& importer);

  /// The options of the next source phrases; none at the end.
  /// @throws InputError `LINE: …` if a phrase pair occurs twice, or has no scores in the reordering table that was
  /// added
  std::optional<PhraseBatch> next();

  std::vector<std::string_view> words() const { return numbering_.words(); }

 private:
  struct Run {
    ScratchFile::Blocks blocks;
    ByteReader left;
    std::string_view key;
    std::uint64_t first_line = 0;
    std::string_view value;
  };
  /// The options of a phrase from one of the tables.
  struct Lines {
    OptionList options;
    std::vector<std::uint64_t> numbers;
    void clear() {
      options.clear();
      numbers.clear();
    }
    std::size_t size() const { return numbers.size(); }
  };

  static bool advance(Run& run);
  void collect(const Run& run);
  void write_group(PhraseBatch& batch);
  int compare(std::span<const WordId> a, std::span<const WordId> b) const;
  std::vector<std::uint32_t> in_text_order(const Lines& lines) const;
  void check_duplicates(const std::vector<std::uint32_t>& order) const;
  std::vector<std::uint32_t> reordering_lines_of(const std::vector<std::uint32_t>& order) const;
  std::string name_of(const StoredOption& option) const;

  const MosesImporter& importer_;
  WordNumbering numbering_;
  std::vector<Run> runs_;
  std::vector<std::size_t> heap_;
  // State of the current source phrase:
  std::string key_;
  Lines lines_, reordering_;
};

}  // namespace widl
