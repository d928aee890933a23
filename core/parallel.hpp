#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace widl {

/// Threads that are joined at the end of their scope. (libc++ has std::jthread only from version 20 on.)
class JoinedThreads {
 public:
  JoinedThreads() = default;
  JoinedThreads(const JoinedThreads&) = delete;
  JoinedThreads& operator=(const JoinedThreads&) = delete;
  ~JoinedThreads() {
    for (std::thread& thread : threads_) thread.join();
  }

  template <class Run>
  void start(Run& run) {
    threads_.emplace_back(std::ref(run));
  }

 private:
  std::vector<std::thread> threads_;
};

/// How often a thread that waits for others calls `idle`.
inline constexpr std::chrono::milliseconds kIdleInterval{50};

struct NothingToDo {
  void operator()() const {}
};

/// Calls work(i) for i in [0, count) on up to `threads` threads; idle threads take the next i. The first exception
/// stops the distribution of work and is rethrown here. While this thread waits for the last of the others, it calls
/// `idle` now and then, whose exception counts like that of work.
template <class Work, class Idle = NothingToDo>
void parallel_for(std::size_t count, unsigned threads, Work&& work, Idle&& idle = {}) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  std::condition_variable ended;
  std::size_t running = 0;
  auto guarded = [&](auto&& step) {
    try {
      step();
    } catch (...) {
      std::scoped_lock hold(mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  auto run = [&] {
    for (std::size_t i; (i = next.fetch_add(1)) < count;) guarded([&] { work(i); });
  };
  auto run_beside = [&] {
    run();
    std::scoped_lock hold(mutex);
    --running;
    ended.notify_one();
  };
  {
    JoinedThreads pool;
    try {
      for (unsigned t = 1; t < threads && t < count; ++t) {
        std::scoped_lock hold(mutex);
        pool.start(run_beside);
        ++running;
      }
    } catch (const std::system_error&) {
      // The system provides no more threads: the existing threads do the work.
    }
    run();
    for (std::unique_lock hold(mutex); !ended.wait_for(hold, kIdleInterval, [&] { return running == 0; });) {
      hold.unlock();
      guarded(idle);
      hold.lock();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace widl
