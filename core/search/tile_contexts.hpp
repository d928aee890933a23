#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/budget.hpp"
#include "search/scorer.hpp"
#include "search/tiles_unfolding.hpp"

namespace widl {

/// What may stand in front of a tile's alternative, of this sentence's own words (Soricut & Marcu 2005, Eq. 2): the last
/// words of an alternative that shares no position with it and ends within the distortion limit, or <s>. What stands
/// before a short one is not known.
///
/// An alternative's first words have their best context among those instead of among all that there are.
class TileContexts {
 public:
  /// @throws OutOfBudget
  TileContexts(std::span<const TileOption> options, std::uint32_t length, std::uint32_t distortion_limit,
               const Scorer& scorer, Budget& budget);

  /// Of the bound of each option, by how much it was too large.
  std::vector<double> slack() const;
  /// At least the score of </s> behind any of them.
  double finish() const { return finish_; }

 private:
  /// What the alternatives of one span end with, a bit each.
  struct Ends {
    std::uint32_t begin, end;
    Counted<std::uint64_t> left_contexts;
  };

  void number_left_contexts();
  void score_pairs();
  /// The left contexts that may stand in front of what begins at a position.
  Counted<std::uint64_t> before(std::uint32_t begin) const;

  std::span<const TileOption> options_;
  std::uint32_t length_, limit_;
  const Scorer& scorer_;
  Budget& budget_;
  std::vector<PhraseId> prefixes_, left_contexts_;  // a phrase with each distinct prefix, or left context: its last words
  std::vector<std::uint32_t> prefix_of_;        // by option: the number of its prefix
  std::vector<Ends> ends_;
  Counted<double> scores_{budget_};           // [prefix][left context]
  std::vector<double> at_start_, anywhere_;   // by prefix
  double finish_;
};

}  // namespace widl
