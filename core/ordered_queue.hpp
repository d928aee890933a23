#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace widl {

/// Passes values, which threads make in any order, to one reader in the order of their numbers, from 0.
///
/// Numbers must be given to the makers in order. Then the value that the reader waits for is never held back, however
/// small the queue. A failure ends the wait of all other threads.
template <class Value>
class OrderedQueue {
 public:
  /// Thrown in a maker whose value is no longer needed: the reader is gone, or another maker failed.
  struct Stopped {};

  /// `ahead`: how many values, at least 1, may wait for the reader.
  explicit OrderedQueue(std::size_t ahead) : ahead_(ahead) {}

  /// Puts the result of make() in the queue as number `number`, once there is room. An exception of `make` is rethrown
  /// here and in the reader. @throws Stopped
  template <class Make>
  void put(std::size_t number, Make&& make) {
    std::optional<Value> value;
    try {
      value.emplace(make());
    } catch (const Stopped&) {
      throw;
    } catch (...) {
      fail(std::current_exception());
      throw;
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || failure_ || number < taken_ + ahead_; });
    if (stopped_ || failure_) throw Stopped();
    waiting_.emplace(number, std::move(*value));
    changed_.notify_all();
  }

  /// For producers that will not put a value for a while. @throws Stopped
  void check_stopped() {
    std::scoped_lock hold(mutex_);
    if (stopped_ || failure_) throw Stopped();
  }

  /// Reports a failure of the makers: the reader gets it instead of a value. Only the first failure counts.
  void fail(std::exception_ptr failure) {
    std::scoped_lock hold(mutex_);
    if (!failure_) failure_ = std::move(failure);
    changed_.notify_all();
  }
  /// No more values will be put in.
  void finish() {
    std::scoped_lock hold(mutex_);
    finished_ = true;
    changed_.notify_all();
  }
  /// The reader will read no more values.
  void stop() {
    std::scoped_lock hold(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  /// Waits for the next value and returns it; none after the last. Rethrows the makers' exceptions.
  std::optional<Value> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || finished_ || waiting_.contains(taken_); });
    if (failure_) std::rethrow_exception(failure_);
    auto waiting = waiting_.find(taken_);
    if (waiting == waiting_.end()) return std::nullopt;
    std::optional<Value> value(std::move(waiting->second));
    waiting_.erase(waiting);
    ++taken_;
    changed_.notify_all();
    return value;
  }

 private:
  const std::size_t ahead_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::size_t, Value> waiting_;
  std::size_t taken_ = 0;
  bool stopped_ = false, finished_ = false;
  std::exception_ptr failure_;
};

}  // namespace widl
