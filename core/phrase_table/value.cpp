#include "phrase_table/value.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "errors.hpp"
#include "varint.hpp"

namespace widl {
namespace {

static_assert(std::endian::native == std::endian::little, "scores are stored in little endian");

// Length, links, scores, counts: no option is shorter.
constexpr std::size_t kMinOptionBytes = 1 + 1 + 4 * sizeof(float) + 3;

// Added to the length of a phrase whose option has more than four scores, or scores of a reordering model.
constexpr std::uint32_t kMoreScores = kMaxPhraseWords + 1;
constexpr std::uint32_t kOrientation = 2 * kMoreScores;

std::uint32_t bits_of(Probability probability) { return probability.bits(); }

[[noreturn]] void damaged(const char* what) {
  throw InputError(std::string("damaged phrase-table entry: ") + what);
}

}  // namespace

ValueWriter::ValueWriter(std::string& bytes, std::size_t options) : bytes_(bytes) {
  append_varint(bytes_, options);
}

void ValueWriter::add(const StoredOption& option) {
  const std::span words = option.words;
  if (words.size() > kMaxPhraseWords) throw InternalError("a phrase of up to 65535 words");
  if (!option.orientation.empty() && option.orientation.size() != kReorderingScores)
    throw InternalError("6 scores of a reordering model");
  append_varint(bytes_, words.size() | (option.more.empty() ? 0 : kMoreScores) |
                            (option.orientation.empty() ? 0 : kOrientation));
  for (WordId word : words) append_varint(bytes_, word);
  append_varint(bytes_, option.alignment.size());
  for (AlignmentPoint point : option.alignment)
    append_varint(bytes_, static_cast<std::uint32_t>(point.source * words.size() + point.target));
  std::array<std::uint32_t, 4> bits;
  std::transform(option.probabilities.begin(), option.probabilities.end(), bits.begin(), bits_of);
  bytes_.append(reinterpret_cast<const char*>(bits.data()), sizeof bits);
  for (std::uint32_t count : option.counts) append_varint(bytes_, count);
  for (const std::span<const Probability> scores : {option.more, option.orientation}) {
    if (!scores.empty()) append_varint(bytes_, scores.size());
    for (Probability score : scores) {
      const std::uint32_t its_bits = bits_of(score);
      bytes_.append(reinterpret_cast<const char*>(&its_bits), sizeof its_bits);
    }
  }
}

OptionReader::OptionReader(std::span<const std::byte> value, std::size_t vocabulary_size)
    : at_(value.data()), end_(value.data() + value.size()), vocabulary_size_(vocabulary_size) {
  size_ = integer();
  if (size_ > static_cast<std::size_t>(end_ - at_) / kMinOptionBytes) damaged("it announces more than it holds");
}

std::uint32_t OptionReader::integer() {
  std::uint32_t value = 0;
  for (unsigned shift = 0; shift < 35; shift += 7) {
    if (at_ == end_) damaged("it ends within a number");
    auto byte = static_cast<std::uint32_t>(*at_++);
    if (shift == 28 && byte > 0xf) break;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  damaged("a number has more than 32 bits");
}

Probability OptionReader::score() {
  std::uint32_t bits;
  if (static_cast<std::size_t>(end_ - at_) < sizeof bits) damaged("it ends within the scores");
  std::memcpy(&bits, at_, sizeof bits);
  at_ += sizeof bits;
  const Probability probability = Probability::from_bits(bits);
  if (!probability.valid()) damaged("a score is no positive number");
  return probability;
}

bool OptionReader::next(StoredOption& option) {
  if (read_ == size_) {
    if (at_ != end_) damaged("something follows its last option");
    return false;
  }
  ++read_;
  const std::uint32_t announced = integer();
  const bool has_more = (announced & kMoreScores) != 0, has_orientation = (announced & kOrientation) != 0;
  const std::uint32_t length = announced & ~(kMoreScores | kOrientation);
  // Each word and each link takes a byte at least, so a damaged length can't make memory run out.
  if (length > kMaxPhraseWords || length > static_cast<std::size_t>(end_ - at_))
    damaged("a phrase has an impossible length");
  words_.resize(length);
  for (WordId& word : words_) {
    word = integer();
    if (word >= vocabulary_size_) damaged("a word is not in the vocabulary");
  }
  const std::uint32_t links = integer();
  if (links > (length == 0 ? 0 : static_cast<std::size_t>(end_ - at_))) damaged("it has an impossible number of links");
  alignment_.resize(links);
  for (AlignmentPoint& point : alignment_) {
    const std::uint32_t number = integer();
    if (number / length > kMaxPhraseWords) damaged("a link is outside the phrase");
    point = {static_cast<std::uint16_t>(number / length), static_cast<std::uint16_t>(number % length)};
  }
  for (Probability& probability : option.probabilities) probability = score();
  for (std::uint32_t& count : option.counts) count = integer();
  more_.clear();
  if (has_more) {
    const std::uint32_t size = integer();
    if (size == 0 || size > static_cast<std::size_t>(end_ - at_) / sizeof(float))
      damaged("it has an impossible number of scores");
    for (std::uint32_t i = 0; i < size; ++i) more_.push_back(score());
  }
  option.more = more_;
  orientation_.clear();
  if (has_orientation) {
    const std::uint32_t size = integer();
    if (size != kReorderingScores) damaged("it has an impossible number of reordering scores");
    for (std::uint32_t i = 0; i < size; ++i) orientation_.push_back(score());
  }
  option.orientation = orientation_;
  option.words = words_;
  option.alignment = alignment_;
  return true;
}

}  // namespace widl
