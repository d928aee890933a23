#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <initializer_list>

#include "phrase_table/phrase_smoothing.hpp"

namespace widl::phrase_smoothing_test {
namespace {

PairsByCount pairs_of(std::initializer_list<std::uint32_t> counts) {
  PairsByCount pairs;
  for (const std::uint32_t count : counts) pairs.add(count);
  return pairs;
}
PairsOfPhrase phrase_of(std::initializer_list<std::uint32_t> counts) {
  PairsOfPhrase pairs;
  for (const std::uint32_t count : counts) pairs.add(count);
  return pairs;
}

}  // namespace

TEST_CASE("counts of pairs: all, and those of counts one to four") {
  const PairsByCount pairs = pairs_of({1, 1, 2, 4, 9});
  CHECK(pairs.all == 5);
  CHECK(pairs.with_count == std::array<std::uint64_t, 4>{2, 1, 0, 1});
}

TEST_CASE("small data without a pair of some count: discounts are 0.5, 1 and 1.5") {
  // Two pairs, both of y, x in one of them: (1 - 0.5) / 2 + (0.5 + 0.5) / 2 · 1/2.
  const PhraseSmoothing smoothing(pairs_of({1, 1}));
  CHECK(smoothing.probability(1, 2, phrase_of({1, 1}), phrase_of({1})) == doctest::Approx(0.5));
}

TEST_CASE("discounts by the counts of counts") {
  // N = 4, 2, 1, 1, so Y = 1/2 and D(1) = 1 - 2 Y 2/4 = 1/2, D(2) = 2 - 3 Y 1/2 = 5/4, D(3) = 3 - 4 Y 1/1 = 1.
  const PhraseSmoothing smoothing(pairs_of({1, 1, 1, 1, 2, 2, 3, 4}));
  // y occurs 3 times, in pairs of counts 1 and 2; x is in 2 of the 8 pairs: (2 - 5/4) / 3 + (1/2 + 5/4) / 3 · 2/8.
  CHECK(smoothing.probability(2, 3, phrase_of({1, 2}), phrase_of({1, 2})) == doctest::Approx(0.25 + 1.75 / 12));
}

TEST_CASE("a given phrase's probabilities sum to 1 over all phrases, seen with it or not") {
  // y1 has x1 once and x2 twice; y2 has x1 once.
  const PhraseSmoothing smoothing(pairs_of({1, 2, 1}));
  const PairsOfPhrase y2 = phrase_of({1}), x1 = phrase_of({1, 1}), x2 = phrase_of({2});
  const double seen = smoothing.probability(1, 1, y2, x1);
  const double unseen = 0.5 / 1 * (x2.all / 3.0);  // a(y2) b(x2)
  CHECK(seen + unseen == doctest::Approx(1));
}

}  // namespace widl::phrase_smoothing_test
