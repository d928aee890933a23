#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "search/coverage.hpp"
#include "search/realization.hpp"
#include "search/tile_model.hpp"
#include "search/unfolding.hpp"
#include "search/weight_vector.hpp"

namespace widl {

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
      visit(to, options.front().bound_from_here + movement);
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
