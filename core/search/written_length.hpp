#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "errors.hpp"

namespace widl {

/// Computes the length of an expression's strings as written, by a deterministic automaton over their words. Each word
/// is identified by its place in the expression as written. The length of a step may depend on the previous word, for
/// example if it is a comma or a quotation mark. State 0 is the start.
class WrittenLength {
 public:
  using State = std::uint32_t;
  /// The effect of writing a word: the number of added bytes, including a separator before it (even for the first
  /// word).
  struct Step {
    std::uint32_t bytes;
    State to;
  };
  struct Row {
    std::uint32_t more = 0;  ///< bytes that every word adds here, in addition to its usual bytes
    std::vector<std::pair<std::uint32_t, Step>> after;  ///< steps that differ from the usual step, by place
  };

  /// `usual`: the step of each place. @throws InternalError for a missing state or place, or rows out of order
  WrittenLength(std::vector<Step> usual, std::vector<Row> rows) : usual_(std::move(usual)), rows_(std::move(rows)) {
    if (rows_.empty()) throw InternalError("a written length needs at least one state");
    std::uint32_t least_more = std::numeric_limits<std::uint32_t>::max();
    for (const Row& row : rows_) least_more = std::min(least_more, row.more);
    for (const Step& step : usual_) {
      check(step);
      least_.push_back(step.bytes + least_more);
    }
    for (const Row& row : rows_) {
      if (!std::ranges::is_sorted(row.after, {}, &std::pair<std::uint32_t, Step>::first))
        throw InternalError("the steps of a written length are not sorted by place");
      for (const auto& [place, step] : row.after) {
        check(step);
        if (place >= usual_.size()) throw InternalError("a written length has a step for an unknown place");
        least_[place] = std::min(least_[place], step.bytes);
      }
    }
  }

  std::size_t places() const { return usual_.size(); }
  /// The step of a place, which must be one of `places`.
  Step step(State state, std::uint32_t place) const {
    const Row& row = rows_[state];
    const auto entry = std::ranges::lower_bound(row.after, place, {}, &std::pair<std::uint32_t, Step>::first);
    if (entry != row.after.end() && entry->first == place) return entry->second;
    return {usual_[place].bytes + row.more, usual_[place].to};
  }
  /// The fewest bytes of a place, over all preceding words.
  std::uint32_t least(std::uint32_t place) const { return least_[place]; }

 private:
  void check(const Step& step) const {
    if (step.to >= rows_.size()) throw InternalError("a written length has a step to a missing state");
  }

  std::vector<Step> usual_;           // by place
  std::vector<Row> rows_;             // by state
  std::vector<std::uint32_t> least_;  // by place
};

}  // namespace widl
