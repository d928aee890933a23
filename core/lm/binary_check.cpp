#include "lm/binary_check.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "errors.hpp"
#include "lm/bhiksha.hh"
#include "lm/language_model.hpp"
#include "lm/quantize.hh"
#include "lm/search_hashed.hh"
#include "lm/search_trie.hh"
#include "lm/value.hh"
#include "lm/vocab.hh"
#include "util/bit_packing.hh"
#include "util/file.hh"

namespace widl {
namespace {

namespace kenlm = lm::ngram;
namespace trie = lm::ngram::trie;

using Counts = std::vector<std::uint64_t>;

[[noreturn]] void damaged(const std::string& path, const std::string& part) {
  throw InputError(path + ": damaged (" + part + "); convert the ARPA file again, or copy the model again");
}

/// A KenLM binary, mapped; `Search` and `Vocabulary` are KenLM's classes for its kind.
template <class Search, class Vocabulary>
class MappedBinary {
 public:
  MappedBinary(const std::string& path, const kenlm::Parameters& parameters, const kenlm::Config& given)
      : config(given), counts(parameters.counts), format_(given) {
    kenlm::Parameters read;
    format_.InitializeBinary(util::OpenReadOrThrow(path.c_str()), Search::kModelType, Search::kVersion, read);
    config.probing_multiplier = parameters.fixed.probing_multiplier;
    vocabulary_size = Vocabulary::Size(counts[0], config);
  }

  /// Reads what else sizes depend on, and maps the file.
  void map() {
    Search::UpdateConfigFromBinary(format_, counts, vocabulary_size, config);
    vocabulary = static_cast<const std::uint8_t*>(format_.LoadBinary(vocabulary_size + Search::Size(counts, config)));
  }

  const kenlm::BinaryFormat& format() const { return format_; }

  kenlm::Config config;
  Counts counts;
  std::uint64_t vocabulary_size;
  const std::uint8_t* vocabulary = nullptr;  ///< what is searched lies `vocabulary_size` bytes behind it

 private:
  kenlm::BinaryFormat format_;
};

/// What lies in the file at `start`, which may be any address: copied, as C++ forbids to read it there.
template <class Value>
Value value_at(const std::uint8_t* start) {
  Value value;
  std::memcpy(&value, start, sizeof value);
  return value;
}

/// The slots of one of KenLM's hash tables.
template <class Entry>
class Slots {
 public:
  /// Moves `start` behind the table.
  Slots(const std::uint8_t*& start, std::uint64_t entries, float multiplier) : start_(start) {
    const std::uint64_t bytes = util::ProbingHashTable<Entry, util::IdentityHash>::Size(entries, multiplier);
    size_ = bytes / sizeof(Entry);
    start += bytes;
  }

  template <class Predicate>
  bool any(Predicate&& predicate) const {
    for (std::uint64_t i = 0; i < size_; ++i)
      if (predicate(value_at<Entry>(start_ + i * sizeof(Entry)))) return true;
    return false;
  }

 private:
  const std::uint8_t* start_;
  std::uint64_t size_;
};

/// A query for a key that isn't there ends at an empty slot.
template <class Entry>
void check_table(const std::string& path, const Slots<Entry>& slots) {
  if (!slots.any([](const Entry& entry) { return entry.key == 0; })) damaged(path, "a hash table is full");
}

template <class Value>
void check_probing(const std::string& path, const kenlm::Parameters& parameters, const kenlm::Config& config) {
  using Search = kenlm::detail::HashedSearch<Value>;
  MappedBinary<Search, kenlm::ProbingVocabulary> binary(path, parameters, config);
  binary.map();
  const float multiplier = binary.config.probing_multiplier;
  const std::uint64_t unigrams = binary.counts[0] + 1;  // one more, as the file may have had no <unk>

  std::uint32_t header[2];  // version and number of words
  std::memcpy(header, binary.vocabulary, sizeof header);
  if (header[1] > unigrams) damaged(path, "its vocabulary is larger than its header says");
  const std::uint8_t* at = binary.vocabulary + sizeof header;
  const Slots<kenlm::ProbingVocabularyEntry> words(at, binary.counts[0], multiplier);
  check_table(path, words);
  if (words.any([&](const kenlm::ProbingVocabularyEntry& word) { return word.value >= unigrams; }))
    damaged(path, "a word of its vocabulary has no probability");

  at = binary.vocabulary + binary.vocabulary_size + unigrams * sizeof(typename Value::Weights);
  for (std::size_t n = 1; n + 1 < binary.counts.size(); ++n)
    check_table(path, Slots<typename Value::ProbingEntry>(at, binary.counts[n], multiplier));
  check_table(path, Slots<kenlm::detail::ProbEntry>(at, binary.counts.back(), multiplier));
}

/// That pointers to the n-grams of the next order never decrease and stay within them.
class PointerCheck {
 public:
  PointerCheck(const std::string& path, std::uint64_t count) : path_(path), count_(count) {}

  void operator()(std::uint64_t pointer) {
    if (pointer < last_ || pointer > count_) damaged(path_, "a pointer of its trie leads astray");
    last_ = pointer;
  }

