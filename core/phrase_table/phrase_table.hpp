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

  /// The number of a source word; none if no phrase contains it.
  std::optional<WordId> source_word(std::string_view word) const { return source_words_.find(word); }
  void prefetch_word(std::string_view word) const { source_words_.prefetch(word); }

  /// Prefetches the index slot of this hash (with_word).
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[first_slot(hash, slots_.size())]); }
  /// The options of a phrase of this hash; none if the table lacks it.
  std::optional<OptionReader> find(std::uint64_t hash, std::span<const WordId> words) const;
  std::optional<OptionReader> find(std::string_view phrase) const;

  /// Iterates over all source phrases in the order in which they were added.
  class Cursor {
   public:
    explicit Cursor(const PhraseTable& table)
        : table_(&table), rest_(table.section(table.header().records), "phrase table") {}
    /// Appends the next phrase to the batch's keys and, if they are wanted, its options to the batch; false after the
    /// last.
    bool next(PhraseBatch& batch, bool with_options);

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
  OptionReader options(ByteReader record) const {
    return OptionReader(record, header().further_scores, target_words_.size(), books_);
  }

  std::unique_ptr<Mapped> file_;
  std::span<const std::uint64_t> slots_;
  Codebooks books_;
  Vocabulary source_words_, target_words_;
};

/// Appends the remaining options of a reader to the batch, as the value of its last key.
void append_value(PhraseBatch& batch, OptionReader& options);

}  // namespace widl
