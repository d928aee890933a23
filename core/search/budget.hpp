#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "search/constants.hpp"

namespace widl {

/// The resources that a budget limits.
enum class Resource { none, seconds, memory, states };

/// The name of the option that limits it.
inline const char* name_of(Resource resource) {
  constexpr const char* kNames[] = {"", "max_seconds", "max_memory", "max_states"};
  return kNames[static_cast<std::size_t>(resource)];
}

/// Interrupts work when a budget runs out.
struct OutOfBudget {
  Resource which;
};

/// Ends work from outside: asked whenever a budget reads its clock.
class Interruption {
 public:
  /// Throws if the work should end, anything but OutOfBudget: there will be no answer.
  virtual void check() = 0;

 protected:
  ~Interruption() = default;
};

/// Runs `work`; returns the resource that ran out during it, if any. The caller handles the unfinished work.
template <class Work>
[[nodiscard]] std::optional<OutOfBudget> catch_out_of_budget(Work&& work) {
  try {
    work();
    return std::nullopt;
  } catch (const OutOfBudget& out) {
    return out;
  }
}

/// The clock, the memory meter and the count of states of one sentence: everything done for the sentence, including
/// bounds, tables and further searches, counts its work, bytes and states here, and is interrupted by OutOfBudget when
/// a limit is reached.
///
/// Work is measured in ticks of about 10 ns. The clock is read once every constants::kTicksPerReading ticks.
class Budget {
 public:
  static constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

  struct Limits {
    double seconds = 0;      ///< 0: none
    std::size_t memory = 0;  ///< bytes; 0: none
    std::size_t states = 0;  ///< of all graphs that are searched; 0: none
    std::size_t work = 0;    ///< for tests: time is up after this many ticks, regardless of the clock. 0: never
  };

  Budget() : Budget(Limits{}) {}
  explicit Budget(const Limits& limits, Interruption* interruption = nullptr)
      : interruption_(interruption),
        start_(Clock::now()),
        deadline_(limits.seconds > 0 ? limits.seconds : kNever),
        most_work_(limits.work ? limits.work : kNoLimit),
        most_memory_(limits.memory ? limits.memory : kNoLimit),
        most_states_(limits.states ? limits.states : kNoLimit) {}
  Budget(const Budget&) = delete;  // allocators point to it
  Budget& operator=(const Budget&) = delete;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  /// Counts upcoming work that can't be interrupted, so that large work can be refused in advance.
  /// @throws OutOfBudget
  void work(std::size_t ticks) {
    if (unread_ + ticks >= constants::kTicksPerReading) [[unlikely]]
      return read(ticks);
    unread_ += ticks;
  }
  /// Whether enough time and memory are left.
  bool has(std::size_t ticks, std::size_t bytes) const { return bytes <= room() && has_time(ticks); }
  /// Reserves time and memory for the final steps.
  void reserve(std::size_t ticks, std::size_t bytes) {
    reserved_ticks_ = ticks;
    reserved_bytes_ = bytes;
  }

  /// Counts bytes that are about to be allocated. A small block, such as a table's first, is never refused.
  /// @throws OutOfBudget
  [[gnu::noinline]] void take(std::size_t bytes) {
    if (bytes > room() && bytes > constants::kSmallBlock) run_out(Resource::memory);
    if (bytes >= constants::kLargeBlock) work(bytes / constants::kBytesPerTick);  // it is moved, and pages are created
    used_ += bytes;
    peak_ = std::max(peak_, used_);
  }
  void give_back(std::size_t bytes) noexcept { used_ -= bytes; }
  /// Counts the memory of the input itself, which is never refused.
  void take_input(std::size_t bytes) {
    used_ += bytes;
    input_ += bytes;
    peak_ = std::max(peak_, used_);
    if (most_memory_ != kNoLimit) most_memory_ = std::max(most_memory_, input_ + constants::kMinMemory);
  }
  /// Bytes in use, peak bytes, and all ticks of work so far.
  std::size_t used() const { return used_; }
  std::size_t peak() const { return peak_; }
  std::size_t work_done() const { return done_ + unread_; }

  /// Number of states that the next graph may have. The graph counts them once it is complete.
  std::size_t states_left() const {
    return most_states_ == kNoLimit ? kNoLimit : most_states_ - std::min(states_, most_states_);
  }
  void count_states(std::size_t count) { states_ += count; }
  [[noreturn, gnu::noinline, gnu::cold]] static void run_out_of_states() { run_out(Resource::states); }

