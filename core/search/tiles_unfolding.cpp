#include "search/tiles_unfolding.hpp"

#include <algorithm>
#include <optional>

namespace widl {

void TilesUnfolding::visit_steps(const State& state, VisitStep visit) const {
  const std::uint32_t limit = model_->distortion_limit();
  const std::uint32_t from = std::max(state.base, state.last_end > limit ? state.last_end - limit : 0);
  const std::uint64_t window = std::uint64_t{state.base} + Coverage::kWindow;
  const std::uint64_t reach =
      std::min<std::uint64_t>({std::uint64_t{state.last_end} + limit + 1, window, model_->length()});
  const std::uint64_t away = std::min(window, std::uint64_t{state.base} + limit);
  const OrderConstraints& reordering = model_->reordering();
  std::optional<OpenZone> zone;
  if (!reordering.is_free()) zone.emplace(reordering, state, away);
  for (std::uint32_t begin = from; begin < reach; ++begin) {
    if (state.covered(begin)) continue;
    std::uint64_t furthest = begin == state.base ? model_->length() : away;
    if (zone) furthest = std::min<std::uint64_t>(furthest, zone->furthest_end(begin));
    std::uint32_t free_until = begin + 1;
    for (std::span<const TileOption> options : model_->spans_at(begin)) {
      const std::uint32_t end = options.front().end;
      while (free_until < end && !state.covered(free_until)) ++free_until;
      if (free_until < end || end > furthest) break;
      if (!visit(options, state.with(begin, end), movement(state, begin))) return;
    }
  }
}

}  // namespace widl
