#pragma once

#include <cstddef>
#include <cstdint>

#include "log_zero.hpp"
#include "search/budget.hpp"
#include "search/constants.hpp"
#include "search/ngram_scorer.hpp"
#include "search/unfolding.hpp"

namespace widl {

struct TileOption;

/// Estimates and bounds of the best segmentations of stretches of source positions, without movement. Uses a table of
/// all stretches. Without room or time for it, uses bounds from the positions' shares in tiles.
class GapTable {
 public:
  /// Room for stretches of up to `longest` of `length` positions. `limited`: whether extents will be needed.
  GapTable(std::uint32_t length, std::uint32_t longest, bool limited, Budget& budget);

  /// `options_at(begin)`: the tiles that begin there. A table that exceeds the budget is not completed.
  template <class OptionsAt>
  void fill(OptionsAt&& options_at);

  ScoreEstimate estimate_of(std::uint32_t begin, std::uint32_t end) const {
    if (!estimates_.empty()) return {estimates_[cell(begin, end)], bounds_[cell(begin, end)]};
    if (!can_cover(begin, end)) return {kLogZero, kLogZero};
    return {estimate_shares_[end] - estimate_shares_[begin], bound_shares_[end] - bound_shares_[begin]};
  }
  /// Lower bounds of the number of words and of bytes.
  Extent shortest(std::uint32_t begin, std::uint32_t end) const;
  /// Whether the table is complete and no shares are used.
  bool is_exact() const { return !estimates_.empty(); }

 private:
  std::size_t cell(std::uint32_t begin, std::uint32_t end) const {
    return std::size_t{begin} * (longest_ + 1) + (end - begin);
  }
  bool can_cover(std::uint32_t begin, std::uint32_t end) const {
    const std::uint64_t* row = &coverable_[begin * row_words_];
    return row[(end - begin) / 64] >> ((end - begin) % 64) & 1;
  }
  template <class OptionsAt>
  void fill_cells(OptionsAt&& options_at);
  template <class OptionsAt>
  void fill_shares(OptionsAt&& options_at);
  void join(std::uint32_t begin, const TileOption& option);
  void share(const TileOption& option);
  void add_coverable(std::uint32_t begin, std::uint32_t end);
  void sum_shares();
  void clear_cells();

  std::uint32_t length_, longest_;
  bool limited_;
  Budget& budget_;
  MeteredVector<double> estimates_{budget_}, bounds_{budget_};  // by cell
  MeteredVector<Extent> extents_{budget_};
  // Sums of the shares of positions before each position, and a bit for each stretch that tiles can cover.
  MeteredVector<double> estimate_shares_{budget_}, bound_shares_{budget_}, word_shares_{budget_}, byte_shares_{budget_};
  MeteredVector<std::uint64_t> coverable_{budget_};
  std::size_t row_words_ = 0;
};

template <class OptionsAt>
void GapTable::fill(OptionsAt&& options_at) {
  const auto out = catch_out_of_budget([&] {
    const Budget::Share share(budget_, constants::kShareOfBounds);
    fill_cells(options_at);
  });
  if (!out) return;
  const Budget::Grace grace(budget_);  // linear in the input
  clear_cells();
  fill_shares(options_at);
}

template <class OptionsAt>
void GapTable::fill_cells(OptionsAt&& options_at) {
  const std::size_t cells = std::size_t{length_ + 1} * (longest_ + 1);
  bounds_.assign(cells, kLogZero);
  if (limited_) extents_.assign(cells, {Extent::kEndless, Extent::kEndless});
  estimates_.assign(cells, kLogZero);
  for (std::uint32_t begin = length_ + 1; begin-- > 0;) {
    estimates_[cell(begin, begin)] = bounds_[cell(begin, begin)] = 0;
    if (limited_) extents_[cell(begin, begin)] = {};
    if (begin == length_) continue;
    for (const auto& option : options_at(begin)) join(begin, option);
  }
}

template <class OptionsAt>
void GapTable::fill_shares(OptionsAt&& options_at) {
  estimate_shares_.assign(length_ + 1, kLogZero);
  bound_shares_.assign(length_ + 1, kLogZero);
  word_shares_.assign(length_ + 1, -kLogZero);
  byte_shares_.assign(length_ + 1, -kLogZero);
  row_words_ = (longest_ + 64) / 64;
  coverable_.assign((length_ + 1) * row_words_, 0);
  for (std::uint32_t begin = length_ + 1; begin-- > 0;) {
    coverable_[begin * row_words_] |= 1;
    if (begin == length_) continue;
    std::uint32_t last = 0;
    for (const auto& option : options_at(begin)) {
      share(option);
      if (option.end != last) add_coverable(begin, option.end);
      last = option.end;
    }
  }
  sum_shares();
}

}  // namespace widl
