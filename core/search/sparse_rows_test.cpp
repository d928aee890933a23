#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "search/sparse_rows.hpp"
#include "testing/random.hpp"

namespace widl {

TEST_CASE("sparse rows are a map of places, and stay where they are") {
  for (const std::size_t columns : {1u, 63u, 64u, 65u, 1000u}) {
    Random random(static_cast<unsigned>(columns));
    Budget budget;
    SparseRows<double> rows(-1, budget);
    std::map<std::pair<std::size_t, std::size_t>, double> twin;
    std::map<std::size_t, SparseRows<double>::Row> known;
    for (int i = 0; i < 5000; ++i) {
      const std::size_t row = below(random, 300), column = below(random, static_cast<std::uint32_t>(columns));
      const auto there = rows.row(row, columns);
      REQUIRE(known.try_emplace(row, there).first->second == there);
      if (below(random, 2)) {
        rows.set(row, column, i);
        twin[{row, column}] = i;
      }
      const auto found = twin.find({row, column});
      REQUIRE(SparseRows<double>::at(there, column) == (found == twin.end() ? -1 : found->second));
      REQUIRE(rows.has(column));
    }
    for (const auto& [row, there] : known)
      for (std::size_t column = 0; column < columns; ++column) {
        const auto found = twin.find({row, column});
        REQUIRE(SparseRows<double>::at(there, column) == (found == twin.end() ? -1 : found->second));
      }
    CHECK(budget.used() >= twin.size() * sizeof(double));
    CHECK(budget.used() < 2 * (300 * (columns + 64) * sizeof(double) + 300 * 64) + (1 << 16));
  }
}

}  // namespace widl
