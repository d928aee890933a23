#pragma once

#include <algorithm>
#include <cstdint>

#include "expression/order_constraints.hpp"
#include "search/coverage.hpp"

namespace widl {

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
