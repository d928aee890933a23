#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "expression/tiles.hpp"
#include "search/coverage.hpp"
#include "search/ngram_scorer.hpp"
#include "search/options.hpp"
#include "search/tile_bounds/gap_table.hpp"
#include "search/unfolding.hpp"
#include "search/weight_vector.hpp"

namespace widl {

/// An alternative of a tile, scored.
struct TileOption : StepOption {
  std::uint32_t begin, end;
  std::uint32_t alternative;  ///< its number in the Tiles
};

class TileOrientations;

/// Source positions that jumps pass over, and the clause marks among them.
struct Passed {
  std::uint32_t positions = 0, marks = 0;

  Passed() = default;
  /// `marks_before`: by position, the number of clause marks in front of it.
  Passed(std::uint32_t from, std::uint32_t to, std::span<const std::uint32_t> marks_before) {
    if (from > to) std::swap(from, to);
    positions = to - from;
    marks = marks_before[to] - marks_before[from];
  }
  Passed& operator+=(const Passed& other) {
    positions += other.positions;
    marks += other.marks;
    return *this;
  }
  double score(double of_position, double of_mark) const { return positions * of_position + marks * of_mark; }
};

/// `Tiles` joined with weights and language models: options by position, and estimates and bounds of the free part of a
/// sentence. Bounds, and optionally estimates, include the best reordering score; the options' scores do not.
class TileModel {
 public:
  /// `own_contexts`: see needs_own_contexts.
  TileModel(const Tiles& tiles, NGramScorer& scorer, const WeightVector& weights, const SpaceOptions& options,
            bool own_contexts, Budget& budget, TileOrientations* orientations = nullptr);

  std::uint32_t length() const { return length_; }
  /// Options that begin at a position, by end, best estimate first among equal ends.
  std::span<const TileOption> options_at(std::uint32_t begin) const {
    return {options_.data() + first_[begin], options_.data() + first_[begin + 1]};
  }
  /// Like `options_at`, with one run of options per end.
  std::span<const std::span<const TileOption>> spans_at(std::uint32_t begin) const {
    return {spans_.data() + first_span_[begin], spans_.data() + first_span_[begin + 1]};
  }
  const TileOption& option(std::uint32_t label) const { return options_[label]; }
  const Tiles& tiles() const { return *tiles_; }
  const std::vector<TileOption>& options() const { return options_; }

  /// The score of jumping from the end of a phrase to the begin of the next one.
  double jump(std::uint32_t from, std::uint32_t to) const {
    return Passed{from, to, marks_before_}.score(movement_, crossing_);
  }
  /// Estimate and bound of jumps that pass over at least these positions and marks.
  ScoreEstimate least_jumps(const Passed& passed) const {
    // A weight of unusual sign rewards movement: every phrase jumps as far as possible.
    const auto bound = [&](double weight, std::uint32_t least, std::uint32_t most) {
      return weight * (weight <= 0 ? double(least) : double(length_) * most);
    };
    return {passed.score(estimated_movement_, estimated_crossing_),
            bound(movement_, passed.positions, std::min(length_, distortion_limit_)) +
                bound(crossing_, passed.marks, marks_before_.back())};
  }
  /// An upper bound on derivations in which a phrase ends more than Coverage::kWindow positions after the first free
  /// position and begins after it: no search unfolds them. Minus infinity if there are none.
  double bound_beyond_window() const;
  /// By position, the number of clause marks in front of it.
  std::span<const std::uint32_t> marks_before() const { return marks_before_; }
  std::uint32_t distortion_limit() const { return distortion_limit_; }
  /// Zones and walls.
  const OrderConstraints& reordering() const { return *reordering_; }

  /// Best segmentation of the gap [begin, end), or of all positions from `begin` on, without movement.
  ScoreEstimate gap(std::uint32_t begin, std::uint32_t end) const { return gaps_.estimate_of(begin, end); }
  ScoreEstimate rest(std::uint32_t begin) const { return {rest_estimates_[begin], rest_bounds_[begin]}; }
  /// Their fewest words and fewest bytes.
  Extent shortest_gap(std::uint32_t begin, std::uint32_t end) const { return gaps_.shortest(begin, end); }
  Extent shortest_rest(std::uint32_t begin) const { return rest_extents_[begin]; }

 private:
  void rank_options(std::uint32_t per_span);
  void tighten_bounds(const NGramScorer& scorer, Budget& budget);
  void index_options();
  void fill_rests();

  const Tiles* tiles_;
  std::uint32_t length_;
  std::uint32_t distortion_limit_;
  double movement_, estimated_movement_;  // λ ln a, the score of moving by one position
  double crossing_, estimated_crossing_;  // of passing over a clause mark
  std::span<const std::uint32_t> marks_before_;
  const OrderConstraints* reordering_;
  ScoreEstimate finish_;
  std::vector<TileOption> options_;
  std::vector<std::uint32_t> first_;
  std::vector<std::span<const TileOption>> spans_;
  std::vector<std::uint32_t> first_span_;
  std::vector<double> rest_estimates_, rest_bounds_;
  std::vector<Extent> rest_extents_;
  GapTable gaps_;
};

}  // namespace widl
