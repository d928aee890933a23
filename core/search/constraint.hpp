#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "errors.hpp"

namespace widl {

/// A regular set of strings: a deterministic finite automaton over words. State 0 is the start.
class Constraint {
 public:
  using State = std::uint32_t;
  static constexpr State kDead = ~State{0};  ///< no string of the set goes on so

  struct Row {
    bool accepts = false;                               ///< whether the set has the words so far
    State otherwise = kDead;                            ///< after a word that is not in `after`
    std::vector<std::pair<std::string, State>> after;
  };

  /// @throws InternalError for a state that there isn't
  explicit Constraint(const std::vector<Row>& rows) {
    for (const Row& row : rows)
      for (const auto& [word, _] : row.after) numbers_.try_emplace(word, static_cast<std::uint32_t>(numbers_.size() + 1));
    for (const Row& row : rows) {
      accepts_.push_back(row.accepts);
      next_.resize(next_.size() + words(), row.otherwise);
      for (const auto& [word, to] : row.after) next_[next_.size() - words() + numbers_.at(word)] = to;
    }
    for (const State to : next_)
      if (to != kDead && to >= rows.size()) throw InternalError("a constraint leads to a state that there isn't");
    if (rows.empty()) throw InternalError("a constraint has a start");
  }

  bool accepts(State state) const { return accepts_[state]; }
  /// The number of a word; 0 for all that no row names.
  std::uint32_t number(std::string_view word) const {
    const auto found = numbers_.find(std::string(word));
    return found == numbers_.end() ? 0 : found->second;
  }
  /// The state after one more word, given by its number.
  State next(State state, std::uint32_t number) const { return next_[state * words() + number]; }

 private:
  std::size_t words() const { return numbers_.size() + 1; }

  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<bool> accepts_;
  std::vector<State> next_;  // by state and number of a word
};

}  // namespace widl
