#include "phrase_table/phrase_shards.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>

#include "errors.hpp"
#include "phrase_table/orientation_counts.hpp"
#include "phrase_table/phrase_extraction.hpp"
#include "phrase_table/phrase_variants.hpp"

namespace widl {
namespace {

constexpr std::size_t kPairsPerSample = 1000;

/// The words of a side as bytes, so that phrases are substrings.
class PhraseBytes {
 public:
  PhraseBytes(const BitextSide& side, const Vocabulary& numbered) {
    std::vector<WordId> numbers;
    for (WordId word = 0; word < side.vocabulary.size(); ++word) {
      const std::optional<WordId> number = numbered.find(side.vocabulary.word(word));
      if (!number) throw InputError("a word that was not in the text when its words were counted");
      numbers.push_back(*number);
    }
    for (const WordId word : side.words) {
      begins_.push_back(bytes_.size());
      append_word(bytes_, numbers[word]);
    }
    begins_.push_back(bytes_.size());
  }

  std::string_view phrase(std::uint32_t begin, std::uint32_t length) const {
    return std::string_view(bytes_).substr(begins_[begin], begins_[begin + length] - begins_[begin]);
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> begins_;
};

/// FNV-1a, which is identical on all machines.
std::size_t hash_of(std::string_view phrase) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : phrase) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash ^ hash >> 32;
}

/// Keys of a shard that are not sorted yet.
struct Keys {
  std::string bytes;
  std::vector<std::size_t> ends;

  /// The variants of equal keys.
  std::string sorted() const {
    std::vector<std::string_view> keys;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const std::size_t begin = i > 0 ? ends[i - 1] : 0;
      keys.push_back(std::string_view(bytes).substr(begin, ends[i] - begin));
    }
    std::sort(keys.begin(), keys.end());
    std::string variants;
    for_each_group(std::span<const std::string_view>(keys), std::identity(), [&](auto same) {
      append_variant(variants, same.front(), static_cast<std::uint32_t>(same.size()), {});
    });
    return variants;
  }
};

}  // namespace

ExtractedPart extract_part(const Bitext& part, const TextCounts& text, std::uint32_t max_length, bool reordering,
                           std::size_t shards) {
  const PhraseBytes sources(part.source(), text.source().vocabulary), targets(part.target(), text.target().vocabulary);
  PhraseExtractor extractor(part, max_length);
  ExtractedPart extracted;
  std::vector<Keys> keys(shards);
  std::vector<AlignmentPoint> links;
  for (std::size_t sentence = 0; sentence < part.sentences(); ++sentence)
    extractor.extract(sentence, [&](const PhrasePairSpan& pair) {
      const std::string_view source = sources.phrase(pair.source_begin, pair.source_length);
      const std::string_view target = targets.phrase(pair.target_begin, pair.target_length);
      links.clear();
      for (std::uint32_t at = 0; at < pair.target_length; ++at)
        for (const std::uint32_t from : part.links(pair.target_begin + at))
          links.push_back({static_cast<std::uint16_t>(from - pair.source_begin), static_cast<std::uint16_t>(at)});
      auto& [bytes, ends] = keys[hash_of(target) % shards];
      (bytes += target).push_back(kPhraseEnd);
      (bytes += source).push_back(kPhraseEnd);
      append_form(bytes, links, reordering ? orientations_in(part, sentence, pair) : Orientations());
      ends.push_back(bytes.size());
      if (extracted.occurrences++ % kPairsPerSample == 0) extracted.sample.emplace_back(source).push_back(kPhraseEnd);
    });
  for (Keys& of_shard : keys) {
    extracted.shards.push_back(of_shard.sorted());
    of_shard = {};
  }
  return extracted;
}

CountedTargets count_targets(std::span<const std::string_view> files, std::span<const std::string_view> bounds) {
  using Variants = std::span<const PhraseVariant>;
  const std::vector<PhraseVariant> variants = sorted_variants(files);
  CountedTargets counted;
  counted.shards.resize(bounds.size() + 1);
  std::string key;
  for_each_group(Variants(variants), &PhraseVariant::first, [&](Variants of_target) {
    TargetCounts target{sum_of_counts(of_target), {}};
    for_each_group(of_target, &PhraseVariant::second, [&](Variants pair) {
      const std::uint32_t joint = sum_of_counts(pair);
      target.pairs.add(joint);
      counted.pairs.add(joint);
    });
    for_each_group(of_target, &PhraseVariant::key, [&](Variants same) {
      const PhraseVariant& variant = same.front();
      const auto shard = std::upper_bound(bounds.begin(), bounds.end(), variant.second()) - bounds.begin();
      ((key = variant.second()) += variant.first()) += variant.form();
      append_variant(counted.shards[static_cast<std::size_t>(shard)], key, sum_of_counts(same), target);
    });
  });
  return counted;
}

}  // namespace widl
