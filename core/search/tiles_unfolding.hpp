#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "expression/tiles.hpp"
#include "search/coverage.hpp"
#include "search/gap_table.hpp"
#include "search/options.hpp"
#include "search/realization.hpp"
#include "search/scorer.hpp"
#include "search/unfolding.hpp"
#include "search/weights.hpp"

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
  TileModel(const Tiles& tiles, Scorer& scorer, const Weights& weights, const ModelOptions& options, bool own_contexts,
            Budget& budget, TileOrientations* orientations = nullptr);

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
  ScoreEstimate gap(std::uint32_t begin, std::uint32_t end) const {
    return gaps_.estimate_of(begin, end);
  }
  ScoreEstimate rest(std::uint32_t begin) const { return {rest_estimates_[begin], rest_bounds_[begin]}; }
  /// Their fewest words and fewest bytes.
  Extent shortest_gap(std::uint32_t begin, std::uint32_t end) const { return gaps_.shortest(begin, end); }
  Extent shortest_rest(std::uint32_t begin) const { return rest_extents_[begin]; }

 private:
  void rank_options(std::uint32_t per_span);
  void tighten_bounds(const Scorer& scorer, Budget& budget);
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

/// The acceptor of a Tiles node, unfolded on demand.
///
/// A state is the coverage and the end of the last phrase. A phrase [b, e) may follow if |b - last_end| is within the
/// distortion limit and, unless b is the left-most free position, so is the jump back from e to it: Moses' rule, which
/// keeps every position within reach. The rule also keeps e within the coverage's window, for any limit.
class TilesUnfolding {
 public:
  using State = Coverage;
  using Edge = UnfoldedEdge<State>;
  using Option = TileOption;

  explicit TilesUnfolding(const TileModel& model) : model_(&model) {}
  const TileModel& model() const { return *model_; }
  const TileOrientations* orientations() const { return nullptr; }

  State initial() const { return {}; }
  bool is_final(const State& state) const { return state.base == model_->length(); }
  bool is_complete(const State& state) const { return is_final(state); }
  static std::uint64_t hash(const State& state) { return state.hash(); }
  /// Number of realized source positions, and of all positions.
  std::uint32_t progress(const State& state) const { return state.count(); }
  std::uint32_t length() const { return model_->length(); }
  static const State& covered(const State& state) { return state; }
  static const State& coverage(const State& state) { return state; }
  static const State& moved(const State&, const State& to) { return to; }

  /// Calls visit(edge) for every possible next alternative.
  template <class Visit>
  void successors(const State& state, Visit&& visit) const {
    for_each_step(state, [&](std::span<const TileOption> options, const State& to, double movement) {
      for (const TileOption& option : options) visit(edge_of(option, to, movement));
    });
  }
  std::optional<Edge> edge(const State&, const TileOption& option, const State& to, double movement) const {
    return edge_of(option, to, movement);
  }
  /// The edge of an alternative that is known to be free.
  std::optional<Edge> step(const State& state, std::uint32_t label) const {
    const TileOption& option = model_->option(label);
    return edge_of(option, state.with(option.begin, option.end), movement(state, option.begin));
  }
  /// The score of a step's movement.
  double movement(const State& state, std::uint32_t begin) const { return model_->jump(state.last_end, begin); }
  /// Adds the features of a step, except language models, words and phrases.
  void add_features(const State& state, std::uint32_t label, const FeatureLayout& layout, std::span<double> row) const {
    const TileOption& option = model_->option(label);
    const Tiles& tiles = model_->tiles();
    const Tiles::Alternative& alternative = tiles.alternatives()[option.alternative];
    const auto log_scores = tiles.log_scores(alternative);
    for (std::size_t j = 0; j < log_scores.size(); ++j) row[j] += log_scores[j];
    const Passed passed(state.last_end, option.begin, tiles.marks_before());
    if (passed.positions) row[layout.distortion()] += passed.positions * tiles.log_movement_base();
    if (layout.has_crossing) row[layout.crossing()] += passed.marks;
    row[layout.unknown()] += alternative.unknown;
  }
  const TileOption& option(std::uint32_t label) const { return model_->option(label); }
  RealizedPhrase phrase(std::uint32_t label) const {
    const TileOption& option = model_->option(label);
    return {option.begin, option.end, option.word_count, option.alternative};
  }
  std::uint32_t phrases_of(std::uint32_t) const { return 1; }

  /// Calls visit(to, bound) for every span that may come next, with the most its alternatives give.
  template <class Visit>
  void best_steps(const State& state, Visit&& visit) const {
    for_each_step(state, [&](std::span<const TileOption> options, const State& to, double movement) {
      visit(to, options.front().rest_bound + movement);
    });
  }

  /// Estimate and bound of completing a state: Pharaoh's future cost and an upper bound, both without the words' outer
  /// contexts; both include the minimum remaining movement, the estimate only with `estimate_movement`.
  ScoreEstimate completion(const State& state) const {
    ScoreEstimate sum{0, 0};
    std::uint32_t gap_end = state.base;
    // Each cell between the last phrase's end and the leftmost gap is jumped over at least once. So is each realized
    // cell to the right of the gap with free cells after it.
    Passed passed(state.last_end, state.base, model_->marks_before());
    const auto pass = [&](std::uint32_t from, std::uint32_t to) { passed += Passed(from, to, model_->marks_before()); };
    std::uint32_t rest = state.for_each_gap([&](std::uint32_t begin, std::uint32_t end) {
      ScoreEstimate gap = model_->gap(begin, end);
      sum.estimate += gap.estimate;
      sum.bound += gap.bound;
      pass(std::clamp(state.last_end, gap_end, begin), begin);
      gap_end = end;
    });
    ScoreEstimate tail = model_->rest(rest);
    if (rest < model_->length()) pass(std::clamp(state.last_end, gap_end, rest), rest);
    if (is_final(state)) passed = {};
    const ScoreEstimate jumps = model_->least_jumps(passed);
    return {sum.estimate + tail.estimate + jumps.estimate, sum.bound + tail.bound + jumps.bound};
  }

  /// The shortest completion, in words and in bytes.
  Extent shortest(const State& state) const {
    Extent sum;
    std::uint32_t rest = state.for_each_gap(
        [&](std::uint32_t begin, std::uint32_t end) { sum = sum + model_->shortest_gap(begin, end); });
    return sum + model_->shortest_rest(rest);
  }

  /// Calls visit(options, state after, score of the movement) for every free span within reach, until it returns false.
  template <class Visit>
  void for_each_step(const State& state, Visit&& visit) const {
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
        std::uint32_t end = options.front().end;
        while (free_until < end && !state.covered(free_until)) ++free_until;
        if (free_until < end || end > furthest) break;
        if constexpr (std::is_same_v<bool, std::invoke_result_t<Visit&, std::span<const TileOption>, State, double>>) {
          if (!visit(options, state.with(begin, end), movement(state, begin))) return;
        } else {
          visit(options, state.with(begin, end), movement(state, begin));
        }
      }
    }
  }

 private:
  const TileModel* model_;
};

}  // namespace widl
