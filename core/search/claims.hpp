#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "search/budget.hpp"
#include "search/scorer.hpp"

namespace widl {

constexpr double kNeverClaimed = -std::numeric_limits<double>::infinity();

/// Words that a phrase may leave behind.
struct ClaimTail {
  std::vector<PhraseId> phrases;  // of the last alternative and, where they are told apart, of those before it
  bool from_start;                // whether the first of them begins the sentence
};
/// The tails of the alternatives that end at a position, or the beginning of the sentence.
struct ClaimEnd {
  static constexpr std::size_t kLanes = 4;  // prices are compared so many at a time

  explicit ClaimEnd(Budget& budget) : prices(budget), changes(budget), finishes(budget) {}
  std::vector<ClaimTail> tails;
  Counted<double> prices;    // φ, with room for more tails
  Counted<int> changes;      // how often used less how often claimed, in the best solution
  Counted<double> finishes;  // </s> behind each tail
  bool is_stale = true;      // whether prices changed since the heads were valued
};
/// The distinct heads of the alternatives that begin at a position.
using ClaimHeads = std::vector<PhraseId>;
/// Heads that begin at one position behind the tails at one end.
struct ClaimBlock {
  std::uint32_t end, begin;
  Counted<double> scores;  // [head][tail], in rows as long as the end's prices
  Counted<double> values;  // by head: with the best claim
};

/// The best of scores less prices.
inline double best_claim(const double* scores, const Counted<double>& prices) {
  std::array<double, ClaimEnd::kLanes> best;
  best.fill(kNeverClaimed);
  for (std::size_t i = 0; i < prices.size(); i += ClaimEnd::kLanes)
    for (std::size_t lane = 0; lane < ClaimEnd::kLanes; ++lane) {
      const double value = scores[i + lane] - prices[i + lane];
      best[lane] = value > best[lane] ? value : best[lane];
    }
  return *std::max_element(best.begin(), best.end());
}

inline std::uint32_t claimed(const double* scores, const Counted<double>& prices) {
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < prices.size(); ++i)
    if (scores[i] - prices[i] > scores[best] - prices[best]) best = i;
  return best;
}

}  // namespace widl
