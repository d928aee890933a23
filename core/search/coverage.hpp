#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "search/hash_table.hpp"

namespace widl {

/// The set of realized source positions: all before `base`, not `base` itself, and the later positions whose bit is
/// set. The window of 64 positions is enough for sentences of that length, and for any length when movement is limited.
struct Coverage {
  static constexpr std::uint32_t kWindow = 64;

  std::uint32_t base = 0;
  std::uint32_t last_end = 0;  ///< end of the phrase realized last
  std::uint64_t bits = 0;      ///< bit i: position base + i

  bool operator==(const Coverage&) const = default;

  bool covered(std::uint32_t position) const {
    if (position < base) return true;
    const std::uint32_t i = position - base;
    return i < kWindow && (bits >> i & 1);
  }

  /// Creates a coverage of at most as many positions as there are bits.
  static Coverage of(std::uint64_t realized, std::uint32_t last_end) {
    Coverage result{0, last_end, realized};
    result.shift();
    return result;
  }
  /// All realized positions as bits, for sentences with at most as many positions as bits.
  std::uint64_t realized() const {
    const std::uint64_t before = base == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << base) - 1;
    return base == 64 ? before : before | bits << base;
  }

  bool is_free(std::uint32_t begin, std::uint32_t end) const {
    for (std::uint32_t position = begin; position < end; ++position)
      if (covered(position)) return false;
    return true;
  }
  /// Distance of a phrase that begins at `begin` from the end of the last phrase.
  std::uint32_t jump_to(std::uint32_t begin) const { return begin > last_end ? begin - last_end : last_end - begin; }

  /// Number of realized positions.
  std::uint32_t count() const { return base + static_cast<std::uint32_t>(std::popcount(bits)); }

  /// Marks [begin, end) and makes it the last phrase. It must be free and, unless it begins at the base, end within
  /// the window.
  Coverage with(std::uint32_t begin, std::uint32_t end) const {
    assert(begin < end && begin >= base && (begin == base || end <= base + kWindow));
    const std::uint32_t width = end - begin;
    Coverage next = *this;
    next.last_end = end;
    if (begin == base) {
      next.base = end;
      next.bits = width < kWindow ? bits >> width : 0;
      next.shift();
    } else {
      next.bits |= ~std::uint64_t{0} >> (kWindow - width) << (begin - base);
    }
    return next;
  }

  /// Calls gap(begin, end) for the free stretches before the end of the rightmost realized phrase;
  /// returns where the free remainder of the sentence begins.
  template <class Gap>
  std::uint32_t for_each_gap(Gap&& gap) const {
    std::uint32_t open = base;
    for (std::uint64_t rest = bits; rest;) {
      const auto first = static_cast<std::uint32_t>(std::countr_zero(rest));
      const auto run = static_cast<std::uint32_t>(std::countr_one(rest >> first));
      if (base + first > open) gap(open, base + first);
      open = base + first + run;
      if (first + run >= kWindow) break;
      rest &= ~std::uint64_t{0} << (first + run);
    }
    return open;
  }

  std::uint64_t hash() const { return mix(mix((std::uint64_t{base} << 32 | last_end) + 0x9e3779b97f4a7c15ULL) ^ bits); }

 private:
  /// Moves base to the first free position.
  void shift() {
    while (bits & 1) {
      const auto run = static_cast<std::uint32_t>(std::countr_one(bits));
      base += run;
      bits = run == kWindow ? 0 : bits >> run;
    }
  }
};

}  // namespace widl
