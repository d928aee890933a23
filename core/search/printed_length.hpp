#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "errors.hpp"

namespace widl {

/// Computes the length of an expression's strings as printed, by a deterministic automaton over their words. Each word
/// is identified by its position in the expression as written. The length of a step may depend on the previous word, for
/// example if it is a comma or a quotation mark. State 0 is the start.
class PrintedLength {
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
    std::vector<std::pair<std::uint32_t, Step>> after;  ///< steps that differ from the usual step, by position
  };

  /// `usual`: the step of each position. @throws InternalError for a missing state or position, or rows out of order
  PrintedLength(std::vector<Step> usual, std::vector<Row> rows) : usual_(std::move(usual)), rows_(std::move(rows)) {
    if (rows_.empty()) throw InternalError("a printed length needs at least one state");
    std::uint32_t least_more = std::numeric_limits<std::uint32_t>::max();
    for (const Row& row : rows_) least_more = std::min(least_more, row.more);
    for (const Step& step : usual_) {
      check(step);
      least_.push_back(step.bytes + least_more);
    }
    for (const Row& row : rows_) {
      if (!std::ranges::is_sorted(row.after, {}, &std::pair<std::uint32_t, Step>::first))
        throw InternalError("the steps of a printed length are not sorted by position");
      for (const auto& [position, step] : row.after) {
        check(step);
        if (position >= usual_.size()) throw InternalError("a printed length has a step for an unknown position");
        least_[position] = std::min(least_[position], step.bytes);
      }
    }
  }

  std::size_t positions() const { return usual_.size(); }
  /// The step of a position, which must be one of `positions`.
  Step step(State state, std::uint32_t position) const {
    const Row& row = rows_[state];
    const auto entry = std::ranges::lower_bound(row.after, position, {}, &std::pair<std::uint32_t, Step>::first);
    if (entry != row.after.end() && entry->first == position) return entry->second;
    return {usual_[position].bytes + row.more, usual_[position].to};
  }
  /// The fewest bytes of a position, over all preceding words.
  std::uint32_t least(std::uint32_t position) const { return least_[position]; }

 private:
  void check(const Step& step) const {
    if (step.to >= rows_.size()) throw InternalError("a printed length has a step to a missing state");
  }

  std::vector<Step> usual_;           // by position
  std::vector<Row> rows_;             // by state
  std::vector<std::uint32_t> least_;  // by position
};

}  // namespace widl
