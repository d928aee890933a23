#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "log_zero.hpp"
#include "search/budget.hpp"
#include "search/constants.hpp"
#include "search/coverage.hpp"
#include "search/state_store.hpp"
#include "search/tile_model.hpp"
#include "search/unfolding.hpp"

namespace widl {

/// The best completion of every coverage, movement exact, language models at their bound: a backward dynamic program
/// over the unfolding, without contexts. Far tighter than the sum over gaps, and small as long as movement is limited;
/// states are solved on demand. For unfoldings whose states contain more than a coverage, it is the best completion
/// over all states with that coverage.
template <class U>
class CoverageBound {
 public:
  using State = Coverage;

  CoverageBound(const U& unfolding, const TileModel& model, Budget& budget)
      : unfolding_(unfolding), model_(model), budget_(budget) {}

  /// @throws OutOfBudget if states must be solved first and the budget does not allow it
  double operator()(const State& query) {
    // Depth first with an explicit stack: a sentence may exceed the depth of the call stack.
    if (const std::uint32_t entry = find(query); entry != StateStore<State>::kNone) return bounds_[entry];
    stack_.assign(1, query);
    double best = 0;
    while (!stack_.empty()) {
      const State state = stack_.back();
      budget_.work(kWorkPerState);
      if (find(state) != StateStore<State>::kNone) {
        stack_.pop_back();
        continue;
      }
      best = state.base == model_.length() ? model_.rest(model_.length()).bound : kLogZero;
      bool ready = true;
      unfolding_.best_steps(state, [&](const State& to, double score) {
        budget_.work(kWorkPerStep);
        const std::uint32_t next_entry = find(to);
        if (next_entry == StateStore<State>::kNone) {
          stack_.push_back(to);
          ready = false;
        } else {
          best = std::max(best, score + bounds_[next_entry]);
        }
      });
      if (!ready) continue;
      make_room(bounds_);
      states_.intern(state, state.hash());
      bounds_.push_back(best);
      stack_.pop_back();
    }
    return best;
  }

 private:
  static constexpr std::size_t kWorkPerState = 20, kWorkPerStep = 10;

  std::uint32_t find(const State& state) const { return states_.find(state, state.hash()); }

  const U& unfolding_;
  const TileModel& model_;
  Budget& budget_;
  StateStore<State> states_{budget_};
  MeteredVector<double> bounds_{budget_};  // by number of the state
  MeteredVector<State> stack_{budget_};
};

/// Bounds of the free part of a sentence: sums over its gaps or, for exact search under a small distortion limit, the
/// solution of every coverage.
template <class U>
class TilesEstimator final : public Estimator<typename U::State> {
 public:
  TilesEstimator(const U& unfolding, const TileModel& model, Budget& budget)
      : unfolding_(unfolding), model_(model), budget_(budget) {}
  /// Solves all coverages if this takes at most half of the remaining budget.
  void solve_coverages() {
    if (model_.distortion_limit() > constants::kSolvableDistortionLimit) return;
    const auto out = catch_out_of_budget([&] {
      const Budget::Share share(budget_, constants::kShareOfBounds);
      solved_.emplace(unfolding_, model_, budget_);
      (*solved_)(U::coverage(unfolding_.initial()));
    });
    if (out) solved_.reset();
  }
  ScoreEstimate of_state(const U::State& state) override {
    if (!solved_ || unfolding_.is_final(state)) return unfolding_.completion(state);
    const double bound = (*solved_)(U::coverage(state));
    return {bound, bound};
  }

 private:
  const U& unfolding_;
  const TileModel& model_;
  Budget& budget_;
  std::optional<CoverageBound<U>> solved_;
};

}  // namespace widl
