#include "phrase_table/table_writer.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "byte_reader.hpp"
#include "errors.hpp"
#include "phrase_table/table_format.hpp"
#include "text_fields.hpp"

namespace widl {
namespace {

constexpr std::uint64_t kSlotsPerPhrase = 4, kSlotsPerPhraseOf = 3;  // 1.33
// Rarer strings take less space written out: a code has up to four bytes, and its string must be stored, too.
constexpr std::array<std::uint64_t, kBooks> kMinUses = {2, 2, 3};

/// A file that is written from its beginning to its end.
class Output {
 public:
  explicit Output(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    if (!file_) fail();
    std::setvbuf(file_, nullptr, _IOFBF, ScratchFile::kBlock);
  }
  ~Output() {
    if (file_) std::fclose(file_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  std::uint64_t at() const { return at_; }
  void write(const void* bytes, std::size_t size) {
    if (size > 0 && std::fwrite(bytes, 1, size, file_) != size) fail();
    at_ += size;
  }
  void write(std::string_view bytes) { write(bytes.data(), bytes.size()); }
  /// Pads to a multiple of eight bytes, so that the next section is aligned.
  void align() { write(std::string_view("\0\0\0\0\0\0\0", (8 - at_ % 8) % 8)); }
  /// Overwrites the beginning, and closes the file.
  void finish(const void* bytes, std::size_t size) {
    if (std::fseek(file_, 0, SEEK_SET) != 0 || std::fwrite(bytes, 1, size, file_) != size) fail();
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw InputError(path_ + ": the phrase table can't be written: " + std::generic_category().message(errno));
  }

  const std::string& path_;
  std::FILE* file_;
  std::uint64_t at_ = 0;
};

TableHeader::Section written(Output& output, std::string_view bytes) {
  output.align();
  const TableHeader::Section section{output.at(), bytes.size()};
  output.write(bytes);
  return section;
}

TableHeader::Section written_words(Output& output, const std::vector<std::string_view>& words) {
  std::string text;
  for (std::string_view word : words) (text += word) += '\n';
  return written(output, text);
}

TableHeader::Book written_book(Output& output, const std::vector<std::string_view>& strings, std::uint64_t width) {
  TableHeader::Book book;
  std::string bytes;
  std::vector<std::uint32_t> ends;
  for (std::string_view text : strings) {
    bytes += text;
    if (bytes.size() > std::numeric_limits<std::uint32_t>::max())
      throw InputError("the phrase table has too many different scores");
    if (width == 0) ends.push_back(static_cast<std::uint32_t>(bytes.size()));
  }
  book.ends = written(output, {reinterpret_cast<const char*>(ends.data()), ends.size() * sizeof(std::uint32_t)});
  book.bytes = written(output, bytes);
  return book;
}

/// The index of the records, built while they are written.
class Index {
 public:
  explicit Index(std::uint64_t phrases) : slots_(phrases * kSlotsPerPhrase / kSlotsPerPhraseOf + 1) {}
  void add(std::uint64_t hash, std::uint64_t offset) {
    if (offset >= kOffsetMask) throw InputError("the phrase table is larger than a terabyte");
    std::uint64_t slot = first_slot(hash, slots_.size());
    while (slots_[slot] != 0) slot = slot + 1 == slots_.size() ? 0 : slot + 1;
    slots_[slot] = mark_of(hash) | (offset + 1);
  }
  std::string_view bytes() const {
    return {reinterpret_cast<const char*>(slots_.data()), slots_.size() * sizeof(std::uint64_t)};
  }

 private:
  std::vector<std::uint64_t> slots_;
};

}  // namespace

TableWriter::TableWriter(std::string path, const std::string& directory)
    : path_(std::move(path)), scratch_(directory) {}

void TableWriter::add(const PhraseBatch& batch) {
  for (std::size_t i = 0; i < batch.size(); ++i) add_phrase(batch.key(i), batch.value(i));
}

void TableWriter::add_phrase(std::string_view phrase, std::string_view value) {
  append_varint(block_, 1 + static_cast<std::size_t>(std::count(phrase.begin(), phrase.end(), ' ')));
  for_each_word(phrase, [&](std::string_view text) {
    const WordId word = source_words_.intern(text);
    if (word == source_uses_.size()) source_uses_.push_back(0);
    ++source_uses_[word];
    append_varint(block_, word);
  });
  OptionReader reader(value);
  if (further_scores_.value_or(reader.further_scores()) != reader.further_scores())
    throw InputError("all options need the same number of scores");
  further_scores_ = reader.further_scores();
  while (reader.next_strings([&](Book book, std::string_view text) { books_[book].count(text); })) {}
  append_text(block_, value);
  ++source_phrases_;
  if (block_.size() >= ScratchFile::kBlock) scratch_.append_block(block_);
}

std::uint64_t TableWriter::finish(ByteReader& reader, const WordNumbering& numbering, std::string& record) const {
  const std::uint64_t words = reader.number();
  std::uint64_t hash = kNoWords;
  append_varint(record, words);
  for (std::uint64_t left = words; left > 0; --left) {
    const WordId word = numbering(static_cast<WordId>(reader.number()));
    append_varint(record, word);
    hash = with_word(hash, word);
  }
  OptionReader options(reader.text());
  append_varint(record, options.size());
  while (options.copy_next(record, [&](Book book, std::string_view text) { return books_[book].code(text); })) {}
  return hash;
}

void TableWriter::finish(std::string_view metadata, const std::vector<std::string_view>& target_words) {
  scratch_.append_block(block_);
  const WordNumbering numbering(source_words_, source_uses_);
  for (std::size_t book = 0; book < books_.size(); ++book) books_[book].finish(kMinUses[book]);
  TableHeader header;
  header.source_phrases = source_phrases_;
  header.further_scores = further_scores_.value_or(0);
  Output output(path_);
  output.write(&header, sizeof header);
  header.records.at = output.at();
  Index index(source_phrases_);
  std::string record;
  for (ScratchFile::Blocks blocks(scratch_, 0, scratch_.size()); blocks.next();) {
    for (ByteReader reader(blocks.bytes()); !reader.at_end();) {
      record.clear();
      index.add(finish(reader, numbering, record), output.at() - header.records.at);
      output.write(record);
    }
  }
  header.records.size = output.at() - header.records.at;
  header.index = written(output, index.bytes());
  header.metadata = written(output, metadata);
  header.source_words = written_words(output, numbering.words());
  header.target_words = written_words(output, target_words);
  for (std::size_t book = 0; book < books_.size(); ++book)
    header.books[book] = written_book(output, books_[book].in_order(), kBookWidths[book]);
  output.align();
  header.file_size = output.at();
  output.finish(&header, sizeof header);
}

}  // namespace widl
