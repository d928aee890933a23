#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "errors.hpp"

namespace widl {

/// A regular set of strings: the intersection of deterministic finite automata over words. A constraint state has one
/// state per automaton; the start is state 0 of each.
class Constraint {
 public:
  using State = std::uint32_t;               ///< of one automaton
  static constexpr State kDead = ~State{0};  ///< no string of the set has this prefix

  struct Row {
    bool accepts = false;     ///< whether the words read are a string of the set
    State otherwise = kDead;  ///< after a word that is not in `after`
    std::vector<std::pair<std::string, State>> after;
  };

  /// @throws InternalError for an automaton without states, or with an edge to a missing state
  explicit Constraint(const std::vector<std::vector<Row>>& automata) {
    for (const std::vector<Row>& rows : automata)
      for (const Row& row : rows)
        for (const auto& [word, _] : row.after)
          numbers_.try_emplace(word, static_cast<std::uint32_t>(numbers_.size() + 1));
    for (const std::vector<Row>& rows : automata) automata_.push_back(automaton_of(rows));
  }

  /// Number of automata, which is the size of a constraint state.
  std::size_t size() const { return automata_.size(); }
  bool accepts(std::span<const State> states) const {
    for (std::size_t k = 0; k < automata_.size(); ++k)
      if (!automata_[k].accepts[states[k]]) return false;
    return true;
  }
  /// The number of a word; 0 for words that no row names.
  std::uint32_t number(std::string_view word) const {
    const auto entry = numbers_.find(std::string(word));
    return entry == numbers_.end() ? 0 : entry->second;
  }
  /// Reads the next word, given by id. Returns false if no string has this prefix; `states` is then
  /// unspecified.
  bool read(std::uint32_t number, std::span<State> states) const {
    for (std::size_t k = 0; k < automata_.size(); ++k) {
      states[k] = automata_[k].next[states[k] * words() + number];
      if (states[k] == kDead) return false;
    }
    return true;
  }

 private:
  struct Automaton {
    std::vector<bool> accepts;
    std::vector<State> next;  // by state and number of a word
  };

  std::size_t words() const { return numbers_.size() + 1; }

  Automaton automaton_of(const std::vector<Row>& rows) const {
    if (rows.empty()) throw InternalError("a constraint needs at least one state");
    Automaton automaton;
    for (const Row& row : rows) {
      automaton.accepts.push_back(row.accepts);
      automaton.next.resize(automaton.next.size() + words(), row.otherwise);
      for (const auto& [word, to] : row.after) automaton.next[automaton.next.size() - words() + numbers_.at(word)] = to;
    }
    for (const State to : automaton.next)
      if (to != kDead && to >= rows.size()) throw InternalError("a constraint has an edge to a missing state");
    return automaton;
  }

  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<Automaton> automata_;
};

}  // namespace widl
