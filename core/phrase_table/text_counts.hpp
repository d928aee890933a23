#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "phrase_table/bitext.hpp"
#include "phrase_table/lexical.hpp"

namespace widl {

/// Counts shared by all phrase pairs of a text in parts: its words, numbered as `Bitext::freeze` numbers them, and the
/// number of times they are linked. The counts of a text are the sum of its parts' counts, in any order.
class TextCounts {
 public:
  TextCounts() = default;
  /// `numbered`: the result of numbered().
  explicit TextCounts(std::string_view numbered);

  /// The counts of a part of the text, for `add`.
  static std::string of(const Bitext& part);

  /// @throws InputError if the bytes are damaged, or the number of words exceeds 32 bits
  void add(std::string_view part);
  /// Call after all parts are added. Returns the counts for other machines, with word ids that are then also valid
  /// here.
  std::string numbered();

  const Vocabulary& source() const { return source_; }
  const Vocabulary& target() const { return target_; }

  /// A new part, without sentences.
  Bitext part() const { return Bitext(source_, target_); }
  /// Counts of the links of `text`, in the whole counted text and in its in-domain part. The words of `text` must have
  /// these ids. Requires counts from `numbered`.
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
  std::vector<std::size_t> begins_;  // in linked_, start of each source word; and the end
};

}  // namespace widl
