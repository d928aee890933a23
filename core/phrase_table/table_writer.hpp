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

/// Writes a phrase table file (TableHeader) in two passes. Phrases and values first go to a scratch file. When all words
/// and strings are counted, they are written to their places with their numbers and codes.
class TableWriter {
 public:
  /// `path`: an existing file; the scratch file is in `directory`. @throws InputError for a system error
  TableWriter(std::string path, const std::string& directory);

  /// Adds source phrases, each once; the table keeps their order. @throws InputError for a damaged value
  void add(const PhraseBatch& batch);
  /// Writes the file. `target_words`: the options' target words, by id. @throws InputError if the system call fails
  void finish(std::string_view metadata, const std::vector<std::string_view>& target_words);

  std::uint64_t source_phrases() const { return source_phrases_; }

 private:
  void add_phrase(std::string_view phrase, std::string_view value);
  /// Makes a record of a phrase and its value. Returns the hash of the phrase.
  std::uint64_t finish(ByteReader& reader, const WordNumbering& numbering, std::string& record) const;

  std::string path_;
  ScratchFile scratch_;
  Vocabulary source_words_;
  std::vector<std::uint64_t> source_uses_;
  std::array<CodebookBuilder, kBooks> books_;
  std::uint64_t source_phrases_ = 0;
  std::optional<std::size_t> further_scores_;  // of each option
  std::string block_;  // phrases and values that are not yet in the scratch file
};

}  // namespace widl
