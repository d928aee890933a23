#include "phrase_table/phrase_variants.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "errors.hpp"

namespace widl {
namespace {

constexpr unsigned kLong = 0x80;  // a larger id is this plus its size, and its bytes, the highest first

/// The end of the phrase that begins at `at`: after its last byte.
std::size_t phrase_end(std::string_view key, std::size_t at) {
  while (at < key.size() && key[at] != kPhraseEnd) {
    const auto byte = static_cast<unsigned char>(key[at]);
    at += byte < kLong ? 1 : 1 + byte - kLong;
  }
  if (at >= key.size()) throw InputError("damaged: a phrase without end");
  return at + 1;
}

}  // namespace

void append_word(std::string& phrase, WordId word) {
  const std::uint64_t code = std::uint64_t{word} + 1;  // 0 ends the phrase
  if (code < kLong) {
    phrase.push_back(static_cast<char>(code));
    return;
  }
  unsigned size = 1;
  while (code >> 8 * size != 0) ++size;
  phrase.push_back(static_cast<char>(kLong | size));
  while (size-- > 0) phrase.push_back(static_cast<char>(code >> 8 * size));
}

void read_phrase(std::string_view phrase, std::size_t vocabulary_size, std::vector<WordId>& words) {
  words.clear();
  for (std::size_t at = 0; phrase[at] != kPhraseEnd;) {
    std::uint64_t code = static_cast<unsigned char>(phrase[at++]);
    if (code > kLong) {
      const std::size_t end = at + code - kLong;
      for (code = 0; at < end; ++at) code = code << 8 | static_cast<unsigned char>(phrase[at]);
    }
    if (code > vocabulary_size) throw InputError("damaged: an unknown word");
    words.push_back(static_cast<WordId>(code - 1));
  }
}

void append_form(std::string& form, std::span<const AlignmentPoint> links, Orientations orientations) {
  append_varint(form, links.size());
  for (const AlignmentPoint link : links) {
    form.push_back(static_cast<char>(link.source));
    form.push_back(static_cast<char>(link.target));
  }
  form.push_back(static_cast<char>(orientations.backward * kOrientations + orientations.forward));
}

Orientations read_form(std::string_view form, std::vector<AlignmentPoint>& links) {
  ByteReader reader(form);
  const auto byte = [&] { return static_cast<unsigned char>(reader.bytes(1)[0]); };
  links.clear();
  for (std::uint64_t left = reader.number(); left > 0; --left) {
    const std::uint16_t source = byte();
    links.push_back({source, byte()});
  }
  const std::uint8_t code = byte();
  return {static_cast<std::uint8_t>(code / kOrientations), static_cast<std::uint8_t>(code % kOrientations)};
}

void append_variant(std::string& bytes, std::string_view key, std::uint32_t count, const TargetCounts& target) {
  append_text(bytes, key);
  append_varint(bytes, count);
  append_varint(bytes, target.occurrences);
  if (target.occurrences == 0) return;
  append_varint(bytes, target.pairs.once);
  append_varint(bytes, target.pairs.twice);
  append_varint(bytes, target.pairs.all);
}

std::uint32_t sum_of_counts(std::span<const PhraseVariant> variants) {
  std::uint64_t sum = 0;
  for (const PhraseVariant& variant : variants) sum += variant.count;
  if (sum > std::numeric_limits<std::uint32_t>::max())
    throw InputError("a phrase occurs more than 2^32 times: split the bitext");
  return static_cast<std::uint32_t>(sum);
}

std::vector<PhraseVariant> sorted_variants(std::span<const std::string_view> files) {
  std::vector<PhraseVariant> variants;
  for (const std::string_view file : files) {
    ByteReader reader(file);
    while (!reader.at_end()) {
      PhraseVariant& variant = variants.emplace_back();
      variant.key = reader.text();
      variant.first_size = static_cast<std::uint32_t>(phrase_end(variant.key, 0));
      variant.second_size =
          static_cast<std::uint32_t>(phrase_end(variant.key, variant.first_size) - variant.first_size);
      variant.count = reader.number32();
      variant.target.occurrences = reader.number32();
      if (variant.target.occurrences == 0) continue;
      variant.target.pairs.once = reader.number32();
      variant.target.pairs.twice = reader.number32();
      variant.target.pairs.all = reader.number32();
    }
  }
  std::ranges::sort(variants, {}, &PhraseVariant::key);
  return variants;
}

}  // namespace widl
