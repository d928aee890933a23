#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "expression/tiles.hpp"
#include "expression/vocabulary.hpp"
#include "search/budget.hpp"
#include "search/certificate.hpp"
#include "search/hash_index.hpp"
#include "search/metered_list.hpp"
#include "search/tile_realizer.hpp"

namespace {

// The program's actual allocation, current and peak.
std::atomic<std::size_t> allocated = 0, most_allocated = 0;
constexpr std::size_t kHeader = alignof(std::max_align_t);

void* counted(std::size_t size) {
  auto* block = static_cast<std::size_t*>(std::malloc(size + kHeader));
  if (block == nullptr) throw std::bad_alloc();
  *block = size;
  const std::size_t now = allocated += size;
  for (std::size_t most = most_allocated; most < now && !most_allocated.compare_exchange_weak(most, now);) {}
  return reinterpret_cast<char*>(block) + kHeader;
}
void uncount(void* memory) noexcept {
  if (memory == nullptr) return;
  auto* block = reinterpret_cast<std::size_t*>(static_cast<char*>(memory) - kHeader);
  allocated -= *block;
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return counted(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory, const std::nothrow_t&) noexcept { uncount(memory); }
void operator delete(void* memory) noexcept { uncount(memory); }
void operator delete[](void* memory) noexcept { uncount(memory); }
void operator delete(void* memory, std::size_t) noexcept { uncount(memory); }
void operator delete[](void* memory, std::size_t) noexcept { uncount(memory); }

namespace widl {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

/// Peak increase of allocated bytes during `work`.
template <class Work>
std::size_t peak_of(Work&& work) {
  const std::size_t before = allocated;
  most_allocated = before;
  work();
  return most_allocated - before;
}

/// Tiles of one, two and three positions, `alternatives` of each span.
Tiles many_tiles(const Vocabulary& vocabulary, std::uint32_t length, std::uint32_t alternatives) {
  Tiles tiles(vocabulary, length, 1, -1.0);
  for (std::uint32_t begin = 0; begin < length; ++begin)
    for (std::uint32_t end = begin + 1; end <= std::min(length, begin + 3); ++end)
      for (std::uint32_t a = 0; a < alternatives; ++a) {
        const WordId words[] = {tiles.word_id("w" + std::to_string(begin) + "." + std::to_string(a))};
        const float score = -static_cast<float>((begin * 7 + end * 5 + a * 3) % 11);
        tiles.add(begin, end, words, {&score, 1});
      }
  return tiles;
}

}  // namespace

TEST_CASE("time runs out after a given amount of work") {
  Budget budget({.work = 3 * constants::kTicksPerReading});
  std::size_t done = 0;
  CHECK_THROWS_AS(
      [&] {
        for (;; ++done) budget.work(100);
      }(),
      OutOfBudget);
  CHECK(done * 100 >= 2 * constants::kTicksPerReading);
  CHECK(done * 100 <= 3 * constants::kTicksPerReading);
  CHECK(budget.work_done() == done * 100);
  CHECK_FALSE(budget.has(constants::kTicksPerReading, 0));
  budget.allow_overtime(10 * static_cast<double>(constants::kTicksPerReading) * constants::kSecondsPerTick);
  CHECK_NOTHROW(budget.work(5 * constants::kTicksPerReading));
  CHECK_THROWS_AS(
      [&] {
        for (std::size_t i = 0; i < 20; ++i) budget.work(constants::kTicksPerReading);
      }(),
      OutOfBudget);
}

TEST_CASE("without limits, work is never interrupted") {
  Budget budget;
  for (int i = 0; i < 100; ++i) budget.work(constants::kTicksPerReading);
  budget.take(std::size_t{1} << 40);
  budget.give_back(std::size_t{1} << 40);
  CHECK(budget.used() == 0);
}

TEST_CASE("large work is refused beforehand") {
  Budget budget({.work = 100 * constants::kTicksPerReading});
  CHECK_THROWS_AS(budget.work(200 * constants::kTicksPerReading), OutOfBudget);
  CHECK_NOTHROW(budget.work(50 * constants::kTicksPerReading));
  CHECK_THROWS_AS(budget.work(60 * constants::kTicksPerReading), OutOfBudget);
}

TEST_CASE("a share is a part of the remaining budget, and ends with its scope") {
  Budget budget({.memory = 10 * kMegabyte, .work = 1000 * constants::kTicksPerReading});
  budget.take(2 * kMegabyte);
  {
    const Budget::Share half(budget, 0.5);
    CHECK(budget.has(0, 3 * kMegabyte));
    CHECK_FALSE(budget.has(0, 5 * kMegabyte));
    CHECK_FALSE(budget.has(600 * constants::kTicksPerReading, 0));
    const Budget::Grace grace(budget);
    CHECK(budget.has(0, 50 * kMegabyte));
  }
  CHECK(budget.has(600 * constants::kTicksPerReading, 7 * kMegabyte));
  budget.give_back(2 * kMegabyte);
}

TEST_CASE("containers count the bytes that they allocate exactly") {
  Budget budget({.memory = 8 * kMegabyte});
  const std::size_t peak = peak_of([&] {
    MeteredVector<std::uint64_t> numbers(budget);
    CHECK_THROWS_AS(
        [&] {
          for (std::uint64_t i = 0;; ++i) numbers.push_back(i);
        }(),
        OutOfBudget);
    CHECK(budget.used() == numbers.capacity() * sizeof(std::uint64_t));
    for (std::uint64_t i = 0; i < numbers.size(); ++i) REQUIRE(numbers[i] == i);  // as it was before it was full
  });
  CHECK(peak <= 8 * kMegabyte);
  CHECK(peak == doctest::Approx(static_cast<double>(budget.peak())).epsilon(0.01));
  CHECK(budget.used() == 0);
}

TEST_CASE("an index counts its bytes, and keeps its entries if the budget is exceeded") {
  Budget budget({.memory = 4 * kMegabyte});
  const std::size_t peak = peak_of([&] {
    MeteredVector<std::uint32_t> list(budget);
    HashIndex<BudgetAllocator> index(budget);
    CHECK_THROWS_AS(
        [&] {
          for (std::uint32_t i = 0;; ++i) {
            make_room(list);
            list.push_back(i);
            index.insert(i, i);
          }
        }(),
        OutOfBudget);
    for (std::uint32_t i = 0; i < index.size(); ++i)
      REQUIRE(index.find(i, [&](std::uint32_t n) { return list[n] == i; }) == i);
  });
  CHECK(peak <= 4 * kMegabyte);
  CHECK(budget.used() == 0);
}

TEST_CASE("a metered list is a vector; a large one grows in place") {
  Budget budget;
  std::vector<std::uint64_t> twin;
  {
    MeteredList<std::uint64_t> list(budget);
    for (std::uint64_t i = 0; i < 20'000'000; ++i) {
      list.make_room();
      list.push_back(i * i);
      twin.push_back(i * i);
    }
    CHECK(std::ranges::equal(list, twin));
    CHECK(budget.used() == list.capacity() * sizeof(std::uint64_t));
    CHECK(budget.peak() == budget.used());
  }
  CHECK(budget.used() == 0);
}

TEST_CASE("any limit has room for the input and a little for search") {
  Budget budget({.memory = 100});
  budget.take_input(50 * kMegabyte);
  CHECK(budget.has(0, constants::kMinMemory / 2));
  CHECK_FALSE(budget.has(0, 2 * constants::kMinMemory));
}

TEST_CASE("a search allocates no more than its budget and what its meter counts") {
  Vocabulary vocabulary;
  const ScoringModels models(vocabulary, {});
  const WeightVector weights{{1.0}, {}, -0.1, 0.0, 1.0, 0.0};
  for (std::uint32_t length : {40u, 400u}) {
    const Tiles tiles = many_tiles(vocabulary, length, 5);
    for (const Search& search :
         {Search{AStar{}}, Search{AStarK{.order = Order::estimate}}, Search{BeamSearch{LengthUnit::positions}},
          Search{CubePruning{}}, Search{BeamSearch{}}})
      for (std::size_t nbest : {1u, 50u})
        for (std::size_t limit : {8 * kMegabyte, 30 * kMegabyte}) {
          SearchOptions options;
          options.search = search;
          options.output.nbest = nbest;
          options.limits.memory = limit;
          options.limits.states = 1'000'000;
          Realization found;
          const std::size_t peak = peak_of([&] {
            Budget budget(options.limits);
            found = realize(tiles, models, weights, options, budget);
          });
          INFO("length " << length << ", search " << search.index() << ", limit " << limit);
          CHECK(static_cast<double>(peak) <= 1.1 * static_cast<double>(limit) + 2.0 * kMegabyte);
          CHECK(found.certificate.bound >= found.certificate.score);
        }
  }
}

TEST_CASE("a pruned bound must be given, even if no state was pruned") {
  static_assert(!std::is_default_constructible_v<PrunedBound>);
  static_assert(!std::is_convertible_v<double, PrunedBound>);
  CHECK(PrunedBound::none().value() == -std::numeric_limits<double>::infinity());
  PrunedBound some = PrunedBound::none();
  some += PrunedBound::up_to(-3);
  some += PrunedBound::up_to(-5);
  CHECK(some.value() == -3);
}

TEST_CASE("work returns the resource that interrupted it") {
  Budget budget({.memory = 4 * kMegabyte});
  CHECK_FALSE(catch_out_of_budget([&] { budget.take(kMegabyte); }));
  const auto out = catch_out_of_budget([&] { budget.take(100 * kMegabyte); });
  REQUIRE(out);
  CHECK(out->which == Resource::memory);
}

}  // namespace widl
