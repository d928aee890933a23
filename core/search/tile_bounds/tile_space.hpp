#pragma once

#include <cstdint>
#include <span>

#include "search/constants.hpp"
#include "search/coverage.hpp"
#include "search/tiles_unfolding.hpp"

namespace widl {

/// The coverage state of TileBound: all positions realized, or a projection.
///
/// A projection *tracks* some positions. Its states know which tracked positions are realized, how many positions are
/// realized in all, and where the last phrase ended:
///
///   (C, e)  ->  (C ∩ T, |C|, e)
///
/// So its derivations may realize an untracked position twice or never, if only the number of positions is right. Every
/// derivation of coverages is also one of the projection, under any zones and walls. Example: for T = ∅ three words
/// have at most (3 + 1) · (3 + 1) states, and *a b a* is a derivation; for T = {0} it is not.
class TileSpace {
 public:
  /// In the space of coverages, a Coverage. In a projection, `bits` are the tracked positions realized and `base` is
  /// the number of all realized positions.
  using State = Coverage;

  /// The space of coverages.
  explicit TileSpace(const TileModel& model) : unfolding_(model) {}
  /// A projection of a sentence of at most 64 positions; `tracked`: a bit for each tracked position.
  TileSpace(const TileModel& model, std::uint64_t tracked)
      : unfolding_(model), is_projection_(true), tracked_(tracked) {}

  /// Whether a sentence has too many coverages to list them at once, and few enough positions for projections.
  static bool needs_projections(const TileModel& model) {
    return model.distortion_limit() > constants::kSolvableDistortionLimit && model.length() <= 64;
  }
  static std::uint64_t bits(std::uint32_t begin, std::uint32_t end) {
    return (~std::uint64_t{0} >> (64 - (end - begin))) << begin;
  }

  const TileModel& model() const { return unfolding_.model(); }
  bool is_projection() const { return is_projection_; }

  bool is_final(const State& state) const {
    return state.base == model().length() && (!is_projection_ || state.bits == tracked_);
  }
  /// Number of realized positions.
  std::uint32_t count(const State& state) const { return is_projection_ ? state.base : state.count(); }
  /// Maps a state of `finer`, a space that tracks all positions of this space, to a state of this space.
  State project(const State& state, const TileSpace& finer) const {
    if (!is_projection_) return state;
    if (finer.is_projection_) return {state.base, state.last_end, state.bits & tracked_};
    return {state.count(), state.last_end, state.realized() & tracked_};
  }

  /// Calls visit(options, next state, movement score) for every possible next span.
  template <class Visit>
  void for_each_step(const State& state, Visit&& visit) const {
    if (is_projection_) return for_each_projected_step(state, visit);
    unfolding_.for_each_step(state, visit);
  }

 private:
  template <class Visit>
  void for_each_projected_step(const State& state, Visit&& visit) const {
    const std::uint32_t length = model().length(), limit = model().distortion_limit();
    const std::uint64_t used = state.bits | (state.last_end ? bits(state.last_end - 1, state.last_end) : 0);
    for (std::uint32_t begin = 0; begin < length; ++begin) {
      const std::uint32_t distance = state.jump_to(begin);
      if (distance > limit || used >> begin & 1) continue;
      for (std::span<const TileOption> options : model().spans_at(begin)) {
        const std::uint32_t end = options.front().end, width = end - begin;
        const std::uint64_t span = bits(begin, end);
        if (used & span || state.base + width > length) break;
        visit(options, State{state.base + width, end, state.bits | (span & tracked_)},
              model().jump(state.last_end, begin));
      }
    }
  }

  TilesUnfolding unfolding_;
  bool is_projection_ = false;
  std::uint64_t tracked_ = 0;
};

}  // namespace widl
