#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace widl {

/// Number of n-grams of an order with adjusted counts 0 to 4.
using CountsOfCounts = std::array<std::uint64_t, 5>;

/// Discounts of adjusted counts 1, 2, and 3 or more (Chen & Goodman 1998, Eq. 26).
struct Discounts {
  /// Mass is counted as an integer, this many for an n-gram, so that sums of discounts do not depend on their order.
  static constexpr std::uint64_t kScale = std::uint64_t{1} << 28;

  std::array<float, 4> amount{};          // amount[0] = 0
  std::array<std::uint64_t, 4> scaled{};  // the amounts times kScale, rounded
  bool fallback = false;                  // the text is too small or irregular to estimate them

  double of(std::uint32_t count) const { return static_cast<double>(scaled[count < 3 ? count : 3]) / kScale; }
};

/// Uses single precision and lmplz's order of operations, so that the same texts trigger the fallback to lmplz's 0.5, 1
/// and 1.5.
Discounts estimate_discounts(const CountsOfCounts& with_count);

/// Totals over the n-grams of one context.
struct ContextTotals {
  std::uint64_t total = 0;  // sum of their adjusted counts
  std::uint64_t freed = 0;  // discounts of kept n-grams plus counts of pruned ones, times Discounts::kScale

  void add(std::uint32_t count, bool kept, const Discounts& discounts) {
    total += count;
    freed += kept ? discounts.scaled[count < 3 ? count : 3] : count * Discounts::kScale;
  }

  /// b(c): 1 for words that are never a context, like </s> and <unk>.
  double backoff() const {
    if (total == 0) return 1;
    const double share = static_cast<double>(freed) / Discounts::kScale / static_cast<double>(total);
    return share < 1 ? share : 1;
  }

  /// u(w | c) of a word with this adjusted count.
  double undiscounted(std::uint32_t count, const Discounts& discounts) const {
    return (count - discounts.of(count)) / static_cast<double>(total);
  }
};

/// ARPA's log10. The result may be log(0) if a discount uses up the whole count. It is then -99, as is customary in
/// ARPA files: a number for every program, unlike lmplz's -inf.
float log10_of(double probability);

/// p(w | no words) of all words, from their adjusted counts; meaningless for words not kept.
std::vector<double> unigram_probs(const std::vector<std::uint32_t>& counts, const std::vector<bool>& is_kept,
                                  const Discounts& discounts);

}  // namespace widl
