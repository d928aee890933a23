#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "byte_reader.hpp"
#include "phrase_table/orientation_counts.hpp"
#include "phrase_table/phrase_smoothing.hpp"
#include "phrase_table/stored_option.hpp"

namespace widl {

/// Occurrences of a target phrase in all of a text, and its distinct pairs.
struct TargetCounts {
  std::uint32_t occurrences = 0;
  PairsOfPhrase pairs;
};

/// The occurrences of a phrase pair that have the same links and orientations: all that scores depend on besides words.
/// Files of variants are sorted and merged by their bytes, on any machine.
///
///   key    = phrase, phrase, form
///   phrase = its words, as bytes that compare like their ids; byte 0
///   form   = number of links, links (source position, target position), orientations
struct PhraseVariant {
  std::string_view key;
  std::uint32_t first_size = 0, second_size = 0;  // bytes of the two phrases; variants are sorted by the first one
  std::uint32_t count = 0;
  TargetCounts target;  // once they are known

  std::string_view first() const { return key.substr(0, first_size); }
  std::string_view second() const { return key.substr(first_size, second_size); }
  std::string_view form() const { return key.substr(first_size + second_size); }
  /// The part of the form that depends on the links.
  std::string_view links() const { return form().substr(0, form().size() - 1); }
};

/// Appends a word of a phrase.
void append_word(std::string& phrase, WordId word);
inline constexpr char kPhraseEnd = 0;
/// Reads the words of a phrase. @throws InputError unless their ids are below `vocabulary_size`
void read_phrase(std::string_view phrase, std::size_t vocabulary_size, std::vector<WordId>& words);

/// A phrase has at most 255 words, so that positions are bytes.
void append_form(std::string& form, std::span<const AlignmentPoint> links, Orientations orientations);
Orientations read_form(std::string_view form, std::vector<AlignmentPoint>& links);

void append_variant(std::string& bytes, std::string_view key, std::uint32_t count, const TargetCounts& target);
/// @throws InputError if the sum exceeds 32 bits
std::uint32_t sum_of_counts(std::span<const PhraseVariant> variants);
/// All variants in these files, sorted by key. @throws InputError if a file is damaged
std::vector<PhraseVariant> sorted_variants(std::span<const std::string_view> files);

/// Calls visit(group) for each run of items with an equal key.
template <class Item, class Key, class Visit>
void for_each_group(std::span<const Item> items, Key&& key, Visit&& visit) {
  for (std::size_t begin = 0; begin < items.size();) {
    const auto same = std::invoke(key, items[begin]);
    std::size_t end = begin + 1;
    while (end < items.size() && std::invoke(key, items[end]) == same) ++end;
    visit(items.subspan(begin, end - begin));
    begin = end;
  }
}

}  // namespace widl
