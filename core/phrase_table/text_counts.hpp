#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "phrase_table/bitext.hpp"
#include "phrase_table/lexical.hpp"

namespace widl {

/// What the phrase pairs of a text in parts have in common: its words, numbered as `Bitext::freeze` numbers them, and
/// how often they are linked. Those of a text are the sum of those of its parts, in any order.
class TextCounts {
 public:
  TextCounts() = default;
  /// What `numbered` gave.
  explicit TextCounts(std::string_view numbered);

  /// What is added, of a part of the text.
  static std::string of(const Bitext& part);

  /// @throws InputError when the bytes are damaged, or there are more words than 32 bits can count
  void add(std::string_view part);
  /// When all parts were added: for other machines, with words by their numbers, which they have here, too, from now on.
  std::string numbered();

  const Vocabulary& source() const { return source_; }
  const Vocabulary& target() const { return target_; }

  /// A part without sentences so far.
  Bitext part() const { return Bitext(source_, target_); }
  /// Of a text that has these words by these numbers, in all of the counted text and in its in-domain part; of what was
  /// `numbered`.
  std::array<LinkCounts, 2> link_counts(const Bitext& text) const;
  /// Whether any part has in-domain text.
  bool has_in_domain() const;

 private:
  void number();

  Vocabulary source_, target_;
  std::vector<std::uint64_t> target_frequencies_;
  std::array<WordCounts, 2> words_;  // of all text, of in-domain text
  std::vector<LinkedWords> linked_;  // the first `added_up_` of them are
  std::size_t added_up_ = 0;
  std::vector<std::size_t> begins_;  // in linked_, of each source word; and the end
};

}  // namespace widl
