#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "byte_reader.hpp"
#include "expression/vocabulary.hpp"
#include "phrase_table/codebook.hpp"
#include "phrase_table/table_format.hpp"
#include "phrase_table/word_numbering.hpp"
#include "scratch_file.hpp"

namespace widl {

/// Writes a phrase table file (TableHeader) in two passes. Records with provisional ids first go to a scratch file.
/// When all words and strings are counted, they are written to their places with the final ids.
class TableWriter {
 public:
  /// `path`: an existing file; the scratch file is in `directory`. @throws InputError for a system error
  TableWriter(std::string path, const std::string& directory);

  /// Adds a source phrase, its words joined by one space, and its options as ValueWriter writes them. Each phrase may
  /// be added once; the table keeps their order. @throws InputError for a damaged value
  void add(std::string_view phrase, std::span<const std::byte> value);
  /// Writes the file. `target_words`: the options' target words, by id. @throws InputError if the system call fails
  void finish(std::string_view metadata, const std::vector<std::string_view>& target_words);

  std::uint64_t source_phrases() const { return source_phrases_; }

 private:
  void add(const StoredOption& option);
  void add_code(std::size_t book, std::string_view text);
  void add_score(Probability score);
  void spill();

  // Appends the next number of the scratch file to the record unchanged, and returns it.
  static std::uint64_t finish_number(ByteReader& reader, std::string& record);
  /// Returns the hash of the phrase.
  static std::uint64_t finish_phrase(ByteReader& reader, const WordNumbering& numbering, std::string& record);
  void finish_option(ByteReader& reader, std::string& record) const;
  void finish_code(ByteReader& reader, std::size_t book, std::string& record) const;

  std::string path_;
  ScratchFile scratch_;
  Vocabulary source_words_;
  std::vector<std::uint64_t> source_uses_;
  std::array<CodebookBuilder, TableHeader::kBooks> books_;
  std::uint64_t source_phrases_ = 0;
  std::optional<std::size_t> further_scores_;  // of each option
  std::string block_;  // records that are not yet in the scratch file
  std::string text_;   // of a codebook
};

}  // namespace widl
