#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "search/mix.hpp"
#include "search/tile_orientations.hpp"
#include "search/tiles_unfolding.hpp"

namespace widl {

/// The acceptor of tiles under a reordering model. A state is a TilesUnfolding state plus the begin and the
/// forward scores of the last phrase. Paths with equal states have equal futures.
class OrientedUnfolding {
 public:
  using Inner = TilesUnfolding;
  struct State {
    Coverage coverage;
    TileOrientations::LastPhraseId last_phrase = TileOrientations::kStart;
    bool operator==(const State&) const = default;
  };
  using Edge = UnfoldedEdge<State>;
  using Option = TileOption;

  OrientedUnfolding(const TileModel& model, const TileOrientations& orientations)
      : inner_(model), model_(&model), orientations_(&orientations) {}

  const TileModel& model() const { return *model_; }
  const TileOrientations* orientations() const { return orientations_; }

  State initial() const { return {inner_.initial()}; }
  bool is_final(const State& state) const { return inner_.is_final(state.coverage); }
  bool is_complete(const State& state) const { return is_final(state); }
  static std::uint64_t hash(const State& state) {
    return mix(state.coverage.hash() + state.last_phrase * 0x9e3779b97f4a7c15ULL);
  }
  std::uint32_t progress(const State& state) const { return inner_.progress(state.coverage); }
  std::uint32_t length() const { return inner_.length(); }
  static const State& covered(const State& state) { return state; }
  static const State& moved(const State&, const State& to) { return to; }
  static const Coverage& coverage(const State& state) { return state.coverage; }

  template <class Visit>
  void successors(const State& state, Visit&& visit) const {
    for_each_step(state, [&](std::span<const TileOption> options, const State& to, double step_score) {
      for (const TileOption& option : options) visit(*edge(state, option, to, step_score));
    });
  }
  /// The state after an edge knows the edge's phrase. The state of a step doesn't, because all options of the step
  /// share it.
  std::optional<Edge> edge(const State&, const TileOption& option, State to, double step_score) const {
    to.last_phrase = orientations_->last_phrase(option, to.coverage);
    if (is_final(to)) step_score -= orientations_->promise_of(option.label) + orientations_->final_bound();
    return edge_of(option, to, step_score);
  }
  std::optional<Edge> step(const State& state, std::uint32_t label) const {
    TileOption option = model_->option(label);
    const std::size_t o = orientation(state, option);
    option.score += orientations_->backward(label, o) + orientations_->promise_of(label);
    const State to{state.coverage.with(option.begin, option.end)};
    return edge(state, option, to, step_score(state, to, o, inner_.movement(state.coverage, option.begin)));
  }
  void add_features(const State& state, std::uint32_t label, const FeatureLayout& layout, std::span<double> row) const {
    inner_.add_features(state.coverage, label, layout, row);
    orientations_->add_features(state.last_phrase, label, orientation(state, model_->option(label)),
                                row.subspan(layout.first_reordering()));
  }
  const TileOption& option(std::uint32_t label) const { return inner_.option(label); }
  RealizedPhrase phrase(std::uint32_t label) const { return inner_.phrase(label); }
  std::uint32_t phrases_of(std::uint32_t label) const { return inner_.phrases_of(label); }

  /// Like TilesUnfolding's, for all states of one coverage.
  template <class Visit>
  void best_steps(const Coverage& state, Visit&& visit) const {
    inner_.for_each_step(state, [&](std::span<const TileOption> options, const Coverage& to, double movement) {
      visit(to, orientations_->best(options.front().begin == state.last_end, options) + movement);
    });
  }
  ScoreEstimate completion(const State& state) const {
    ScoreEstimate completion = inner_.completion(state.coverage);
    if (is_final(state)) completion.bound -= orientations_->final_bound();  // the last step has it
    return completion;
  }
  Extent shortest(const State& state) const { return inner_.shortest(state.coverage); }

  template <class Visit>
  void for_each_step(const State& state, Visit&& visit) const {
    const auto oriented = [&](std::span<const TileOption> options, const Coverage& covered, double movement) {
      const std::size_t o = orientation(state, options.front());
      const State to{covered};
      return visit(orientations_->options(o, options), to, step_score(state, to, o, movement));
    };
    inner_.for_each_step(state.coverage, oriented);
  }

 private:
  std::size_t orientation(const State& state, const TileOption& option) const {
    return orientations_->orientation(state.last_phrase, state.coverage, option.begin, option.end);
  }
  /// Upper bound on the score of a step without its options. At the end of the sentence, it subtracts the options'
  /// unfulfilled promises.
  double step_score(const State& from, const State& to, std::size_t orientation, double movement) const {
    return movement + orientations_->settle(from.last_phrase, orientation) +
           (is_final(to) ? orientations_->final_bound() : 0);
  }

  Inner inner_;
  const TileModel* model_;
  const TileOrientations* orientations_;
};

}  // namespace widl
