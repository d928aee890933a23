#pragma once

#include <atomic>
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

/// Calls work(i) for i in [0, count) on up to `threads` threads; idle threads take the next i. The first exception
/// stops the distribution of work and is rethrown here.
template <class Work>
void parallel_for(std::size_t count, unsigned threads, Work&& work) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  auto run = [&] {
    for (std::size_t i; (i = next.fetch_add(1)) < count;) {
      try {
        work(i);
      } catch (...) {
        std::scoped_lock hold(failure_mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  {
    JoinedThreads pool;
    try {
      for (unsigned t = 1; t < threads && t < count; ++t) pool.start(run);
    } catch (const std::system_error&) {
      // The system provides no more threads: the existing threads do the work.
    }
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace widl
