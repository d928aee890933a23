#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace widl {

/// User constraints on the order in which source positions are realized: zones and walls, as in Moses' input.
///
/// Once begun, a zone is finished before any position outside it is realized. Positions to the right of a wall come
/// after all positions to its left. A wall inside a zone applies only to the innermost zone. No tile crosses a zone's
/// edge or a wall: a zone is a locked block ×(Tiles) at its place among the other tiles, a wall the precedence Tiles ·
/// Tiles, and their arguments are tiled on their own. (Moses lets some phrases cross.)
class OrderConstraints {
 public:
  using ZoneId = std::uint32_t;
  using Range = std::pair<std::uint32_t, std::uint32_t>;  ///< [first, second)

  static constexpr ZoneId kWhole = 0;  ///< the sentence, which is a zone as well

  struct Zone {
    std::uint32_t begin, end;
    ZoneId parent;  ///< the innermost zone around it; of kWhole itself
    /// Walls of the zone itself, ascending, strictly inside; wall w precedes position w.
    std::vector<std::uint32_t> walls;
  };

  /// Everything is allowed.
  OrderConstraints() = default;
  /// @throws InputError for zones that are empty, cross each other or leave the sentence, and walls outside of it.
  OrderConstraints(std::uint32_t length, std::vector<Range> zones, const std::vector<std::uint32_t>& walls);

  bool is_free() const { return zones_.empty(); }
  const Zone& zone(ZoneId zone) const { return zones_[zone]; }
  /// The innermost zone around a position.
  ZoneId zone_at(std::uint32_t position) const { return innermost_[position]; }
  /// End of the zone's part whose first free position is `free`: the next wall, or the zone's end.
  std::uint32_t part_end(ZoneId zone, std::uint32_t free) const;
  /// Whether a tile [begin, end) crosses neither a wall nor a zone's edge.
  bool allows(std::uint32_t begin, std::uint32_t end) const {
    return is_free() || edges_before_[begin + 1] == edges_before_[end];
  }

 private:
  void add_walls(const std::vector<std::uint32_t>& walls);
  void count_edges();

  std::vector<Zone> zones_;                  // none where everything is allowed; parents before their parts
  std::vector<ZoneId> innermost_;            // by position
  std::vector<std::uint32_t> edges_before_;  // walls and edges of zones at positions smaller than this
};

}  // namespace widl
