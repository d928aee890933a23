#include "phrase_table/value.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "errors.hpp"

namespace widl {
namespace {

static_assert(std::endian::native == std::endian::little, "scores are stored in little endian");

// A phrase longer than this is damage; it also keeps a link's number within 32 bits.
constexpr std::uint32_t kMaxWords = 0xffff;
// Length, word, links, scores, counts: no option is shorter.
constexpr std::size_t kMinOptionBytes = 1 + 1 + 1 + 4 * sizeof(float) + 3;

void append_integer(std::string& bytes, std::uint32_t value) {
  while (value >= 0x80) {
    bytes.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  bytes.push_back(static_cast<char>(value));
}

[[noreturn]] void damaged(const char* what) {
  throw InputError(std::string("damaged phrase-table entry: ") + what);
}

}  // namespace

ValueWriter::ValueWriter(std::string& bytes, std::size_t options) : bytes_(bytes) {
  append_integer(bytes_, static_cast<std::uint32_t>(options));
}

void ValueWriter::add(std::span<const WordId> words, const std::array<double, 4>& probabilities,
                      const std::array<std::uint32_t, 3>& counts,
                      std::span<const AlignmentPoint> alignment) {
  if (words.empty() || words.size() > kMaxWords) throw InternalError("a phrase of 1 to 65535 words");
  append_integer(bytes_, static_cast<std::uint32_t>(words.size()));
  for (WordId word : words) append_integer(bytes_, word);
  append_integer(bytes_, static_cast<std::uint32_t>(alignment.size()));
  for (AlignmentPoint point : alignment)
    append_integer(bytes_, static_cast<std::uint32_t>(point.source * words.size() + point.target));
  std::array<float, 4> scores;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!(probabilities[i] > 0 && probabilities[i] <= 1)) throw InternalError("a probability in (0, 1]");
    scores[i] = std::max(static_cast<float>(probabilities[i]), std::numeric_limits<float>::min());
  }
  bytes_.append(reinterpret_cast<const char*>(scores.data()), sizeof scores);
  for (std::uint32_t count : counts) append_integer(bytes_, count);
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

bool OptionReader::next(PhraseOption& option) {
  if (read_ == size_) {
    if (at_ != end_) damaged("something follows its last option");
    return false;
  }
  ++read_;
  begin_ = at_;
  const std::uint32_t length = integer();
  // Each word and each link takes a byte at least, so a damaged length can't make memory run out.
  if (length == 0 || length > kMaxWords || length > static_cast<std::size_t>(end_ - at_))
    damaged("a phrase has an impossible length");
  words_.resize(length);
  for (WordId& word : words_) {
    word = integer();
    if (word >= vocabulary_size_) damaged("a word is not in the vocabulary");
  }
  const std::uint32_t links = integer();
  if (links > static_cast<std::size_t>(end_ - at_)) damaged("it has an impossible number of links");
  alignment_.resize(links);
  for (AlignmentPoint& point : alignment_) {
    const std::uint32_t number = integer();
    if (number / length > kMaxWords) damaged("a link is outside the phrase");
    point = {static_cast<std::uint16_t>(number / length), static_cast<std::uint16_t>(number % length)};
  }
  if (static_cast<std::size_t>(end_ - at_) < sizeof option.log_scores) damaged("it ends within the scores");
  std::memcpy(option.log_scores.data(), at_, sizeof option.log_scores);
  at_ += sizeof option.log_scores;
  for (float& score : option.log_scores) {
    if (!(score > 0 && score <= 1)) damaged("a probability is not in (0, 1]");
    score = std::log(score);
  }
  for (std::uint32_t& count : option.counts) count = integer();
  option.words = words_;
  option.alignment = alignment_;
  return true;
}

}  // namespace widl
