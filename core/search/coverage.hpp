#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

#include "search/hash_table.hpp"

namespace widl {

/// Which source positions are realized: all before `base`, not `base` itself, and behind it those
/// whose bit is set. The window of 64·Words positions is enough for sentences of that length, and
/// for any length when movement is limited.
template <std::size_t Words>
struct Coverage {
  static constexpr std::uint32_t kWindow = 64 * Words;

  std::uint32_t base = 0;
  std::uint32_t last_end = 0;                    ///< end of the phrase realized last
  std::array<std::uint64_t, Words> bits{};       ///< bit i: position base + i

  bool operator==(const Coverage&) const = default;

  bool covered(std::uint32_t position) const {
    if (position < base) return true;
    std::uint32_t i = position - base;
    return i < kWindow && (bits[i / 64] >> (i % 64) & 1);
  }

  /// Of no more positions than one word has bits.
  static Coverage of(std::uint64_t realized, std::uint32_t last_end) {
    Coverage made;
    made.last_end = last_end;
    made.bits[0] = realized;
    made.shift();
    return made;
  }
  /// All realized positions as bits, where one word has a bit for each.
  std::uint64_t realized() const {
    const std::uint64_t before = base == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << base) - 1;
    return base == 64 ? before : before | bits[0] << base;
  }

  bool is_free(std::uint32_t begin, std::uint32_t end) const {
    for (std::uint32_t position = begin; position < end; ++position)
      if (covered(position)) return false;
    return true;
  }
  /// How far a phrase that begins there is from the end of the last one.
  std::uint32_t jump_to(std::uint32_t begin) const { return begin > last_end ? begin - last_end : last_end - begin; }

  /// How many positions are realized.
  std::uint32_t count() const {
    int inside = 0;
    for (std::uint64_t word : bits) inside += std::popcount(word);
    return base + static_cast<std::uint32_t>(inside);
  }

  /// Marks [begin, end), which must be free and end within the window, and makes it the last phrase.
  Coverage with(std::uint32_t begin, std::uint32_t end) const {
    assert(begin < end && begin >= base && end <= base + kWindow);
    Coverage next = *this;
    next.last_end = end;
    for (std::uint32_t i = begin - base; i < end - base; ++i) next.bits[i / 64] |= std::uint64_t{1} << (i % 64);
    if (begin == base) next.shift();
    return next;
  }

  /// Calls gap(begin, end) for the free stretches before the end of the rightmost realized phrase;
  /// returns where the free rest of the sentence begins.
  template <class Gap>
  std::uint32_t for_each_gap(Gap&& gap) const {
    std::uint32_t open = base;
    for (std::size_t w = 0; w < Words; ++w) {
      std::uint64_t rest = bits[w];
      std::uint32_t offset = base + static_cast<std::uint32_t>(64 * w);
      while (rest) {
        auto first = static_cast<std::uint32_t>(std::countr_zero(rest));
        auto run = static_cast<std::uint32_t>(std::countr_one(rest >> first));
        if (offset + first > open) gap(open, offset + first);
        open = offset + first + run;
        if (first + run >= 64) break;
        rest &= ~std::uint64_t{0} << (first + run);
      }
    }
    return open;
  }

  std::uint64_t hash() const {
    std::uint64_t h = mix((std::uint64_t{base} << 32 | last_end) + 0x9e3779b97f4a7c15ULL);
    for (std::uint64_t word : bits) h = mix(h ^ word);
    return h;
  }

 private:
  /// Moves base to the first free position.
  void shift() {
    while (bits[0] & 1) {
      auto run = static_cast<std::uint32_t>(std::countr_one(bits[0]));
      base += run;
      for (std::size_t w = 0; w < Words; ++w) {
        std::uint64_t above = w + 1 < Words ? bits[w + 1] : 0;
        bits[w] = run == 64 ? above : (bits[w] >> run) | (above << (64 - run));
      }
    }
  }
};

}  // namespace widl
