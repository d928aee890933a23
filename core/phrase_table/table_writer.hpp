#pragma once

#include <algorithm>
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
#include "phrase_table/table_format.hpp"
#include "scratch_file.hpp"

namespace widl {

/// Counts the strings of a table's book, and numbers them by decreasing count, so that frequent strings have short
/// numbers. Rare strings have no number.
class CodebookBuilder {
 public:
  /// Maximum number of distinct strings that are counted, to bound memory. Later new strings get no number.
  static constexpr std::size_t kMaxStrings = std::size_t{1} << 22;

  void count(std::string_view text) {
    if (strings_.size() == kMaxStrings && !strings_.find(text)) return;
    const WordId string = strings_.intern(text);
    if (string == counts_.size()) counts_.push_back(0);
    ++counts_[string];
  }

  /// Ends the counting: assigns codes to strings that occurred at least `least` times. Among equally frequent strings,
  /// the first gets the smallest code.
  void finish(std::uint64_t least) {
    for (WordId string = 0; string < counts_.size(); ++string)
      if (counts_[string] >= least) order_.push_back(string);
    std::stable_sort(order_.begin(), order_.end(), [&](WordId a, WordId b) { return counts_[a] > counts_[b]; });
    codes_.resize(counts_.size());
    for (std::uint32_t rank = 0; rank < order_.size(); ++rank) codes_[order_[rank]] = rank + 1;
  }

  /// From 1; 0 for a string that is spelled out.
  std::uint32_t code(std::string_view text) const {
    const std::optional<WordId> string = strings_.find(text);
    return string ? codes_[*string] : 0;
  }
  /// The strings that have codes, in code order.
  std::vector<std::string_view> in_order() const {
    std::vector<std::string_view> strings;
    for (WordId string : order_) strings.push_back(strings_.word(string));
    return strings;
  }

 private:
  Vocabulary strings_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> codes_;
  std::vector<WordId> order_;  // the strings that have codes
};

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
  std::string block_;                          // phrases and values that are not yet in the scratch file
};

}  // namespace widl
