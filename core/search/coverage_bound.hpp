#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "search/tiles_unfolding.hpp"

namespace widl {

/// The best completion of every coverage, movement exact, language models at their bound: the
/// unfolding solved backwards without contexts. Far tighter than the sum over gaps, and small as
/// long as movement is limited; states are solved when they are first asked for.
template <std::size_t Words>
class CoverageBound {
 public:
  using State = Coverage<Words>;

  CoverageBound(const TilesUnfolding<Words>& unfolding, const TileModel& model)
      : unfolding_(unfolding), model_(model) {}

  double operator()(const State& wanted) {
    // Depth first with an explicit stack: a sentence may be longer than the call stack is deep.
    stack_.assign(1, wanted);
    while (!stack_.empty()) {
      State state = stack_.back();
      if (solved_.contains(state)) {
        stack_.pop_back();
        continue;
      }
      double best = unfolding_.is_final(state) ? model_.rest(model_.length()).bound : TileModel::kImpossible;
      bool ready = true;
      unfolding_.best_steps(state, [&](const State& to, double score) {
        auto found = solved_.find(to);
        if (found == solved_.end()) {
          stack_.push_back(to);
          ready = false;
        } else {
          best = std::max(best, score + found->second);
        }
      });
      if (!ready) continue;
      solved_.emplace(state, best);
      stack_.pop_back();
    }
    return solved_.at(wanted);
  }

 private:
  struct Hash {
    std::size_t operator()(const State& state) const { return state.hash(); }
  };
  const TilesUnfolding<Words>& unfolding_;
  const TileModel& model_;
  std::unordered_map<State, double, Hash> solved_;
  std::vector<State> stack_;
};

}  // namespace widl
