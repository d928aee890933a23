#include "expression/order_constraints.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "errors.hpp"

namespace widl {

OrderConstraints::OrderConstraints(std::uint32_t length, std::vector<Range> zones,
                                   const std::vector<std::uint32_t>& walls) {
  if (zones.empty() && walls.empty()) return;
  // A zone comes after its enclosing zones.
  std::sort(zones.begin(), zones.end(), [](const Range& x, const Range& y) {
    return x.first != y.first ? x.first < y.first : x.second > y.second;
  });
  zones_.push_back({0, length, kWhole, {}});
  innermost_.assign(length, kWhole);
  for (auto [begin, end] : zones) {
    const std::string name = "the zone " + std::to_string(begin) + "-" + std::to_string(end);
    if (begin >= end || end > length) throw InputError(name + " is empty or outside of the sentence");
    const ZoneId parent = innermost_[begin];
    if (end > zones_[parent].end) throw InputError(name + " crosses another one");
    zones_.push_back({begin, end, parent, {}});
    std::fill(innermost_.begin() + begin, innermost_.begin() + end, static_cast<ZoneId>(zones_.size() - 1));
  }
  add_walls(walls);
  count_edges();
}

void OrderConstraints::add_walls(const std::vector<std::uint32_t>& walls) {
  for (std::uint32_t wall : walls) {
    if (wall > zones_[kWhole].end) throw InputError("the wall " + std::to_string(wall) + " is outside of the sentence");
    if (wall == 0 || wall == zones_[kWhole].end) continue;  // a wall at the edge separates no positions
    ZoneId inside = innermost_[wall];
    while (zones_[inside].begin == wall) inside = zones_[inside].parent;
    zones_[inside].walls.push_back(wall);
  }
  for (Zone& zone : zones_) std::sort(zone.walls.begin(), zone.walls.end());
}

void OrderConstraints::count_edges() {
  edges_before_.assign(zones_[kWhole].end + 2, 0);
  for (const Zone& zone : zones_) {
    ++edges_before_[zone.begin + 1];
    ++edges_before_[zone.end + 1];
    for (std::uint32_t wall : zone.walls) ++edges_before_[wall + 1];
  }
  for (std::size_t i = 1; i < edges_before_.size(); ++i) edges_before_[i] += edges_before_[i - 1];
}

std::uint32_t OrderConstraints::part_end(ZoneId number, std::uint32_t free) const {
  const Zone& zone = zones_[number];
  auto wall = std::upper_bound(zone.walls.begin(), zone.walls.end(), free);
  return wall == zone.walls.end() ? zone.end : *wall;
}

}  // namespace widl
