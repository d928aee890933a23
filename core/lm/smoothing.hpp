#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lm/training_text.hpp"

namespace widl {

inline constexpr unsigned kMaxOrder = 6;

/// What a model is to be like; lmplz's option of the same meaning in brackets.
struct KneserNeyOptions {
  unsigned order = 3;  // 1 to kMaxOrder

  /// N-grams of order n that occur at most prune[n-1] times are left out, and what they had goes to
  /// their context's back-off weight; longer orders go by the last number given [--prune].
  std::vector<std::uint64_t> prune;

  /// The options, with as many pruning thresholds as orders.
  /// @throws InputError when one of them is impossible.
  KneserNeyOptions checked() const;
};

/// How many n-grams of an order have adjusted count 0 to 4.
using CountsOfCounts = std::array<std::uint64_t, 5>;

/// What is taken from adjusted counts 1, 2, and 3 or more (Chen & Goodman 1998, Eq. 26).
struct Discounts {
  /// Mass is counted in these units, so that sums of discounts do not depend on their order.
  static constexpr std::uint64_t kUnits = std::uint64_t{1} << 28;

  std::array<float, 4> amount{};         // amount[0] = 0
  std::array<std::uint64_t, 4> units{};  // the amounts, rounded to units
  bool fallback = false;                 // the text is too small or odd to estimate them

  double of(std::uint32_t count) const { return static_cast<double>(units[count < 3 ? count : 3]) / kUnits; }
};

/// In single precision and in lmplz's order of operations, so that the same texts fall back, to lmplz's 0.5, 1 and 1.5.
Discounts estimate_discounts(const CountsOfCounts& with_count);

/// What the n-grams of one context have in common.
struct Context {
  std::uint64_t total = 0;  // sum of their adjusted counts
  std::uint64_t freed = 0;  // discounts of those kept and counts of those left out, in Discounts::kUnits

  void add(std::uint32_t count, bool kept, const Discounts& discounts) {
    total += count;
    freed += kept ? discounts.units[count < 3 ? count : 3] : count * Discounts::kUnits;
  }

  /// b(c): 1 for what is never a context, like </s> and <unk>.
  double backoff() const {
    if (total == 0) return 1;
    const double share = static_cast<double>(freed) / Discounts::kUnits / static_cast<double>(total);
    return share < 1 ? share : 1;
  }

  /// u(w | c) of a word that was counted so often.
  double undiscounted(std::uint32_t count, const Discounts& discounts) const {
    return (count - discounts.of(count)) / static_cast<double>(total);
  }
};

/// ARPA's log10. Where a discount eats up the whole count, nothing may be left; ARPA's custom for
/// log(0) is -99, and unlike lmplz's -inf that is a number for every program.
float log10_of(double probability);

/// p(w | no words) of all words, from their adjusted counts; of no meaning for those not kept.
std::vector<double> unigram_probs(const std::vector<std::uint32_t>& counts,
                                  const std::vector<bool>& kept, const Discounts& discounts);

}  // namespace widl
