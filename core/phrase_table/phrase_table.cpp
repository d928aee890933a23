#include "phrase_table/phrase_table.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "errors.hpp"
#include "phrase_table/phrase_words.hpp"

namespace widl {
namespace {

[[noreturn]] void damaged_table(const char* what) { throw InputError(std::string("damaged phrase table: ") + what); }

Probability probability_of(std::string_view bytes) {
  std::uint32_t bits = 0;
  if (bytes.size() < sizeof bits) damaged_table("a score is cut off");
  std::memcpy(&bits, bytes.data(), sizeof bits);
  const Probability probability = Probability::from_bits(bits);
  if (!probability.valid()) damaged_table("a score is no positive number");
  return probability;
}

Probability next_probability(ByteReader& reader) { return probability_of(reader.bytes(sizeof(std::uint32_t))); }

void read_words(std::string_view text, Vocabulary& vocabulary) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) damaged_table("a word is cut off");
    vocabulary.intern(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
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
  if (bytes.substr(0, TableHeader::kSameMagic) != magic.substr(0, TableHeader::kSameMagic)) throw InputError("not a phrase table");
  if (bytes.substr(0, magic.size()) != magic || bytes.size() < sizeof(TableHeader))
    throw InputError("a phrase table from a different version of widl");
  if (header().file_size != bytes.size())
    throw InputError("truncated phrase table: " + std::to_string(bytes.size()) + " bytes of " + std::to_string(header().file_size));
  const TableHeader& h = header();
  const auto require = [&](const TableHeader::Section& part) {
    if (part.at > bytes.size() || part.size > bytes.size() - part.at) damaged_table("a part of it is outside of the file");
  };
  for (const TableHeader::Section& part : {h.records, h.index, h.metadata, h.source_words, h.target_words}) require(part);
  for (const TableHeader::Book& book : h.books) {
    require(book.ends);
    require(book.bytes);
  }
  if (h.index.size < sizeof(std::uint64_t) || h.index.at % alignof(std::uint64_t) != 0) damaged_table("its index");
  const std::string_view index = section(h.index);
  slots_ = {reinterpret_cast<const std::uint64_t*>(index.data()), index.size() / sizeof(std::uint64_t)};
  read_words(section(header().source_words), source_words_);
  read_words(section(header().target_words), target_words_);
}

std::string_view PhraseTable::coded(ByteReader& reader, std::size_t number) const {
  const std::uint64_t code = reader.number();
  const std::size_t width = TableHeader::kWidths[number];
  if (code == 0) return width == 0 ? reader.text() : reader.bytes(width);
  const TableHeader::Book& book = header().books[number];
  const std::string_view bytes = section(book.bytes);
  if (width > 0) {
    if (code > bytes.size() / width) damaged_table("a code is not in its codebook");
    return bytes.substr((code - 1) * width, width);
  }
  const std::string_view ends = section(book.ends);
  if (code > ends.size() / sizeof(std::uint32_t)) damaged_table("a code is not in its codebook");
  const auto* end = reinterpret_cast<const std::uint32_t*>(ends.data()) + (code - 1);
  const std::uint32_t begin = code == 1 ? 0 : end[-1];
  if (begin > *end || *end > bytes.size()) damaged_table("a codebook is out of order");
  return bytes.substr(begin, *end - begin);
}

std::optional<PhraseTable::Options> PhraseTable::find(std::uint64_t hash, std::span<const WordId> words) const {
  const std::string_view records = section(header().records);
  std::uint64_t slot = first_slot(hash, slots_.size());
  for (std::uint64_t tried = 0; slots_[slot] != 0; slot = slot + 1 == slots_.size() ? 0 : slot + 1) {
    if (++tried > slots_.size()) damaged_table("its index is full");
    if ((slots_[slot] & ~kPlaceMask) != mark_of(hash)) continue;
    const std::uint64_t place = (slots_[slot] & kPlaceMask) - 1;
    if (place >= records.size()) damaged_table("a place is beyond the records");
    ByteReader reader(records.substr(place));
    if (reader.number() != words.size()) continue;
    bool same = true;
    for (WordId word : words) same = same && reader.number() == word;
    if (same) return Options(*this, reader);
  }
  return std::nullopt;
}

std::optional<PhraseTable::Options> PhraseTable::find(std::string_view phrase) const {
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

bool PhraseTable::Cursor::next(std::string& phrase, std::string* value) {
  if (rest_.at_end()) return false;
  phrase.clear();
  for (std::uint64_t left = rest_.number(); left > 0; --left) {
    const std::uint64_t word = rest_.number();
    if (word >= table_->source_words_.size()) damaged_table("a word is not in the vocabulary");
    if (!phrase.empty()) phrase += ' ';
    phrase += table_->source_words_.word(static_cast<WordId>(word));
  }
  Options options(*table_, rest_);
  if (value) {
    value->clear();
    options.append_value(*value);
  } else {
    for (StoredOption skipped; options.next_without_links(skipped);) {}
  }
  rest_ = options.rest();
  return true;
}

bool PhraseTable::Options::read_words(StoredOption& option) {
  if (read_ == size_) return false;
  ++read_;
  const std::uint64_t length = reader_.number(kMaxPhraseWords);
  words_.clear();
  for (std::uint64_t i = 0; i < length; ++i) {
    words_.push_back(static_cast<WordId>(reader_.number()));
    if (words_.back() >= table_->target_words_.size()) damaged_table("a word is not in the vocabulary");
  }
  option.words = words_;
  return true;
}

void PhraseTable::Options::read_statistics(StoredOption& option) {
  ByteReader statistics(table_->coded(reader_, TableHeader::kStatistics));
  for (std::uint32_t& count : option.counts) count = static_cast<std::uint32_t>(statistics.number());
  for (std::size_t i = 0; i < 2; ++i) option.probabilities[i] = next_probability(statistics);
  orientation_.clear();
  for (std::uint64_t left = statistics.number(); left > 0; --left) orientation_.push_back(next_probability(statistics));
  const auto score = [&] { return probability_of(table_->coded(reader_, TableHeader::kScores)); };
  for (std::size_t i = 2; i < 4; ++i) option.probabilities[i] = score();
  more_.clear();
  for (std::uint64_t left = table_->further_scores(); left > 0; --left) more_.push_back(score());
  option.more = more_;
  option.orientation = orientation_;
}

bool PhraseTable::Options::next(StoredOption& option) {
  if (!read_words(option)) return false;
  const std::size_t length = words_.size();
  ByteReader links(table_->coded(reader_, TableHeader::kLinks));
  alignment_.clear();
  for (std::uint64_t left = links.number(); left > 0; --left) {
    const std::uint64_t number = links.number();
    if (length == 0 || number / length > kMaxPhraseWords) damaged_table("a link is outside the phrase");
    alignment_.push_back({static_cast<std::uint16_t>(number / length), static_cast<std::uint16_t>(number % length)});
  }
  option.alignment = alignment_;
  read_statistics(option);
  return true;
}

bool PhraseTable::Options::next_without_links(StoredOption& option) {
  if (!read_words(option)) return false;
  skip_links(reader_);
  option.alignment = {};
  read_statistics(option);
  return true;
}

void PhraseTable::Options::append_value(std::string& value) {
  ValueWriter writer(value, size_ - read_);
  for (StoredOption option; next(option);) writer.add(option);
}

}  // namespace widl
