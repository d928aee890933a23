#include "phrase_table/stored_option.hpp"

#include <algorithm>

#include "byte_reader.hpp"
#include "errors.hpp"

namespace widl {
namespace {

constexpr std::size_t kMinOptionBytes = 4;  // length, links, statistics, score: no option is shorter

void append_probability(std::string& bytes, Probability probability) {
  const std::uint32_t bits = probability.bits();
  bytes.append(reinterpret_cast<const char*>(&bits), sizeof bits);
}

Probability next_probability(ByteReader& reader) {
  const Probability probability = Probability::from_bits(reader.word32());
  if (!probability.valid()) reader.fail("a score is no positive number");
  return probability;
}

/// Order of two words in a line, in which a space follows each word.
int compare_words(std::string_view a, std::string_view b) {
  const std::size_t common = std::min(a.size(), b.size());
  if (int order = a.substr(0, common).compare(b.substr(0, common))) return order;
  if (a.size() == b.size()) return 0;
  const bool a_is_longer = a.size() > b.size();
  return (static_cast<unsigned char>((a_is_longer ? a : b)[common]) > ' ') == a_is_longer ? 1 : -1;
}

}  // namespace

int compare_phrases(const Vocabulary& vocabulary, std::span<const WordId> a, std::span<const WordId> b) {
  constexpr std::string_view kEnd = "|||";  // follows a phrase
  const auto [at_a, at_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (at_a == a.end() && at_b == b.end()) return 0;
  return compare_words(at_a == a.end() ? kEnd : vocabulary.word(*at_a),
                       at_b == b.end() ? kEnd : vocabulary.word(*at_b));
}

void append_words(std::string& bytes, std::span<const WordId> words) {
  append_varint(bytes, words.size());
  for (WordId word : words) append_varint(bytes, word);
}

void append_string(std::string& bytes, Book book, std::uint32_t code, std::string_view text) {
  append_varint(bytes, code);
  if (code != 0) return;
  if (kBookWidths[book] == 0) append_varint(bytes, text.size());
  bytes += text;
}

void ValueWriter::append_head(std::string& bytes, std::size_t options, std::size_t further_scores) {
  append_varint(bytes, options);
  append_varint(bytes, further_scores);
}

void ValueWriter::add(const StoredOption& option) {
  if (option.words.size() > kMaxPhraseWords) throw InternalError("a phrase of up to 65535 words");
  append_words(bytes_, option.words);
  text_.clear();
  append_varint(text_, option.alignment.size());
  for (AlignmentPoint point : option.alignment) append_varint(text_, point.source * option.words.size() + point.target);
  append_string(bytes_, kLinks, 0, text_);
  text_.clear();
  for (std::uint32_t count : option.counts) append_varint(text_, count);
  for (std::size_t i = 0; i < 2; ++i) append_probability(text_, option.probabilities[i]);
  append_varint(text_, option.orientation.size());
  for (Probability score : option.orientation) append_probability(text_, score);
  append_string(bytes_, kStatistics, 0, text_);
  for (std::size_t i = 2; i < 4; ++i) add_score(option.probabilities[i]);
  for (Probability score : option.more) add_score(score);
}

void ValueWriter::add_score(Probability score) {
  text_.clear();
  append_probability(text_, score);
  append_string(bytes_, kScores, 0, text_);
}

OptionReader::OptionReader(std::string_view value, std::size_t vocabulary_size)
    : reader_(value, "phrase-table entry"),
      vocabulary_size_(vocabulary_size),
      size_(reader_.number()),
      further_scores_(reader_.number()) {
  if (size_ > reader_.left() / kMinOptionBytes) reader_.fail("it announces more than it holds");
}

OptionReader::OptionReader(ByteReader record, std::size_t further_scores, std::size_t vocabulary_size,
                           const Codebooks& books)
    : reader_(record),
      vocabulary_size_(vocabulary_size),
      books_(&books),
      size_(reader_.number()),
      further_scores_(further_scores) {}

bool OptionReader::read_words() {
  if (read_ == size_) {
    if (!books_ && !reader_.at_end()) reader_.fail("extra data follows its last option");
    return false;
  }
  ++read_;
  const std::uint64_t length = reader_.number(kMaxPhraseWords);
  words_.clear();
  for (std::uint64_t i = 0; i < length; ++i) {
    words_.push_back(static_cast<WordId>(reader_.number()));
    if (words_.back() >= vocabulary_size_) reader_.fail("a word is not in the vocabulary");
  }
  return true;
}

std::string_view OptionReader::string(Book book) {
  const std::uint64_t code = reader_.number();
  const std::size_t width = kBookWidths[book];
  if (code == 0) return width == 0 ? reader_.text() : reader_.bytes(width);
  const Codebook codebook = books_ ? (*books_)[book] : Codebook();
  if (code > (width == 0 ? codebook.ends.size() : codebook.bytes.size() / width))
    reader_.fail("a code is not in its codebook");
  if (width > 0) return codebook.bytes.substr((code - 1) * width, width);
  const std::uint32_t begin = code == 1 ? 0 : codebook.ends[code - 2], end = codebook.ends[code - 1];
  if (begin > end || end > codebook.bytes.size()) reader_.fail("a codebook is out of order");
  return codebook.bytes.substr(begin, end - begin);
}

bool OptionReader::next(StoredOption& option) {
  if (!read_words()) return false;
  ByteReader links = reader_.within(string(kLinks));
  alignment_.clear();
  for (std::uint64_t left = links.number(); left > 0; --left) {
    const std::uint64_t number = links.number(), length = words_.size();
    if (length == 0 || number / length > kMaxPhraseWords) links.fail("a link is outside the phrase");
    alignment_.push_back({static_cast<std::uint16_t>(number / length), static_cast<std::uint16_t>(number % length)});
  }
  option.alignment = alignment_;
  read_statistics(option);
  return true;
}

bool OptionReader::next_without_links(StoredOption& option) {
  if (!read_words()) return false;
  if (reader_.number() == 0) reader_.text();
  option.alignment = {};
  read_statistics(option);
  return true;
}

void OptionReader::read_statistics(StoredOption& option) {
  ByteReader statistics = reader_.within(string(kStatistics));
  for (std::uint32_t& count : option.counts) count = static_cast<std::uint32_t>(statistics.number());
  for (std::size_t i = 0; i < 2; ++i) option.probabilities[i] = next_probability(statistics);
  orientation_.clear();
  for (std::uint64_t left = statistics.number(); left > 0; --left) orientation_.push_back(next_probability(statistics));
  const auto score = [&] {
    ByteReader bits = reader_.within(string(kScores));
    return next_probability(bits);
  };
  for (std::size_t i = 2; i < 4; ++i) option.probabilities[i] = score();
  more_.clear();
  for (std::size_t left = further_scores_; left > 0; --left) more_.push_back(score());
  option.words = words_;
  option.more = more_;
  option.orientation = orientation_;
}

void OptionList::clear() {
  options_.clear();
  words_.clear();
  alignment_.clear();
  more_.clear();
  orientation_.clear();
}

void OptionList::add(const StoredOption& option) {
  options_.push_back({option, words_.size(), alignment_.size(), more_.size(), orientation_.size()});
  words_.insert(words_.end(), option.words.begin(), option.words.end());
  alignment_.insert(alignment_.end(), option.alignment.begin(), option.alignment.end());
  more_.insert(more_.end(), option.more.begin(), option.more.end());
  orientation_.insert(orientation_.end(), option.orientation.begin(), option.orientation.end());
}

StoredOption OptionList::operator[](std::size_t i) const {
  const Slice& slice = options_[i];
  StoredOption option = slice.option;
  option.words = std::span(words_).subspan(slice.words, option.words.size());
  option.alignment = std::span(alignment_).subspan(slice.alignment, option.alignment.size());
  option.more = std::span(more_).subspan(slice.more, option.more.size());
  option.orientation = std::span(orientation_).subspan(slice.orientation, option.orientation.size());
  return option;
}

PhraseBatch::PhraseBatch(std::string_view bytes) {
  ByteReader reader(bytes);
  pairs = reader.number();
  occurrences = reader.number();
  while (!reader.at_end()) {
    keys += reader.text();
    values += reader.text();
    end_phrase();
  }
}

std::string PhraseBatch::serialized() const {
  std::string bytes;
  append_varint(bytes, pairs);
  append_varint(bytes, occurrences);
  for (std::size_t i = 0; i < size(); ++i) {
    append_text(bytes, key(i));
    append_text(bytes, value(i));
  }
  return bytes;
}

}  // namespace widl
