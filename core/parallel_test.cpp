#include "parallel.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "search/budget.hpp"

namespace widl {

TEST_CASE("every item is worked on once") {
  for (unsigned threads : {1U, 2U, 7U}) {
    std::vector<std::atomic<int>> done(100);
    parallel_for(done.size(), threads, [&](std::size_t i) { ++done[i]; });
    for (const auto& count : done) CHECK(count == 1);
  }
}

TEST_CASE("a thread that waits for others is idle, and its exception ends them") {
  // The item of another thread lasts until the waiting one is idle.
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> ended = false;
  std::atomic<int> begun = 0;
  auto work = [&](std::size_t) {
    ++begun;
    while (begun < 2) std::this_thread::yield();
    while (std::this_thread::get_id() != caller && !ended) std::this_thread::yield();
  };
  auto idle = [&] {
    CHECK(std::this_thread::get_id() == caller);
    ended = true;
    throw std::runtime_error("signal");
  };
  CHECK_THROWS_WITH_AS(parallel_for(2, 2, work, idle), "signal", std::runtime_error);
}

TEST_CASE("work without limits is interrupted at a reading of the clock, but not in its grace") {
  struct Stop final : Interruption {
    void check() override {
      if (--readings == 0) throw std::runtime_error("signal");
    }
    int readings = 3;
  } stop;
  Budget budget(Budget::Limits{}, &stop);
  {
    const Budget::Grace grace(budget);
    for (int i = 0; i < 10; ++i) budget.work(constants::kTicksPerReading);
  }
  CHECK(stop.readings == 3);
  budget.work(constants::kTicksPerReading);
  budget.work(constants::kTicksPerReading);
  CHECK_THROWS_WITH_AS(budget.work(constants::kTicksPerReading), "signal", std::runtime_error);
}

}  // namespace widl
