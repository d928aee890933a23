#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "byte_reader.hpp"
#include "expression/vocabulary.hpp"
#include "phrase_table/table_format.hpp"

namespace widl {

/// A phrase table in a mapped file (TableHeader), which any number of threads may read.
class PhraseTable {
 public:
  /// @throws InputError for a file that is missing, is not a table, has a different version, or is truncated
  explicit PhraseTable(const std::string& path);

  std::string_view metadata() const { return section(header().metadata); }
  const Vocabulary& target_vocabulary() const { return target_words_; }
  std::uint64_t source_phrases() const { return header().source_phrases; }
  /// Scores of an option after the first four.
  std::uint64_t further_scores() const { return header().further_scores; }

  /// The number of a source word; none if no phrase contains it.
  std::optional<WordId> source_word(std::string_view word) const { return source_words_.find(word); }
  void prefetch_word(std::string_view word) const { source_words_.prefetch(word); }

  /// The options of a source phrase.
  class Options;

  /// Prefetches the index slot of this hash (with_word).
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[first_slot(hash, slots_.size())]); }
  /// The options of a phrase of this hash; none if the table lacks it.
  std::optional<Options> find(std::uint64_t hash, std::span<const WordId> words) const;
  std::optional<Options> find(std::string_view phrase) const;

  /// Iterates over all source phrases in the order in which they were added.
  class Cursor {
   public:
    explicit Cursor(const PhraseTable& table) : table_(&table), rest_(table.section(table.header().records)) {}
    /// The next phrase and, unless it is null, its options as ValueWriter writes them; false after the last.
    bool next(std::string& phrase, std::string* value);

   private:
    const PhraseTable* table_;
    ByteReader rest_;
  };

 private:
  /// A file that is mapped for reading.
  class Mapped {
   public:
    explicit Mapped(const std::string& path);
    ~Mapped();
    Mapped(const Mapped&) = delete;
    Mapped& operator=(const Mapped&) = delete;
    std::string_view bytes() const { return {begin_, size_}; }

   private:
    const char* begin_ = nullptr;
    std::size_t size_ = 0;
  };

  const TableHeader& header() const { return *reinterpret_cast<const TableHeader*>(file_->bytes().data()); }
  std::string_view section(const TableHeader::Section& section) const {
    return file_->bytes().substr(section.at, section.size);
  }
  /// A codebook string; its code or text is next. @throws InputError
  std::string_view coded(ByteReader& reader, std::size_t book) const;
  static void skip_links(ByteReader& reader) {
    if (reader.number() == 0) reader.text();
  }

  std::unique_ptr<Mapped> file_;
  std::span<const std::uint64_t> slots_;
  Vocabulary source_words_, target_words_;
};

/// Reads options sequentially. @throws InputError for a damaged record
class PhraseTable::Options {
 public:
  Options(const PhraseTable& table, ByteReader reader) : table_(&table), reader_(reader), size_(reader_.number()) {}

  std::uint64_t size() const { return size_; }
  /// Decodes the next option; false after the last. Its spans are valid until the next call.
  bool next(StoredOption& option);
  /// Like `next`, but skips the links, which search does not need.
  bool next_without_links(StoredOption& option);
  /// The remaining options, in ValueWriter's format.
  void append_value(std::string& value);
  /// The bytes after the last option; valid once this option is read.
  ByteReader rest() const { return reader_; }

 private:
  bool read_words(StoredOption& option);
  void read_statistics(StoredOption& option);

  const PhraseTable* table_;
  ByteReader reader_;
  std::uint64_t size_, read_ = 0;
  std::vector<WordId> words_;
  std::vector<AlignmentPoint> alignment_;
  std::vector<Probability> more_, orientation_;
};

}  // namespace widl
