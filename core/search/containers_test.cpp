#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "expression/vocabulary.hpp"
#include "search/containers.hpp"
#include "search/coverage.hpp"
#include "testing/random.hpp"

namespace widl {

TEST_CASE("a hash table is a map") {
  std::mt19937 random(1);
  HashTable<int> table(2);
  std::map<std::uint64_t, int> twin;
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t key = random() % 2000;
    auto [value, added] = table.find_or_insert(key);
    CHECK(added == !twin.contains(key));
    if (!added) CHECK(*value == twin[key]);
    *value = twin[key] = i;
  }
  CHECK(table.size() == twin.size());
  for (const auto& [key, value] : twin) CHECK(*table.find_or_insert(key).first == value);
}

TEST_CASE("a hash index finds numbers by hash, and tells equal hashes apart by their keys") {
  HashIndex<> index;
  std::vector<std::string> words;
  for (int i = 0; i < 500; ++i) words.push_back("w" + std::to_string(i));
  const auto hash = [](const std::string& word) { return std::uint64_t{word.size()} % 3; };  // bad on purpose
  for (std::uint32_t i = 0; i < words.size(); ++i) index.insert(hash(words[i]), i);
  CHECK(index.size() == words.size());
  for (std::uint32_t i = 0; i < words.size(); ++i)
    CHECK(index.find(hash(words[i]), [&](std::uint32_t n) { return words[n] == words[i]; }) == i);
  CHECK(index.find(hash("w7"), [](std::uint32_t) { return false; }) == HashIndex<>::kNone);
}

TEST_CASE("a vocabulary numbers words in the order of their coming, and keeps its numbers") {
  Vocabulary vocabulary;
  CHECK(vocabulary.intern("b") == 0);
  CHECK(vocabulary.intern("a") == 1);
  CHECK(vocabulary.intern("b") == 0);
  CHECK(vocabulary.find("c") == std::nullopt);
  SentenceWords words(vocabulary);
  CHECK(words.id("a") == 1);
  const WordId own = words.id("c");
  CHECK(own == 2);
  vocabulary.intern("later");  // the numbers stay local to the sentence
  CHECK(words.id("later") == 3);
  CHECK(words.text(own) == "c");
  CHECK(words.id("c") == own);
  CHECK(words.is_shared(1));
  CHECK_FALSE(words.is_shared(own));
  for (int i = 0; i < 1000; ++i) vocabulary.intern("x" + std::to_string(i));
  CHECK(vocabulary.word(0) == "b");
  CHECK(vocabulary.find("x999") == 1002);
}

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
