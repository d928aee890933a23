#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "search/coverage.hpp"

namespace widl {

namespace {

/// Checks a coverage against the list of positions that it represents.
void check_coverage(std::uint32_t seed) {
  std::mt19937 random(seed);
  constexpr std::uint32_t kLength = 150;
  Coverage coverage;
  std::vector<bool> twin(kLength);
  for (int step = 0; step < 200; ++step) {
    const std::uint32_t reach = std::min(kLength, coverage.base + Coverage::kWindow);
    std::vector<std::uint32_t> free;
    for (std::uint32_t p = coverage.base; p < reach; ++p)
      if (!twin[p]) free.push_back(p);
    if (free.empty()) break;
    const std::uint32_t begin = free[random() % free.size()];
    std::uint32_t end = begin + 1;
    const std::uint32_t most = begin == coverage.base ? kLength : reach;
    while (end < most && !twin[end] && end - begin < 1 + random() % 70) ++end;
    coverage = coverage.with(begin, end);
    std::fill(twin.begin() + begin, twin.begin() + end, true);
    REQUIRE(coverage.last_end == end);
    REQUIRE(coverage.count() == static_cast<std::uint32_t>(std::count(twin.begin(), twin.end(), true)));
    REQUIRE(coverage.base == static_cast<std::uint32_t>(std::find(twin.begin(), twin.end(), false) - twin.begin()));
    for (std::uint32_t p = 0; p < kLength; ++p) REQUIRE(coverage.covered(p) == twin[p]);
    std::vector<bool> gaps(twin.size(), true);
    const std::uint32_t rest = coverage.for_each_gap([&](std::uint32_t from, std::uint32_t to) {
      REQUIRE(from < to);
      std::fill(gaps.begin() + from, gaps.begin() + to, false);
    });
    std::fill(gaps.begin() + rest, gaps.end(), false);
    REQUIRE(gaps == twin);
  }
}

}  // namespace

TEST_CASE("a coverage is a set of positions") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) check_coverage(seed);
}

TEST_CASE("a coverage of few positions is the set of its bits, and counts jumps from its last end") {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    const std::uint32_t length = 1 + static_cast<std::uint32_t>(random() % 64);
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - length);
    const std::uint64_t bits = round % 10 ? ((std::uint64_t{random()} << 32 | random()) & all) : all;
    const auto last_end = static_cast<std::uint32_t>(random() % (length + 1));
    const auto covered = Coverage::of(bits, last_end);
    CHECK(covered.realized() == bits);
    CHECK(covered.count() == static_cast<std::uint32_t>(std::popcount(bits)));
    for (std::uint32_t p = 0; p < length; ++p) CHECK(covered.is_free(p, p + 1) == !(bits >> p & 1));
    CHECK(covered.jump_to(0) == last_end);
    CHECK(covered.jump_to(length) == length - last_end);
  }
}

}  // namespace widl
