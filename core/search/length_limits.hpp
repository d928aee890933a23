#pragma once

#include <cstdint>

#include "search/options.hpp"
#include "search/unfolding.hpp"

namespace widl {

/// Enforces the hard limits on the output's words and bytes. A path is refused as soon as its shortest completion is too
/// long.
class LengthLimits {
 public:
  explicit LengthLimits(const SpaceOptions& options)
      : max_words_(options.max_words ? options.max_words : kNoLimit),
        max_bytes_(options.max_bytes ? std::uint64_t{options.max_bytes} + 1 : kNoLimit) {}

  bool has_any() const { return max_words_ != kNoLimit || max_bytes_ != kNoLimit; }

  /// Whether a path of this length fits, if at least `rest` follows. Bytes count a separator for each word, also the
  /// first.
  bool allow(std::uint64_t words, std::uint64_t bytes, const Extent& rest) const {
    return words + rest.words <= max_words_ && bytes + rest.bytes <= max_bytes_;
  }

  /// The part of a path's length that is limited: paths to one state that differ in it have different completions.
  std::uint64_t used(std::uint32_t words, std::uint32_t bytes) const {
    return (max_words_ != kNoLimit ? std::uint64_t{words} << 32 : 0) | (max_bytes_ != kNoLimit ? bytes : 0);
  }

 private:
  static constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

  std::uint64_t max_words_, max_bytes_;
};

}  // namespace widl
