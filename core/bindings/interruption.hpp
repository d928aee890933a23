#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <thread>

#include "search/budget.hpp"

namespace widl {

/// Ends the searches of one call from Python, on all of its threads: at a signal, if Python's main thread made the
/// call, or at `interrupt_searches`. Made while the GIL is held.
class SignalInterruption final : public Interruption {
 public:
  SignalInterruption()
      : caller_(std::this_thread::get_id()), is_main_(in_main_thread()), requests_(all_requests().load()) {}

  /// Ends all searches that run now, in all threads of the process.
  static void request() { ++all_requests(); }

  /// @throws Interrupted
  void check() override {
    if (has_ended_.load(std::memory_order_relaxed) || requests_ != all_requests().load(std::memory_order_relaxed))
      throw Interrupted{};
    if (is_main_ && std::this_thread::get_id() == caller_) poll();
  }

  /// Runs `work`, which holds no GIL. An interruption becomes the signal handler's exception, or KeyboardInterrupt.
  template <class Work>
  void run(Work&& work) {
    try {
      nanobind::gil_scoped_release release;
      work();
    } catch (const Interrupted&) {
      if (raised_) std::rethrow_exception(raised_);
      PyErr_SetNone(PyExc_KeyboardInterrupt);
      throw nanobind::python_error();
    }
  }

 private:
  struct Interrupted {};
  static constexpr std::chrono::milliseconds kInterval{50};

  /// Requests so far. Signals are the process's, and so is this number.
  static std::atomic<std::uint64_t>& all_requests() {
    static std::atomic<std::uint64_t> requests{0};
    return requests;
  }

  static bool in_main_thread() {
    const nanobind::module_ threading = nanobind::module_::import_("threading");
    return threading.attr("current_thread")().is(threading.attr("main_thread")());
  }

  /// Lets Python's signal handlers run.
  void poll() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_poll_) return;
    next_poll_ = now + kInterval;
    nanobind::gil_scoped_acquire held;
    if (PyErr_CheckSignals() == 0) return;
    raised_ = std::make_exception_ptr(nanobind::python_error());
    has_ended_ = true;
    throw Interrupted{};
  }

  const std::thread::id caller_;
  const bool is_main_;
  const std::uint64_t requests_;
  std::chrono::steady_clock::time_point next_poll_ = std::chrono::steady_clock::now() + kInterval;
  std::atomic<bool> has_ended_{false};
  std::exception_ptr raised_;
};

}  // namespace widl
