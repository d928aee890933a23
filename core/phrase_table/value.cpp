#include "phrase_table/value.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "errors.hpp"
#include "phrase_table/varint.hpp"

namespace widl {
namespace {

static_assert(std::endian::native == std::endian::little, "scores are stored in little endian");

// Length, word, links, scores, counts: no option is shorter.
constexpr std::size_t kMinOptionBytes = 1 + 1 + 1 + 4 * sizeof(float) + 3;

// Added to the length of a phrase whose option has extra text.
constexpr std::uint32_t kExtraText = kMaxPhraseWords + 1;
// The same of one with scores of a reordering model.
constexpr std::uint32_t kOrientation = 2 * kExtraText;

[[noreturn]] void damaged(const char* what) {
  throw InputError(std::string("damaged phrase-table entry: ") + what);
}

}  // namespace

ValueWriter::ValueWriter(std::string& bytes, std::size_t options) : bytes_(bytes) {
  append_varint(bytes_, options);
}

void ValueWriter::add(std::span<const WordId> words, const std::array<double, 4>& probabilities,
                      const std::array<std::uint32_t, 3>& counts,
                      std::span<const AlignmentPoint> alignment) {
  StoredOption option{words, {}, counts, alignment, {}, {}};
  std::transform(probabilities.begin(), probabilities.end(), option.probabilities.begin(), Probability::of);
  add(option);
}

void ValueWriter::add(const StoredOption& option) {
  const std::span words = option.words;
  if (words.empty() || words.size() > kMaxPhraseWords) throw InternalError("a phrase of 1 to 65535 words");
  if (option.orientation.size() > OrientationModel::kMostScores) throw InternalError("at most 8 scores of a reordering model");
  append_varint(bytes_, words.size() | (option.extra.empty() ? 0 : kExtraText) |
                            (option.orientation.empty() ? 0 : kOrientation));
  for (WordId word : words) append_varint(bytes_, word);
  append_varint(bytes_, option.alignment.size());
  for (AlignmentPoint point : option.alignment)
    append_varint(bytes_, static_cast<std::uint32_t>(point.source * words.size() + point.target));
  std::array<std::uint32_t, 4> bits;
  std::transform(option.probabilities.begin(), option.probabilities.end(), bits.begin(),
                 [](Probability p) { return p.bits(); });
  bytes_.append(reinterpret_cast<const char*>(bits.data()), sizeof bits);
  for (std::uint32_t count : option.counts) append_varint(bytes_, count);
  if (!option.orientation.empty()) {
    append_varint(bytes_, option.orientation.size());
    for (Probability p : option.orientation) {
      const std::uint32_t one = p.bits();
      bytes_.append(reinterpret_cast<const char*>(&one), sizeof one);
    }
  }
  if (option.extra.empty()) return;
  append_varint(bytes_, option.extra.size());
  bytes_ += option.extra;
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

void OptionReader::read_probabilities(std::span<Probability> probabilities) {
  if (static_cast<std::size_t>(end_ - at_) < 4 * probabilities.size()) damaged("it ends within the scores");
  for (Probability& probability : probabilities) {
    std::uint32_t bits;
    std::memcpy(&bits, at_, sizeof bits);
    at_ += sizeof bits;
    probability = Probability::from_bits(bits);
    if (!probability.valid()) damaged("a probability is not in (0, 1]");
  }
}

bool OptionReader::next(PhraseOption& option) {
  StoredOption stored;
  if (!next(stored)) return false;
  std::transform(stored.probabilities.begin(), stored.probabilities.end(), option.log_scores.begin(),
                 [](Probability p) { return p.float_log(); });
  option.words = stored.words;
  option.counts = stored.counts;
  option.alignment = stored.alignment;
  std::transform(stored.orientation.begin(), stored.orientation.end(), orientation_logs_.begin(),
                 [](Probability p) { return p.float_log(); });
  option.orientation = std::span(orientation_logs_).first(stored.orientation.size());
  return true;
}

bool OptionReader::next(StoredOption& option) {
  if (read_ == size_) {
    if (at_ != end_) damaged("something follows its last option");
    return false;
  }
  ++read_;
  begin_ = at_;
  const std::uint32_t announced = integer();
  const bool has_extra = (announced & kExtraText) != 0;
  const bool has_orientation = (announced & kOrientation) != 0;
  const std::uint32_t length = announced & ~(kExtraText | kOrientation);
  // Each word and each link takes a byte at least, so a damaged length can't make memory run out.
  if (length == 0 || length > kMaxPhraseWords || length > static_cast<std::size_t>(end_ - at_))
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
    if (number / length > kMaxPhraseWords) damaged("a link is outside the phrase");
    point = {static_cast<std::uint16_t>(number / length), static_cast<std::uint16_t>(number % length)};
  }
  read_probabilities(option.probabilities);
  for (std::uint32_t& count : option.counts) count = integer();
  option.orientation = {};
  if (has_orientation) {
    const std::uint32_t scores = integer();
    if (scores == 0 || scores > orientation_.size()) damaged("it has an impossible number of reordering scores");
    const auto orientation = std::span(orientation_).first(scores);
    read_probabilities(orientation);
    option.orientation = orientation;
  }
  option.extra = {};
  if (has_extra) {
    const std::uint32_t size = integer();
    if (size == 0 || size > static_cast<std::size_t>(end_ - at_)) damaged("it has a text of impossible length");
    option.extra = {reinterpret_cast<const char*>(at_), size};
    at_ += size;
  }
  option.words = words_;
  option.alignment = alignment_;
  return true;
}

}  // namespace widl
