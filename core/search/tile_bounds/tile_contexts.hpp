#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/budget.hpp"
#include "search/ngram_scorer.hpp"
#include "search/tile_model.hpp"

namespace widl {

/// Left contexts that an option can have within its own sentence (Soricut & Marcu 2005, Eq. 2). They relax the order of
/// the phrases: each option chooses its context independently of the others.
///
///   contexts(o) = last words of options that share no position with o and end within the distortion limit of its begin; <s>
///   bound(o)    = score(o) + max over a in contexts(o)  ln p(first words of o | a)  +  ln p(other words of o)
///
/// Words before a short option are not known and count at their best. Example: with three words x, y, z, one option
/// each and no distortion, y has only the context x; with distortion limit 1, it has the contexts x and <s>.
class TileContexts {
 public:
  /// @throws OutOfBudget
  TileContexts(std::span<const TileOption> options, std::uint32_t length, std::uint32_t distortion_limit,
               const NGramScorer& scorer, Budget& budget);

  /// The amount by which each option's bound was too large.
  std::vector<double> slack() const;
  /// Upper bound on the score of </s> after any of them.
  double finish() const { return finish_; }

 private:
  /// The ends of the alternatives of one span, one bit each.
  struct Ends {
    std::uint32_t begin, end;
    MeteredVector<std::uint64_t> left_contexts;
  };

  void number_left_contexts();
  void score_pairs();
  /// The left contexts of options that begin at a position.
  MeteredVector<std::uint64_t> before(std::uint32_t begin) const;

  std::span<const TileOption> options_;
  std::uint32_t length_, limit_;
  const NGramScorer& scorer_;
  Budget& budget_;
  std::vector<PhraseId> prefixes_,
      left_contexts_;                     // a phrase with each distinct prefix, or left context: its last words
  std::vector<std::uint32_t> prefix_of_;  // by option: the number of its prefix
  std::vector<Ends> ends_;
  MeteredVector<double> scores_{budget_};    // [prefix][left context]
  std::vector<double> at_start_, anywhere_;  // by prefix
  double finish_;
};

}  // namespace widl
