#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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
  static constexpr std::size_t kMostStrings = std::size_t{1} << 22;

  void count(std::string_view text) {
    auto entry = entries_.find(text);
    if (entry == entries_.end()) {
      if (entries_.size() == kMostStrings) return;
      entry = entries_.emplace(std::string(text), Entry()).first;
      order_.push_back(&*entry);
    }
    ++entry->second.count;
  }

  /// Ends the counting: assigns codes to strings that occurred at least `least` times. Among equally frequent strings,
  /// the first gets the smallest code.
  void finish(std::uint64_t least) {
    std::erase_if(order_, [&](const auto* entry) { return entry->second.count < least; });
    std::stable_sort(order_.begin(), order_.end(), [](auto* a, auto* b) { return a->second.count > b->second.count; });
    for (std::uint32_t rank = 0; rank < order_.size(); ++rank) order_[rank]->second.code = rank + 1;
  }

  /// From 1; 0 for a string that is spelled out.
  std::uint32_t code(std::string_view text) const {
    const auto entry = entries_.find(text);
    return entry == entries_.end() ? 0 : entry->second.code;
  }
  /// The strings that have codes, in code order.
  std::vector<std::string_view> in_order() const {
    std::vector<std::string_view> strings;
    for (const auto* entry : order_) strings.push_back(entry->first);
    return strings;
  }

 private:
  struct Entry {
    std::uint64_t count = 0;
    std::uint32_t code = 0;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Entries = std::unordered_map<std::string, Entry, Hash, std::equal_to<>>;

  Entries entries_;
  std::vector<Entries::value_type*> order_;  // entries do not move in memory
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
  std::string block_;  // phrases and values that are not yet in the scratch file
};

}  // namespace widl