 private:
  const std::string& path_;
  std::uint64_t count_;
  std::uint64_t last_ = 0;
};

/// The high bits of pointers, which compressed tries have in an array: of n-gram i, the last entry that is at most i.
class HighBits {
 public:
  HighBits(const std::uint8_t* start, std::uint64_t bytes) {
    const auto aligned = (reinterpret_cast<std::uintptr_t>(start) + 7) / 8 * 8;
    const std::uint64_t padding = 7, header = sizeof(std::uint64_t);
    entries_ = {reinterpret_cast<const std::uint64_t*>(aligned + header), (bytes - padding - header) / sizeof(std::uint64_t)};
  }

  /// KenLM finds entries by halving, which needs them sorted and the first to be 0.
  bool sound() const { return entries_[0] == 0 && std::is_sorted(entries_.begin(), entries_.end()); }

  /// To be called with increasing numbers.
  std::uint64_t of(std::uint64_t ngram) {
    while (at_ + 1 < entries_.size() && entries_[at_ + 1] <= ngram) ++at_;
    return at_;
  }

 private:
  std::span<const std::uint64_t> entries_;
  std::size_t at_ = 0;
};

/// `length` bits, whose mask this is, from bit `offset` on: KenLM's ReadInt57, for any address.
std::uint64_t read_bits(const std::uint8_t* start, std::uint64_t offset, std::uint8_t length, std::uint64_t mask) {
  return value_at<std::uint64_t>(start + offset / 8) >> util::BitPackShift(offset % 8, length) & mask;
}

/// Checks the pointers of all n-grams of an order in the middle; returns where the next order lies.
template <class Quantization, class Pointers>
const std::uint8_t* check_middle(const std::string& path, const std::uint8_t* start, const Counts& counts, std::size_t n,
                                 const kenlm::Config& config) {
  const std::uint64_t entries = counts[n], next = counts[n + 1];
  const std::uint8_t* packed = start;
  std::optional<HighBits> high;
  if (const std::uint64_t bytes = Pointers::Size(entries + 1, next, config); bytes > 0) {
    high.emplace(start, bytes);
    packed += bytes;
    if (!high->sound()) damaged(path, "a pointer of its trie leads astray");
  }
  const std::uint8_t low_bits = Pointers::InlineBits(entries + 1, next, config);
  const std::uint64_t skipped = util::RequiredBits(counts[0]) + Quantization::MiddleBits(config);
  const std::uint64_t total_bits = skipped + low_bits;
  const std::uint64_t mask = (std::uint64_t{1} << low_bits) - 1;
  PointerCheck check(path, next);
  for (std::uint64_t i = 0; i <= entries; ++i) {
    std::uint64_t pointer = read_bits(packed, i * total_bits + skipped, low_bits, mask);
    if (high) pointer |= high->of(i) << low_bits;
    check(pointer);
  }
  return start + trie::BitPackedMiddle<Pointers>::Size(Quantization::MiddleBits(config), entries, counts[0], next, config);
}

template <class Quantization, class Pointers>
void check_trie(const std::string& path, const kenlm::Parameters& parameters, const kenlm::Config& config) {
  using Search = trie::TrieSearch<Quantization, Pointers>;
  MappedBinary<Search, kenlm::SortedVocabulary> binary(path, parameters, config);
  Quantization::UpdateConfigFromBinary(binary.format(), binary.vocabulary_size, binary.config);
  if (std::max(binary.config.prob_bits, binary.config.backoff_bits) > BinaryOptions::kMostBits)
    damaged(path, "more bits than quantised numbers can have");
  binary.map();
  const Counts& counts = binary.counts;

  std::uint64_t words = 0;  // without <unk>
  std::memcpy(&words, binary.vocabulary, sizeof words);
  if (words >= counts[0]) damaged(path, "its vocabulary is larger than its header says");
  const std::uint8_t* at = binary.vocabulary + binary.vocabulary_size;
  at += Quantization::Size(static_cast<std::uint8_t>(counts.size()), binary.config);
  PointerCheck check(path, counts[1]);
  for (std::uint64_t i = 0; i <= words + 1; ++i)
    check(value_at<trie::UnigramValue>(at + i * sizeof(trie::UnigramValue)).next);
  at += (counts[0] + 2) * sizeof(trie::UnigramValue);
  for (std::size_t n = 1; n + 1 < counts.size(); ++n)
    at = check_middle<Quantization, Pointers>(path, at, counts, n, binary.config);
}

}  // namespace

void check_binary(const std::string& path, const kenlm::Parameters& parameters, const kenlm::Config& config) {
  using kenlm::DontQuantize, kenlm::SeparatelyQuantize, trie::ArrayBhiksha, trie::DontBhiksha;
  switch (parameters.fixed.model_type) {
    case kenlm::PROBING: return check_probing<kenlm::BackoffValue>(path, parameters, config);
    case kenlm::REST_PROBING: return check_probing<kenlm::RestValue>(path, parameters, config);
    case kenlm::TRIE: return check_trie<DontQuantize, DontBhiksha>(path, parameters, config);
    case kenlm::QUANT_TRIE: return check_trie<SeparatelyQuantize, DontBhiksha>(path, parameters, config);
    case kenlm::ARRAY_TRIE: return check_trie<DontQuantize, ArrayBhiksha>(path, parameters, config);
    case kenlm::QUANT_ARRAY_TRIE: return check_trie<SeparatelyQuantize, ArrayBhiksha>(path, parameters, config);
  }
  damaged(path, "its kind of model is unknown");
}

}  // namespace widl
