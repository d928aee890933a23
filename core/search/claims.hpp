#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "search/budget.hpp"
#include "search/row_loops.hpp"
#include "search/scorer.hpp"
#include "search/tile_orientations.hpp"
#include "search/tiles_unfolding.hpp"

namespace widl {

constexpr double kNeverClaimed = -std::numeric_limits<double>::infinity();
/// The price of a tail that nothing leaves behind: far above any score, and finite, so that sums are numbers.
constexpr double kNobodysPrice = 1e18;

/// The tails of the alternatives that end at a position, or the beginning of the sentence: what is known of the words
/// behind which the next phrase stands.
struct ClaimEnd {
  explicit ClaimEnd(Budget& budget) : prices(budget), finishes(budget), used(budget), claimed(budget) {}
  /// How much of a row must be looked at: all tails, in whole vectors.
  std::size_t width() const { return (tails.size() + RowLoops::kLanes - 1) / RowLoops::kLanes * RowLoops::kLanes; }
  std::vector<std::vector<PhraseId>> tails;  // the last alternative and, where they are told apart, those before it
  std::vector<bool> from_start;              // by tail: whether the first of them begins the sentence
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;  // of tails, by what language models see of them
  Counted<double> prices;         // φ, with room for more tails; so are the other rows
  Counted<double> finishes;       // </s> behind each tail
  Counted<double> used, claimed;  // the best derivation that leaves, or claims, each tail
};
/// Heads that begin at one position behind the tails at one end.
struct ClaimBlock {
  std::uint32_t end, begin;
  Counted<std::uint32_t> live;  // heads of alternatives that were not left out: only their rows are kept up
  Counted<double> scores;       // [head][tail], in rows as long as the end's prices
  Counted<double> values;       // by head: with the best claim
  Counted<double> around;       // by head: the best of what remains of derivations with it
};

/// The best of scores less prices.
inline double best_claim(const ClaimEnd& end, const double* scores, const double* prices) {
  return row_loops.best_difference(scores, prices, end.width());
}
/// Raises what the best derivation that claims each tail is worth to what claiming it here gives.
inline void raise_claims(ClaimEnd& end, double around, const double* scores, const double* prices) {
  row_loops.raise_to_differences(around, scores, prices, end.width(), end.claimed.data());
}

/// The tables of TransitionBound: tails and their prices, and what language models give at most each alternative's head
/// behind each of them.
class Claims {
 public:
  using Option = std::uint32_t;  ///< its place in the model
  using Tail = std::uint32_t;    ///< its number at an end
  /// A short alternative behind one of the tails at an end: there it leaves a tail of which more is known.
  struct Refinement {
    Tail claimed, left;
  };

  /// At least what language models give an option's words: behind each tail and, the tail's price paid, behind any.
  struct WordBounds {
    const double* heads;  // by tail
    double behind_head;
    double best;
    double behind(Tail tail) const { return heads[tail] + behind_head; }
  };

  /// `orientations`: of the reordering model, or none: each option stands to its neighbours as it likes best, but for
  /// whether it follows the last phrase's end. @throws OutOfBudget
  Claims(const TileModel& model, const TileOrientations* orientations, const Scorer& scorer, Budget& budget);

  /// Scores what begins at a position behind an end, if it is not yet.
  void add_block(std::uint32_t end, std::uint32_t begin);
  /// Leaves out all heads but those that `mark_all(mark)` calls mark(block, option) for: nothing is asked of the others any
  /// more.
  template <class MarkAll>
  void keep_heads(MarkAll&& mark_all) {
    for (ClaimBlock& block : block_list_) std::ranges::fill(block.around, kNeverClaimed);
    mark_all([&](ClaimBlock& block, Option o) { block.around[head_of_[o]] = 0; });
    for (ClaimBlock& block : block_list_)
      std::erase_if(block.live, [&](std::uint32_t head) { return block.around[head] == kNeverClaimed; });
  }
  void value_heads();

