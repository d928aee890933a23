#include "search/tile_bounds/gap_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "search/tile_model.hpp"

namespace widl {

GapTable::GapTable(std::uint32_t length, std::uint32_t longest, bool limited, Budget& budget)
    : length_(length), longest_(longest), limited_(limited), budget_(budget) {}

/// Every stretch that the option may begin.
void GapTable::join(std::uint32_t begin, const TileOption& option) {
  const std::uint32_t furthest = std::min(length_, begin + longest_);
  if (option.end > furthest) return;
  budget_.work((furthest - option.end) / 2 + 1);
  for (std::uint32_t end = option.end; end <= furthest; ++end) {
    double estimate = option.estimate + estimates_[cell(option.end, end)];
    double bound = option.bound + bounds_[cell(option.end, end)];
    estimates_[cell(begin, end)] = std::max(estimates_[cell(begin, end)], estimate);
    bounds_[cell(begin, end)] = std::max(bounds_[cell(begin, end)], bound);
  }
  if (!limited_) return;
  for (std::uint32_t end = option.end; end <= furthest; ++end)
    extents_[cell(begin, end)] =
        better(extents_[cell(begin, end)], Extent{option.word_count, option.bytes} + extents_[cell(option.end, end)]);
}

/// A tile's score is the sum of its positions' equal shares in it, which is at most the sum of their best shares in any
/// tile.
void GapTable::share(const TileOption& option) {
  const double positions = option.end - option.begin;
  for (std::uint32_t p = option.begin; p < option.end; ++p) {
    estimate_shares_[p] = std::max(estimate_shares_[p], option.estimate / positions);
    bound_shares_[p] = std::max(bound_shares_[p], option.bound / positions);
    word_shares_[p] = std::min(word_shares_[p], option.word_count / positions);
    byte_shares_[p] = std::min(byte_shares_[p], option.bytes / positions);
  }
}

/// Everything coverable from `end` on is also coverable from `begin` on, with one more tile.
void GapTable::add_coverable(std::uint32_t begin, std::uint32_t end) {
  const std::size_t shift = end - begin, words = shift / 64, bits = shift % 64;
  std::uint64_t* to = &coverable_[begin * row_words_];
  const std::uint64_t* from = &coverable_[end * row_words_];
  for (std::size_t w = words; w < row_words_; ++w) {
    to[w] |= from[w - words] << bits;
    if (bits && w > words) to[w] |= from[w - words - 1] >> (64 - bits);
  }
}

void GapTable::sum_shares() {
  for (auto* shares : {&estimate_shares_, &bound_shares_, &word_shares_, &byte_shares_}) {
    double sum = 0;
    for (double& share : *shares) {
      const double finite_share = std::isfinite(share) ? share : 0;  // no tile covers the position, as can_cover knows
      share = sum;
      sum += finite_share;
    }
  }
}

void GapTable::clear_cells() {
  MeteredVector<double>(budget_).swap(estimates_);
  MeteredVector<double>(budget_).swap(bounds_);
  MeteredVector<Extent>(budget_).swap(extents_);
}

Extent GapTable::shortest(std::uint32_t begin, std::uint32_t end) const {
  if (!extents_.empty()) return extents_[cell(begin, end)];
  if (!can_cover(begin, end)) return {Extent::kEndless, Extent::kEndless};
  const auto at_least = [](double sum) { return static_cast<std::uint64_t>(std::max(0.0, std::ceil(sum - 1e-6))); };
  return {at_least(word_shares_[end] - word_shares_[begin]), at_least(byte_shares_[end] - byte_shares_[begin])};
}

}  // namespace widl
