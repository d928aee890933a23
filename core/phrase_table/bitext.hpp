#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "alignment/symmetrization.hpp"
#include "bitext_side.hpp"

namespace widl {

/// Word-aligned sentence pairs in flat arrays. Positions count from the first word of the whole side, so that a token is
/// one number.
class Bitext {
 public:
  /// Reads lines: the tokens of a source sentence, of its target sentence, and their links as `0-0 1-2 …`.
  ///
  /// `first`: sentence pairs of the text before these. The first `in_domain` pairs of the text are in-domain, similar to
  /// the text that will be translated.
  /// @throws InputError naming the pair whose links are malformed or outside the sentences
  explicit Bitext(std::string_view lines, std::size_t first = 0, std::size_t in_domain = 0);

  const BitextSide& source() const { return source_; }
  const BitextSide& target() const { return target_; }
  std::size_t sentences() const { return source_.sentences(); }
  /// In-domain sentence pairs at the beginning.
  std::size_t in_domain() const { return in_domain_; }

  /// The source positions that a target position is linked to, ascending.
  std::span<const std::uint32_t> links(std::uint32_t target_position) const {
    return std::span(link_sources_)
        .subspan(link_begins_[target_position], link_begins_[target_position + 1] - link_begins_[target_position]);
  }
  std::size_t link_count() const { return link_sources_.size(); }

 private:
  void append_links(std::vector<Link> links);

  BitextSide source_, target_;
  std::vector<std::uint32_t> link_begins_{0}, link_sources_;
  std::size_t in_domain_;
};

}  // namespace widl
