#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "expression/vocabulary.hpp"
#include "phrase_table/bitext.hpp"

namespace widl {

/// Links of a word of one side, in a text and in its in-domain part. A word without links counts as linked to NULL.
struct LinkFrequency {
  std::uint32_t all = 0, in_domain = 0;

  void add(LinkFrequency more);
};

/// Occurrences and links of a word.
struct WordCounts {
  std::uint64_t occurrences = 0;
  LinkFrequency linked;  // links to NULL included
  LinkFrequency to_null;
};

/// The words of one side.
struct SideCounts {
  Vocabulary vocabulary;
  std::vector<WordCounts> words;
  LinkFrequency null;  // of the other side's NULL: words of this side without links
};

/// Counts shared by all phrase pairs of a text in parts: its words, and the number of times they are linked. The counts
/// of a text are the sum of its parts' counts, in any order.
///
/// Source words are numbered in the order of their bytes, so that phrases sorted by word ids are sorted as keys; target
/// words by decreasing frequency, so that frequent words are stored in one byte.
class TextCounts {
 public:
  TextCounts() = default;
  /// `numbered`: the result of numbered().
  explicit TextCounts(std::string_view numbered);

  /// The counts of a part of the text, for `add`.
  static std::string of(const Bitext& part);

  /// @throws InputError if the number of words or links exceeds 32 bits
  void add(std::string_view part);
  /// Call after all parts are added. Returns the counts for other machines, with the words' final ids.
  std::string numbered();

  const SideCounts& source() const { return source_; }
  const SideCounts& target() const { return target_; }
  /// Links between two words. Requires counts from `numbered`.
  /// @throws InputError if there are none
  LinkFrequency linked(WordId source, WordId target) const;
  /// Whether any part has in-domain text.
  bool has_in_domain() const;

 private:
  struct LinkedWords {
    WordId source, target;
    LinkFrequency count;
    std::uint64_t key() const { return std::uint64_t{source} << 32 | target; }
  };

  std::string serialized() const;
  void add_up();

  SideCounts source_, target_;
  std::vector<LinkedWords> linked_;  // the first `added_up_` of them are
  std::size_t added_up_ = 0;
  std::vector<std::size_t> begins_;  // in linked_, start of each source word; and the end
};

}  // namespace widl