  /// Limits the budget to a part of its remainder for the lifetime of this object.
  class Share {
   public:
    Share(Budget& budget, double part)
        : budget_(budget),
          deadline_(budget.deadline_),
          most_work_(budget.most_work_),
          most_memory_(budget.most_memory_) {
      if (deadline_ != kNever) {
        const double now = budget.seconds();
        budget.deadline_ = now + std::max(0.0, part * (deadline_ - now));
      }
      budget.most_work_ = part_of(most_work_, budget.done_, part);
      budget.most_memory_ = part_of(most_memory_, budget.used_ + budget.reserved_bytes_, part);
    }
    ~Share() {
      budget_.deadline_ = deadline_;
      budget_.most_work_ = most_work_;
      budget_.most_memory_ = most_memory_;
    }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    static std::size_t part_of(std::size_t most, std::size_t gone, double part) {
      if (most == kNoLimit || most <= gone) return most;
      return gone + static_cast<std::size_t>(part * static_cast<double>(most - gone));
    }
    Budget& budget_;
    double deadline_;
    std::size_t most_work_, most_memory_;
  };

  /// Suspends all limits during its lifetime, for small work that must not be interrupted.
  class Grace {
   public:
    explicit Grace(Budget& budget, bool applies = true) : graces_(applies ? &budget.graces_ : nullptr) {
      if (graces_) ++*graces_;
    }
    ~Grace() { end(); }
    Grace(const Grace&) = delete;
    Grace& operator=(const Grace&) = delete;

    void end() {
      if (graces_) --*graces_;
      graces_ = nullptr;
    }

   private:
    unsigned* graces_;
  };

  /// Allows additional time and memory for constructing an answer after a resource ran out.
  void allow_overtime(double seconds) {
    reserved_ticks_ = reserved_bytes_ = 0;
    if (deadline_ != kNever) deadline_ = std::max(deadline_, this->seconds() + seconds);
    if (most_work_ != kNoLimit)
      most_work_ = std::max(most_work_, done_ + static_cast<std::size_t>(seconds / constants::kSecondsPerTick));
    if (most_memory_ != kNoLimit && !overtime_) most_memory_ += most_memory_ / 20 + constants::kOvertimeMemory;
    overtime_ = true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  std::size_t room() const {
    if (most_memory_ == kNoLimit || graces_) return kNoLimit;
    const std::size_t taken = used_ + reserved_bytes_;
    return taken < most_memory_ ? most_memory_ - taken : 0;
  }
  bool has_time(std::size_t ticks) const {
    const std::size_t later = ticks + reserved_ticks_;
    if (most_work_ != kNoLimit && done_ + later >= most_work_) return false;
    return deadline_ == kNever ||
           seconds() + static_cast<double>(later + used_ / constants::kBytesFreedPerTick) * constants::kSecondsPerTick <
               deadline_;
  }
  [[gnu::noinline, gnu::cold]] void read(std::size_t ticks) {
    done_ += std::exchange(unread_, 0);
    if (interruption_ && !graces_) interruption_->check();
    if (!graces_ && !has_time(ticks)) run_out(Resource::seconds);
    done_ += ticks;
  }
  [[noreturn, gnu::noinline, gnu::cold]] static void run_out(Resource which) { throw OutOfBudget{which}; }

  Interruption* const interruption_;
  const Clock::time_point start_;
  double deadline_;  // seconds from the start
  std::size_t most_work_, most_memory_, most_states_;
  std::size_t states_ = 0;
  std::size_t done_ = 0, unread_ = 0;
  std::size_t used_ = 0, peak_ = 0, input_ = 0;
  std::size_t reserved_ticks_ = 0, reserved_bytes_ = 0;
  unsigned graces_ = 0;
  bool overtime_ = false;
};

/// An allocator that charges a budget.
template <class T>
class BudgetAllocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  BudgetAllocator(Budget& budget) noexcept : budget_(&budget) {}  // NOLINT: implicit, as containers require
  template <class Other>
  BudgetAllocator(const BudgetAllocator<Other>& other) noexcept : budget_(&other.budget()) {}

  T* allocate(std::size_t count) {
    budget_->take(count * sizeof(T));
    try {
      return std::allocator<T>().allocate(count);
    } catch (...) {
      budget_->give_back(count * sizeof(T));
      throw;
    }
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    budget_->give_back(count * sizeof(T));
    std::allocator<T>().deallocate(memory, count);
  }
  Budget& budget() const noexcept { return *budget_; }
  template <class Other>
  bool operator==(const BudgetAllocator<Other>& other) const noexcept {
    return budget_ == &other.budget();
  }

 private:
  Budget* budget_;
};

/// A vector that charges its bytes to a budget.
template <class T>
using MeteredVector = std::vector<T, BudgetAllocator<T>>;

/// Reserves room for one more element, so that adding it can't fail.
template <class T>
[[gnu::noinline, gnu::cold]] void grow(MeteredVector<T>& vector) {
  vector.reserve(std::max<std::size_t>(8, 2 * vector.size()));
}
template <class T>
void make_room(MeteredVector<T>& vector) {
  if (vector.size() == vector.capacity()) [[unlikely]]
    grow(vector);
}

}  // namespace widl
