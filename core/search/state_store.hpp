#pragma once

#include <cstddef>
#include <cstdint>

#include "search/budget.hpp"
#include "search/hash_index.hpp"

namespace widl {

/// Numbered states; equal states have equal numbers.
template <class State>
class StateStore {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = HashIndex<>::kNone;

  explicit StateStore(Budget& budget) : states_(budget), index_(budget) {}

  const State& operator[](Id state) const { return states_[state]; }
  std::size_t size() const { return states_.size(); }
  Id find(const State& state, std::uint64_t hash) const {
    return index_.find(hash, [&](Id number) { return states_[number] == state; });
  }
  /// Returns the number of a state; adds new states. @throws OutOfBudget
  Id intern(const State& state, std::uint64_t hash) {
    if (const Id existing = find(state, hash); existing != kNone) return existing;
    index_.make_room();
    make_room(states_);
    const auto number = static_cast<Id>(states_.size());
    states_.push_back(state);
    index_.insert(hash, number);
    return number;
  }

 private:
  MeteredVector<State> states_;
  HashIndex<BudgetAllocator> index_;
};

}  // namespace widl
