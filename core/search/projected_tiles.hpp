#pragma once

#include <cstdint>
#include <span>

#include "search/hash_table.hpp"
#include "search/tiles_unfolding.hpp"

namespace widl {

/// What a coverage leaves behind where it is known of some positions only whether they are realized: which of those are,
/// how many of all, and where the last phrase ended.
struct Projection {
  std::uint64_t known = 0;
  std::uint32_t last_end = 0;
  std::uint32_t covered = 0;

  bool operator==(const Projection&) const = default;
  std::uint32_t count() const { return covered; }
  std::uint64_t hash() const { return mix(known ^ mix(std::uint64_t{last_end} << 32 | covered)); }
};

/// The tiles of a sentence of at most 64 positions with less than their coverage: a relaxation whose derivations may
/// realize positions that are not tracked twice or never, as long as the number of positions is right. All derivations of
/// coverages are among them, whatever zones and walls there are.
class ProjectedTiles {
 public:
  using State = Projection;

  /// `tracked`: a bit for each position that is.
  ProjectedTiles(const TileModel& model, std::uint64_t tracked) : model_(&model), tracked_(tracked) {}

  static constexpr bool kHasPositionMultipliers = true;
  /// Whether coverages of a sentence are too many to list them at once.
  static bool pay_for(const TileModel& model) {
    constexpr std::uint32_t kFewCoverages = 8;  // limit of movement up to which they are few
    return model.distortion_limit() > kFewCoverages && model.length() <= 64;
  }
  const TileModel& model() const { return *model_; }

  State initial() const { return {}; }
  bool is_final(const State& state) const { return state.covered == model_->length() && state.known == tracked_; }
  State project(const State& finer) const { return {finer.known & tracked_, finer.last_end, finer.covered}; }
  State project(const Coverage& finer) const { return {finer.realized() & tracked_, finer.last_end, finer.count()}; }

  static std::uint64_t bits(std::uint32_t begin, std::uint32_t end) {
    return (~std::uint64_t{0} >> (64 - (end - begin))) << begin;
  }

  /// Calls visit(options, state after, score of the movement) for every span that may come next.
  template <class Visit>
  void for_each_step(const State& state, Visit&& visit) const {
    const std::uint32_t length = model_->length(), limit = model_->distortion_limit();
    const std::uint64_t used = state.known | (state.last_end ? bits(state.last_end - 1, state.last_end) : 0);
    for (std::uint32_t begin = 0; begin < length; ++begin) {
      const std::uint32_t distance = begin > state.last_end ? begin - state.last_end : state.last_end - begin;
      if (distance > limit || used >> begin & 1) continue;
      for (std::span<const TileOption> options : model_->spans_at(begin)) {
        const std::uint32_t end = options.front().end;
        const std::uint64_t span = bits(begin, end);
        if (used & span || state.covered + (end - begin) > length) break;
        visit(options, State{state.known | (span & tracked_), end, state.covered + (end - begin)},
              distance * model_->movement());
      }
    }
  }

 private:
  const TileModel* model_;
  std::uint64_t tracked_;
};

}  // namespace widl
