#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "search/budget.hpp"
#include "search/tile_bounds/left_contexts.hpp"
#include "search/tile_bounds/tile_graph.hpp"
#include "search/tile_bounds/tile_space.hpp"
#include "search/tile_model.hpp"

namespace widl {

/// An upper bound on the derivations of tiles by Lagrangian relaxation, L(φ) or L(φ, u) of README.md (sections 4 and 5):
///
///   L(φ) = max over coverages Σ steps  max over options o of the step's span, left contexts a at e of
///            score(o) + prefix(o | a) - φ_e(a) + φ_end(o)(left context of o)
///
/// Coverage and movement stay exact. Each phrase chooses the words before it that language models see; multipliers φ make
/// the choices agree. `tighten` is the loop of rounds that lower the bound, and the functions it calls follow it in order.
/// Steps and options with a max-marginal below the floor are pruned. Bounds then cover the remaining derivations.
class TileBound {
 public:
  using State = TileGraph::State;
  using StateId = TileGraph::StateId;
  using Arc = TileGraph::Arc;
  static constexpr StateId kNoState = TileGraph::kNoState;

  /// @throws OutOfBudget, also for more than `most` states
  TileBound(const TileSpace& space, std::shared_ptr<LeftContexts> contexts, double floor, std::size_t most,
            Budget& budget);
  /// The bound of a finer space, without the steps that the bound of a coarser space prunes. `coarse` must be solved,
  /// lends its multipliers, and must not be tightened afterwards. @throws OutOfBudget, also for more than `most` states
  TileBound(const TileSpace& space, const TileBound& coarse, std::size_t most, Budget& budget);

  /// Lowers the bound in up to `rounds` rounds, until it is at most `enough` or progress stalls. @throws OutOfBudget;
  /// the bound keeps the progress so far
  void tighten(unsigned rounds, double enough);
  double bound() const { return std::max(bound_, floor_); }

  // Queries for search, after the last round. Bounds hold for derivations above the floor.
  bool is_empty() const { return graph_.is_empty(); }
  StateId find(const State& state) const { return graph_.find(state); }
  const State& state(StateId number) const { return graph_.state(number); }
  /// Upper bound on completing a state, to which the multiplier of its left context is added.
  double completion(StateId number) const { return graph_.completion(number); }
  std::span<const Arc> arcs(StateId number) const { return graph_.arcs(number); }
  std::span<const LiveOption> options(const Arc& arc) const { return graph_.live(graph_.span(arc)); }
  double best(const Arc& arc) const { return graph_.span(arc).value; }
  const LeftContexts& contexts() const { return *contexts_; }
  /// Number of times the best derivation realizes each position; it may differ from 1 in a projection.
  std::vector<std::uint32_t> visits() const { return graph_.visits(); }

 private:
  using SpanAfter = TileGraph::SpanAfter;
  /// A short option to refine after a left context.
  struct Candidate {
    double max_marginal;
    LeftContexts::OptionId option;
    std::uint32_t end;
    LeftContexts::LeftContext required;
  };

  bool has_position_multipliers() const { return graph_.space().is_projection(); }
  void start_position_multipliers();
  double sum_of_position_multipliers() const;
  double solve();
  void keep_prefixes();
  void find_marginals();
  void find_marginals(const SpanAfter& span, const LiveOption& option);
  void find_candidates(double now);
  void refine();
  void update_multipliers();
  void update_position_multipliers(double now);
  double completion_of_finer(const State& finer, const TileSpace& space) const;

  Budget& budget_;
  const TileModel& model_;
  double floor_;
  std::shared_ptr<LeftContexts> contexts_;
  TileGraph graph_;
  std::vector<double> position_multipliers_;  // zeros in a space of coverages
  std::vector<double> others_;
  std::vector<Candidate> candidates_;
  double bound_ = std::numeric_limits<double>::infinity();
};

}  // namespace widl
