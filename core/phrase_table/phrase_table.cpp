#include "phrase_table/phrase_table.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "errors.hpp"
#include "phrase_table/table_format.hpp"
#include "text_fields.hpp"

namespace widl {
namespace {

constexpr const char* kWhat = "phrase table";

[[noreturn]] void damaged_table(const char* what) { throw InputError(std::string("damaged phrase table: ") + what); }

void read_words(std::string_view text, Vocabulary& vocabulary) {
  if (!text.empty() && text.back() != '\n') damaged_table("a word is cut off");
  while (!text.empty()) vocabulary.intern(take_line(text));
}

}  // namespace

PhraseTable::Mapped::Mapped(const std::string& path) {
  const auto fail = [&] { throw InputError("can't be read: " + std::generic_category().message(errno)); };
  const int handle = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0) fail();
  struct stat status;
  const bool has_status = fstat(handle, &status) == 0;
  if (has_status && S_ISREG(status.st_mode) && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    void* mapped = mmap(nullptr, size_, PROT_READ, MAP_SHARED, handle, 0);
    if (mapped != MAP_FAILED) begin_ = static_cast<const char*>(mapped);
  }
  const int error = errno;
  close(handle);
  errno = error;
  if (!has_status || (size_ > 0 && !begin_)) fail();
}

PhraseTable::Mapped::~Mapped() {
  if (begin_) munmap(const_cast<char*>(begin_), size_);
}

PhraseTable::PhraseTable(const std::string& path) : file_(std::make_unique<Mapped>(path)) {
  const std::string_view bytes = file_->bytes();
  const std::string_view magic(TableHeader::kMagic.data(), TableHeader::kMagic.size());
  if (bytes.substr(0, TableHeader::kSameMagic) != magic.substr(0, TableHeader::kSameMagic))
    throw InputError("not a phrase table");
  if (bytes.substr(0, magic.size()) != magic || bytes.size() < sizeof(TableHeader))
    throw InputError("a phrase table from a different version of widl");
  if (header().file_size != bytes.size())
    throw InputError("truncated phrase table: " + std::to_string(bytes.size()) + " bytes of " +
                     std::to_string(header().file_size));
  const TableHeader& h = header();
  const auto require = [&](const TableHeader::Section& part) {
    if (part.at > bytes.size() || part.size > bytes.size() - part.at)
      damaged_table("a part of it is outside of the file");
  };
  for (const TableHeader::Section& part : {h.records, h.index, h.metadata, h.source_words, h.target_words})
    require(part);
  for (const TableHeader::Book& book : h.books) {
    require(book.ends);
    require(book.bytes);
  }
  for (std::size_t book = 0; book < kBooks; ++book) {
    const std::string_view ends = section(h.books[book].ends);
    if (h.books[book].ends.at % alignof(std::uint32_t) != 0) damaged_table("a codebook");
    books_[book] = {{reinterpret_cast<const std::uint32_t*>(ends.data()), ends.size() / sizeof(std::uint32_t)},
                    section(h.books[book].bytes)};
  }
  if (h.index.size < sizeof(std::uint64_t) || h.index.at % alignof(std::uint64_t) != 0) damaged_table("its index");
  const std::string_view index = section(h.index);
  slots_ = {reinterpret_cast<const std::uint64_t*>(index.data()), index.size() / sizeof(std::uint64_t)};
  read_words(section(header().source_words), source_words_);
  read_words(section(header().target_words), target_words_);
}

std::optional<OptionReader> PhraseTable::find(std::uint64_t hash, std::span<const WordId> words) const {
  const std::string_view records = section(header().records);
  std::uint64_t slot = first_slot(hash, slots_.size());
  for (std::uint64_t tried = 0; slots_[slot] != 0; slot = slot + 1 == slots_.size() ? 0 : slot + 1) {
    if (++tried > slots_.size()) damaged_table("its index is full");
    if ((slots_[slot] & ~kOffsetMask) != mark_of(hash)) continue;
    const std::uint64_t offset = (slots_[slot] & kOffsetMask) - 1;
    if (offset >= records.size()) damaged_table("a place is beyond the records");
    ByteReader reader(records.substr(offset), kWhat);
    if (reader.number() != words.size()) continue;
    bool same = true;
    for (WordId word : words) same = same && reader.number() == word;
    if (same) return options(reader);
  }
  return std::nullopt;
}

std::optional<OptionReader> PhraseTable::find(std::string_view phrase) const {
  std::vector<WordId> words;
  std::uint64_t hash = kNoWords;
  bool in_table = true;
  for_each_word(phrase, [&](std::string_view text) {
    const std::optional<WordId> word = source_word(text);
    in_table = in_table && word;
    if (!in_table) return;
    words.push_back(*word);
    hash = with_word(hash, *word);
  });
  return in_table ? find(hash, words) : std::nullopt;
}

bool PhraseTable::Cursor::next(PhraseBatch& batch, bool with_options) {
  if (rest_.at_end()) return false;
  for (std::uint64_t words = rest_.number(), left = words; left > 0; --left) {
    const std::uint64_t word = rest_.number();
    if (word >= table_->source_words_.size()) damaged_table("a word is not in the vocabulary");
    if (left < words) batch.keys += ' ';
    batch.keys += table_->source_words_.word(static_cast<WordId>(word));
  }
  OptionReader options = table_->options(rest_);
  if (with_options) {
    append_value(batch, options);
  } else {
    while (options.next_strings([](Book, std::string_view) {})) {}
    batch.end_phrase();
  }
  rest_ = options.rest();
  return true;
}

void append_value(PhraseBatch& batch, OptionReader& options) {
  ValueWriter::append_head(batch.values, options.size(), options.further_scores());
  while (options.copy_next(batch.values, [](Book, std::string_view) { return std::uint32_t{0}; })) {}
  batch.end_phrase();
}

}  // namespace widl
