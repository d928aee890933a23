#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>

#include "expression/order_constraints.hpp"
#include "search/mix.hpp"

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

/// The positions that may come next under zones and walls: the positions of the innermost unfinished zone, before its
/// next wall. The last phrase lies in that zone, so coverage and last end identify it.
///
/// With a distortion limit, Moses' rule bounds how far after the leftmost free position a phrase may end, unless it
/// begins there. A zone that reaches further could not be finished before that position is realized, so it may not be
/// begun. Every other zone can be finished: its positions are within the limit of each other and of that position.
class OpenZone {
 public:
  /// `furthest`: limit on the end of a phrase that does not begin at the leftmost free position.
  OpenZone(const OrderConstraints& reordering, const Coverage& covered, std::uint64_t furthest)
      : reordering_(reordering), base_(covered.base), furthest_(furthest) {
    zone_ = covered.last_end == 0 ? OrderConstraints::kWhole : reordering.zone_at(covered.last_end - 1);
    std::uint32_t free = first_free(covered);
    while (zone_ != OrderConstraints::kWhole && free >= reordering.zone(zone_).end) {
      zone_ = reordering.zone(zone_).parent;
      free = first_free(covered);
    }
    part_end_ = reordering.part_end(zone_, free);
  }

  /// Furthest end of a phrase that begins at a free position; 0 if no phrase may begin there.
  std::uint32_t furthest_end(std::uint32_t begin) const {
    if (begin < reordering_.zone(zone_).begin || begin >= part_end_) return 0;
    std::uint32_t end = part_end_;
    for (auto inner = reordering_.zone_at(begin); inner != zone_; inner = reordering_.zone(inner).parent) {
      const OrderConstraints::Zone& entered = reordering_.zone(inner);  // all of it is free
      if (base_ < entered.begin && entered.end > furthest_) return 0;
      end = std::min(end, reordering_.part_end(inner, entered.begin));
    }
    return begin < end ? end : 0;
  }

 private:
  std::uint32_t first_free(const Coverage& covered) const {
    const OrderConstraints::Zone& zone = reordering_.zone(zone_);
    std::uint32_t position = std::max(zone.begin, base_);
    while (position < zone.end && covered.covered(position)) ++position;
    return position;
  }

  const OrderConstraints& reordering_;
  std::uint32_t base_;
  std::uint64_t furthest_;
  OrderConstraints::ZoneId zone_;
  std::uint32_t part_end_;
};

}  // namespace widl
