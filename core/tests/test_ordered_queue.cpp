#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "ordered_queue.hpp"
#include "parallel.hpp"

namespace widl {
namespace {

/// The values 0 … count - 1 that a reader receives when `threads` threads make them.
std::vector<std::size_t> read_all(std::size_t count, unsigned threads, std::size_t ahead) {
  OrderedQueue<std::size_t> queue(ahead);
  std::jthread producer([&] {
    parallel_for(count, threads, [&](std::size_t i) { queue.put(i, [&] { return i * i; }); });
    queue.finish();
  });
  std::vector<std::size_t> read;
  while (auto value = queue.next()) read.push_back(*value);
  return read;
}

}  // namespace

TEST_CASE("an ordered queue gives values in the order of their numbers") {
  for (unsigned threads : {1u, 2u, 5u})
    for (std::size_t ahead : {1u, 3u, 100u}) {
      std::vector<std::size_t> expected;
      for (std::size_t i = 0; i < 40; ++i) expected.push_back(i * i);
      CHECK(read_all(40, threads, ahead) == expected);
    }
  CHECK(read_all(0, 2, 1).empty());
}

TEST_CASE("a maker that fails ends the wait of the others and of the reader") {
  // Value 0 fails only after another thread has started value 1, which has no room before 0 is read. That thread waits,
  // or is about to wait, and only the failure can end its wait.
  OrderedQueue<int> queue(1);
  std::atomic<bool> other_began = false;
  std::jthread producer([&] {
    try {
      parallel_for(100, 2, [&](std::size_t i) {
        queue.put(i, [&] {
          if (i > 0) {
            other_began = true;
            other_began.notify_all();
            return 1;
          }
          other_began.wait(false);
          throw std::runtime_error("no room on the disk");
        });
      });
      FAIL("parallel_for must throw");
    } catch (const std::runtime_error&) {
    } catch (const OrderedQueue<int>::Stopped&) {
    }
    queue.finish();
  });
  CHECK_THROWS_WITH_AS(queue.next(), "no room on the disk", std::runtime_error);
  CHECK_THROWS_AS(queue.check_stopped(), OrderedQueue<int>::Stopped);
}

TEST_CASE("a reader that goes ends the wait of the makers") {
  OrderedQueue<int> queue(2);
  std::atomic<unsigned> stopped = 0;
  {
    std::vector<std::jthread> makers;
    for (std::size_t i = 0; i < 6; ++i)
      makers.emplace_back([&, i] {
        try {
          queue.put(i, [] { return 0; });
        } catch (const OrderedQueue<int>::Stopped&) {
          ++stopped;
        }
      });
    CHECK(queue.next() == 0);
    queue.stop();
  }
  CHECK(stopped >= 3);  // one value was read, and there was room for two
}

TEST_CASE("parallel_for throws what the work throws, and hands out no more of it") {
  for (unsigned threads : {1u, 3u}) {
    std::atomic<std::size_t> done = 0;
    CHECK_THROWS_AS(parallel_for(1000, threads,
                                 [&](std::size_t i) {
                                   if (i == 5) throw std::logic_error("5");
                                   ++done;
                                 }),
                    std::logic_error);
    CHECK(done < 1000);
    std::vector<std::atomic<int>> counts(50);
    parallel_for(50, threads, [&](std::size_t i) { ++counts[i]; });
    for (const auto& count : counts) CHECK(count == 1);
  }
}

}  // namespace widl
