#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/budget.hpp"
#include "search/scorer.hpp"
#include "search/tiles_unfolding.hpp"

namespace widl {

/// What may stand in front of a tile's alternative, of this sentence's own words (Soricut & Marcu 2005, Eq. 2): the last
/// word of an alternative that shares no position with it and ends within the distortion limit, or <s>.
///
/// An alternative's first word has its best context among those instead of among all that there are.
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
  /// The last words of the alternatives of one span, a bit each.
  struct Ends {
    std::uint32_t begin, end;
    Counted<std::uint64_t> words;
  };

  void number_words();
  void score_pairs();
  /// The words that may stand in front of what begins at a position.
  Counted<std::uint64_t> before(std::uint32_t begin) const;

  std::span<const TileOption> options_;
  std::uint32_t length_, limit_;
  const Scorer& scorer_;
  Budget& budget_;
  std::vector<PhraseId> firsts_, lasts_;            // a phrase that begins, or ends, with each distinct word
  std::vector<std::uint32_t> first_of_, last_of_;   // by option: the number of its first and of its last word
  std::vector<Ends> ends_;
  Counted<double> scores_{budget_};                 // [first][last]
  std::vector<double> at_start_, anywhere_;         // by first
  double finish_;
};

}  // namespace widl