  std::size_t ends() const { return ends_.size(); }
  ClaimEnd& end(std::uint32_t position) { return ends_[position]; }
  const ClaimEnd& end(std::uint32_t position) const { return ends_[position]; }
  std::vector<ClaimBlock>& blocks() { return block_list_; }
  ClaimBlock& block(std::uint32_t end, std::uint32_t begin) { return block_list_[blocks_[end * ends_.size() + begin]]; }
  const ClaimBlock& block(std::uint32_t end, std::uint32_t begin) const {
    return block_list_[blocks_[end * ends_.size() + begin]];
  }
  std::uint32_t head(Option o) const { return head_of_[o]; }
  const double* scores(const ClaimBlock& block, Option o) const {
    return &block.scores[head_of_[o] * ends_[block.end].prices.size()];
  }
  WordBounds words(const ClaimBlock& block, Option o) const {
    return {scores(block, o), behind_head_[o], block.values[head_of_[o]] + behind_head_[o]};
  }
  /// What finishes have more than language models give: the last option's promise that is not kept.
  double relief() const { return relief_; }
  bool is_short(Option o) const { return model_.options()[o].word_count < reach_; }

  /// The price that an option earns unless what stands before it is told apart.
  double earned(Option o) const { return ends_[model_.options()[o].end].prices[tail_of_[o]]; }
  /// The score of an option but its head, and what it earns.
  double own(const ClaimBlock& block, Option o) const { return own_[block.end == block.begin][o] + earned(o); }
  /// An option with its best claim.
  double value(const ClaimBlock& block, Option o) {
    const Refined* refined = refined_at(o, block.end);
    if (!refined) return own(block, o) + block.values[head_of_[o]];
    return own(block, o) + best_claim(ends_[block.end], scores(block, o), prices_before(block, o, *refined));
  }
  /// The prices of claims before an option: those that lead to another tail than its own are worth so much more.
  const double* prices_before(const ClaimBlock& block, Option o) {
    const Refined* refined = refined_at(o, block.end);
    return refined ? prices_before(block, o, *refined) : ends_[block.end].prices.data();
  }

  /// The tail that an option leaves behind another.
  Tail left(Option o, std::uint32_t end, Tail claimed) const {
    if (const Refined* refined = refined_at(o, end))
      for (const Refinement& one : refined->tails)
        if (one.claimed == claimed) return one.left;
    return tail_of_[o];
  }
  Tail own_tail(Option o) const { return tail_of_[o]; }
  /// Those of an option behind an end.
  std::span<const Refinement> refinements(Option o, std::uint32_t end) const {
    const Refined* refined = refined_at(o, end);
    return refined ? std::span<const Refinement>(refined->tails) : std::span<const Refinement>();
  }
  /// Tells apart what an option leaves behind a tail; whether that says more.
  bool refine(Option o, std::uint32_t end, Tail claimed);

 private:
  struct Refined {
    std::uint32_t end;
    std::vector<Refinement> tails;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kWorkPerScore = 10;

  const Refined* refined_at(Option o, std::uint32_t end) const {
    for (const Refined& one : refinements_[o])
      if (one.end == end) return &one;
    return nullptr;
  }
  const double* prices_before(const ClaimBlock& block, Option o, const Refined& refined);
  Tail tail(std::uint32_t end, std::vector<PhraseId> phrases, bool from_start, double price);
  void revive(std::uint32_t end, Tail tail, double price);
  void sort_heads();
  void lengthen_rows(std::uint32_t end);
  void score_behind(std::uint32_t end, Tail tail);
  void score(ClaimBlock& block, const Scorer::Known& known, Tail tail);
  Scorer::Known known(std::uint32_t end, Tail tail) const {
    return scorer_.known(ends_[end].tails[tail], ends_[end].from_start[tail]);
  }

  const TileModel& model_;
  const Scorer& scorer_;
  Budget& budget_;
  std::uint32_t reach_;
  std::vector<ClaimEnd> ends_;                     // by position
  std::vector<std::vector<PhraseId>> heads_;       // by position, those that begin there: a phrase with each
  std::array<std::vector<double>, 2> own_;         // [monotone][option]: its score without that of its head
  std::vector<double> behind_head_;                // by option: the score of the words behind the longest head of all models
  double relief_ = 0;                              // what the end of the sentence gives at most but language models
  std::vector<std::uint32_t> tail_of_, head_of_;   // by option, among those of its end or begin
  std::vector<std::uint32_t> blocks_;              // [end][begin]
  std::vector<ClaimBlock> block_list_;
  std::vector<std::vector<Refined>> refinements_;  // by option
  std::vector<std::vector<Option>> refined_;       // by end, the options with some behind it
  std::vector<double> scratch_;
};

}  // namespace widl
