#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "search/tile_bounds/gap_table.hpp"
#include "search/tile_model.hpp"

namespace widl {
namespace {

TileOption option(std::uint32_t begin, std::uint32_t end, double estimate, double bound, std::uint32_t words) {
  return {{PhraseId(), 0, words, 3 * words, estimate, estimate, bound, bound}, begin, end, 0};
}

}  // namespace

TEST_CASE("without room for a table the shares of positions are a bound, and know what can be covered") {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    // Long enough that the table is not a small block. Budgets never refuse small blocks.
    const auto length = static_cast<std::uint32_t>(20 + random() % 70),
               longest = std::min(length, round % 3 ? 70u : 9u);
    std::vector<std::vector<TileOption>> options(length);
    for (std::uint32_t begin = 0; begin < length; ++begin)
      for (std::uint32_t end = begin + 1; end <= std::min(length, begin + 3); ++end) {
        if (random() % 3 == 0) continue;
        const double estimate = -static_cast<double>(random() % 100) / 10;
        options[begin].push_back(
            option(begin, end, estimate, estimate + 0.5, 1 + static_cast<std::uint32_t>(random() % 4)));
      }
    const auto at = [&](std::uint32_t begin) -> const std::vector<TileOption>& { return options[begin]; };
    Budget enough, none({.memory = 1});
    GapTable table(length, longest, true, enough), shares(length, longest, true, none);
    table.fill(at);
    shares.fill(at);
    REQUIRE(table.is_exact());
    REQUIRE_FALSE(shares.is_exact());
    for (std::uint32_t begin = 0; begin <= length; ++begin)
      for (std::uint32_t end = begin; end <= std::min(length, begin + longest); ++end) {
        const ScoreEstimate exact = table.estimate_of(begin, end), bound = shares.estimate_of(begin, end);
        REQUIRE(std::isinf(exact.bound) == std::isinf(bound.bound));
        if (std::isinf(exact.bound)) continue;
        REQUIRE(bound.bound >= exact.bound - 1e-9);
        REQUIRE(shares.shortest(begin, end).words <= table.shortest(begin, end).words);
        REQUIRE(shares.shortest(begin, end).bytes <= table.shortest(begin, end).bytes);
      }
  }
}

}  // namespace widl
