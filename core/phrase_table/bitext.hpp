#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "bitext_side.hpp"
#include "alignment/symmetrization.hpp"

namespace widl {

/// Word-aligned sentence pairs in flat arrays. Positions count from the first word of the whole side, so
/// that a token is one number.
class Bitext {
 public:
  Bitext() = default;
  /// A part of a text. Its words have the numbers of these vocabularies; other words are not allowed.
  Bitext(const Vocabulary& source, const Vocabulary& target);

  /// Adds a sentence pair: tokens separated by ASCII white space.
  /// @throws InputError when a link is outside the sentences, or the bitext is too large
  void append(std::string_view source, std::string_view target, std::vector<Link> links);
  /// Overload for words given by id.
  void append(std::span<const WordId> source, std::span<const WordId> target, std::vector<Link> links);

  /// Renumbers the words: source words in the order of their bytes, so that phrases sorted by word ids are sorted as
  /// keys; target words by decreasing frequency, so that frequent words are stored in one byte. Words with fixed
  /// numbers keep them. No sentence can be added afterwards.
  void freeze();

  /// The first sentence pairs are in-domain text, similar to the text that will be translated.
  void set_in_domain(std::size_t sentences) { in_domain_ = sentences; }
  std::size_t in_domain() const { return std::min(in_domain_, sentences()); }
  bool has_in_domain() const { return source_.begins[in_domain()] > 0 || target_.begins[in_domain()] > 0; }

  const BitextSide& source() const { return source_; }
  const BitextSide& target() const { return target_; }
  std::size_t sentences() const { return source_.sentences(); }

  /// The source positions that a target position is linked to, ascending.
  std::span<const std::uint32_t> links(std::uint32_t target_position) const {
    return std::span(link_sources_)
        .subspan(link_begins_[target_position],
                 link_begins_[target_position + 1] - link_begins_[target_position]);
  }
  std::size_t link_count() const { return link_sources_.size(); }
  /// The index of the target position's first link in the whole bitext.
  std::uint32_t first_link(std::uint32_t target_position) const { return link_begins_[target_position]; }

 private:
  void append_links(std::vector<Link> links);

  BitextSide source_, target_;
  std::vector<std::uint32_t> link_begins_{0}, link_sources_;
  std::size_t in_domain_ = 0;
  bool frozen_ = false;
  std::optional<std::pair<std::size_t, std::size_t>> numbered_;  // words of either side, if their numbers are fixed
};

/// The words in the order of their bytes.
std::vector<WordId> in_byte_order(const Vocabulary& vocabulary);
/// The words by decreasing frequency; ties in the order of their bytes.
std::vector<WordId> by_frequency(const Vocabulary& vocabulary, const std::vector<std::uint64_t>& frequencies);
/// A vocabulary with words in this order.
Vocabulary reordered(const Vocabulary& vocabulary, const std::vector<WordId>& order);

}  // namespace widl
