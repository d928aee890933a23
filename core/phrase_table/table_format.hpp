#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "expression/vocabulary.hpp"
#include "phrase_table/stored_option.hpp"

namespace widl {

/// The file of a phrase table:
///
///   header, records, index, metadata, words of both languages, three codebooks
///
///   record = number of words of f, their numbers, number of options, options
///
/// Options are those of ValueWriter, with codes for strings that recur. A code is the rank of a string in its codebook,
/// from 1. Code 0 is followed by the string itself, preceded by its length unless all strings of the book have the same
/// length. Words are numbered by decreasing frequency. The index is a hash table with linear probing: a slot has the
/// lower 40 bits of a record's offset + 1, and above them 24 bits of its hash.
struct TableHeader {
  struct Section {
    std::uint64_t at = 0, size = 0;  ///< in bytes, from the beginning of the file
  };
  struct Book {
    Section ends;  ///< of the strings, 32 bits each; none if all have the same width
    Section bytes;
  };

  std::array<char, 16> magic = kMagic;
  std::uint64_t file_size = 0;
  std::uint64_t source_phrases = 0;
  std::uint64_t further_scores = 0;  ///< of an option
  Section records, index, metadata, source_words, target_words;
  std::array<Book, kBooks> books;

  static constexpr std::array<char, 16> kMagic = {'w', 'i', 'd', 'l', ' ', 'p', 'h',  'r',
                                                  'a', 's', 'e', 's', ' ', '6', '\n', '\0'};
  static constexpr std::size_t kSameMagic = 13;  ///< bytes that all versions begin with
};

inline constexpr unsigned kOffsetBits = 40;
inline constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kOffsetBits) - 1;

/// The hash of a source phrase, word by word.
inline constexpr std::uint64_t kNoWords = 0x9e3779b97f4a7c15ULL;
inline std::uint64_t with_word(std::uint64_t hash, WordId word) {
  hash = (hash ^ word) * 0xbf58476d1ce4e5b9ULL;
  hash ^= hash >> 29;
  hash *= 0x94d049bb133111ebULL;
  return hash ^ hash >> 32;
}

/// The first slot for a hash.
inline std::uint64_t first_slot(std::uint64_t hash, std::uint64_t slots) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(hash) * slots >> 64);
}
/// The part of a slot above the offset. It varies among the hashes of a slot, because it drops their shared upper bits.
inline std::uint64_t mark_of(std::uint64_t hash) { return hash << kOffsetBits; }

/// New numbers for a table's source words or target words: by decreasing number of uses, so that frequent words are
/// stored in one byte, then by their bytes. They depend only on a table's content.
class WordNumbering {
 public:
  /// `uses[id]`: how often the table has the word.
  WordNumbering(const Vocabulary& vocabulary, std::span<const std::uint64_t> uses)
      : vocabulary_(vocabulary), renumbered_(uses.size()) {
    for (WordId id = 0; id < uses.size(); ++id)
      if (uses[id] > 0) order_.push_back(id);
    std::sort(order_.begin(), order_.end(), [&](WordId a, WordId b) {
      return uses[a] != uses[b] ? uses[a] > uses[b] : vocabulary.word(a) < vocabulary.word(b);
    });
    for (WordId id = 0; id < order_.size(); ++id) renumbered_[order_[id]] = id;
  }

  /// The new id of a used word.
  WordId operator()(WordId old) const { return renumbered_[old]; }

  /// The words in the order of their new numbers.
  std::vector<std::string_view> words() const {
    std::vector<std::string_view> words;
    for (WordId old : order_) words.push_back(vocabulary_.word(old));
    return words;
  }

 private:
  const Vocabulary& vocabulary_;
  std::vector<WordId> renumbered_, order_;
};

}  // namespace widl
