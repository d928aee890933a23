#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace widl {

/// Thrown where a budget runs out in the middle of work.
struct OutOfBudget {
  const char* which;  ///< "max_seconds" or "max_memory"
};

/// Does the work; returns what ran out in the middle of it, if anything did. What is to become of work half done, the
/// caller must say.
template <class Work>
[[nodiscard]] std::optional<OutOfBudget> interruption_of(Work&& work) {
  try {
    work();
    return std::nullopt;
  } catch (const OutOfBudget& out) {
    return out;
  }
}

/// The clock and the memory meter of one sentence: everything that is done for it, bounds and tables included, counts
/// work and bytes here, and is interrupted by OutOfBudget where they run out.
///
/// Work is in units of some 10 ns. The clock is read once for every kUnitsPerReading of them, so that what is counted
/// finely is interrupted in time; what can't be interrupted asks beforehand with `afford`.
class Budget {
 public:
  static constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t kUnitsPerReading = 10'000;
  static constexpr double kSecondsPerUnit = 1e-8;
  /// Beside the input itself a search may have so much memory in any case.
  static constexpr std::size_t kLeastMemory = std::size_t{1} << 20;

  struct Limits {
    double seconds = 0;        ///< 0: none
    std::size_t memory = 0;    ///< bytes; 0: none
    std::size_t readings = 0;  ///< the time is up when the clock has been read so often; for tests. 0: never
  };

  Budget() : Budget(Limits{}) {}
  explicit Budget(const Limits& limits)
      : start_(Clock::now()),
        deadline_(limits.seconds > 0 ? limits.seconds : kNever),
        last_reading_(limits.readings ? limits.readings : kNoLimit),
        most_memory_(limits.memory ? limits.memory : kNoLimit) {}
  Budget(const Budget&) = delete;  // allocators point to it
  Budget& operator=(const Budget&) = delete;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  /// Counts work that is about to be done. @throws OutOfBudget
  void work(std::size_t units) {
    if ((unread_ += units) >= kUnitsPerReading) [[unlikely]] read(0);
  }
  /// Counts work that nothing will interrupt. @throws OutOfBudget when it would take too long
  [[gnu::noinline]] void afford(std::size_t units) {
    if (units >= kUnitsPerReading) {
      read(units);
      readings_ += units / kUnitsPerReading - 1;
      units = 0;
    }
    work(units);
  }
  /// Whether there is time and memory for what nothing will interrupt.
  bool can_afford(std::size_t units, std::size_t bytes) {
    return bytes <= room() && (units < kUnitsPerReading || !expired(units));
  }
  /// Sets time and memory aside for what must be done at the end.
  void reserve(std::size_t units, std::size_t bytes) {
    reserved_units_ = units;
    reserved_bytes_ = bytes;
  }

  /// Counts bytes that are about to be allocated. @throws OutOfBudget
  [[gnu::noinline]] void take(std::size_t bytes) {
    if (bytes > room()) run_out("max_memory");
    if (bytes >= kLargeBlock) afford(bytes / kBytesPerUnit);  // moved there, and its pages made
    used_ += bytes;
    peak_ = std::max(peak_, used_);
  }
  void give_back(std::size_t bytes) noexcept { used_ -= bytes; }
  /// Counts what the input itself takes; it has its place whatever the limit.
  void take_input(std::size_t bytes) {
    used_ += bytes;
    input_ += bytes;
    peak_ = std::max(peak_, used_);
    if (most_memory_ != kNoLimit) most_memory_ = std::max(most_memory_, input_ + kLeastMemory);
  }
  /// Counts tables that tell their size but can't ask, and what those that are nearly full will take while they grow.
  /// @throws OutOfBudget
  void set_tables(std::size_t bytes, std::size_t growth) {
    tables_ = bytes;
    growth_ = growth;
    if (room() == 0) run_out("max_memory");
  }
  /// Bytes now; the most that were counted at once, the growth of tables left aside.
  std::size_t used() const { return used_ + tables_; }
  std::size_t peak() const { return std::max(peak_, used_) + tables_; }

  /// A part of what is left, for as long as this lives.
  class Share {
   public:
    Share(Budget& budget, double part)
        : budget_(budget), deadline_(budget.deadline_), last_reading_(budget.last_reading_), most_(budget.most_memory_) {
      ++budget_.shares_;
      if (deadline_ != kNever) {
        const double now = budget.seconds();
        budget.deadline_ = now + std::max(0.0, part * (deadline_ - now));
      }
      if (last_reading_ != kNoLimit) budget.last_reading_ -= part_of(last_reading_, budget.readings_, 1 - part);
      if (most_ != kNoLimit) budget.most_memory_ -= part_of(most_, most_ - budget.room(), 1 - part);
    }
    ~Share() {
      --budget_.shares_;
      budget_.deadline_ = deadline_;
      budget_.last_reading_ = last_reading_;
      budget_.most_memory_ = most_;
    }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    static std::size_t part_of(std::size_t all, std::size_t gone, double part) {
      return all > gone ? static_cast<std::size_t>(part * static_cast<double>(all - gone)) : 0;
    }
    Budget& budget_;
    double deadline_;
    std::size_t last_reading_, most_;
  };

  /// Nothing runs out while this lives: for little work that must not be interrupted.
  class Grace {
   public:
    explicit Grace(Budget& budget, bool from_now_on = true) : budget_(budget), lives_(from_now_on) {
      budget_.graces_ += lives_;
    }
    ~Grace() { end(); }
    void end() {
      budget_.graces_ -= lives_;
      lives_ = false;
    }
    Grace(const Grace&) = delete;
    Grace& operator=(const Grace&) = delete;

   private:
    Budget& budget_;
    bool lives_;
  };

  /// Something ran out: so much longer it may take to make an answer of what there is.
  void allow_overtime(double seconds) {
    reserved_units_ = reserved_bytes_ = 0;
    if (deadline_ != kNever) deadline_ = std::max(deadline_, this->seconds() + seconds);
    if (last_reading_ != kNoLimit)
      last_reading_ = std::max(last_reading_, readings_ + static_cast<std::size_t>(
                                                  seconds / (static_cast<double>(kUnitsPerReading) * kSecondsPerUnit)));
    if (most_memory_ != kNoLimit && !overtime_) most_memory_ += most_memory_ / 20 + kOvertimeMemory;
    overtime_ = true;
  }

  /// For tests and benchmarks: how often the clock was read, the most work between two readings, and the work
  /// since the time was up.
  std::size_t readings() const { return readings_; }
  std::size_t most_unread() const { return most_unread_; }
  std::size_t overdue() const { return ran_out_ ? overdue_ + unread_ : 0; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr std::size_t kLargeBlock = std::size_t{1} << 20;
  static constexpr std::size_t kBytesPerUnit = 40;
  static constexpr std::size_t kBytesFreedPerUnit = 400;
  static constexpr std::size_t kOvertimeMemory = std::size_t{1} << 18;

  std::size_t room() const {
    if (most_memory_ == kNoLimit || graces_) return kNoLimit;
    const std::size_t taken = used_ + tables_ + growth_ + reserved_bytes_;
    return taken < most_memory_ ? most_memory_ - taken : 0;
  }
  bool expired(std::size_t units) const {
    if (deadline_ == kNever && last_reading_ == kNoLimit) return false;
    const std::size_t later = units + reserved_units_ + used_ / kBytesFreedPerUnit;
    return readings_ + (units + reserved_units_) / kUnitsPerReading >= last_reading_ ||
           (deadline_ != kNever && seconds() + static_cast<double>(later) * kSecondsPerUnit >= deadline_);
  }
  [[gnu::noinline, gnu::cold]] void read(std::size_t units) {
    most_unread_ = std::max(most_unread_, unread_);
    if (ran_out_) overdue_ += unread_;
    unread_ = 0;
    ++readings_;
    if (graces_ || !expired(units)) return;
    if (!shares_) ran_out_ = true;
    run_out("max_seconds");
  }
  [[noreturn, gnu::noinline, gnu::cold]] static void run_out(const char* which) { throw OutOfBudget{which}; }

  const Clock::time_point start_;
  double deadline_;  // seconds from the start
  std::size_t last_reading_;
  std::size_t most_memory_;
  std::size_t unread_ = 0, readings_ = 0, most_unread_ = 0, overdue_ = 0;
  std::size_t used_ = 0, peak_ = 0, input_ = 0, tables_ = 0, growth_ = 0;
  std::size_t reserved_units_ = 0, reserved_bytes_ = 0;
  unsigned graces_ = 0, shares_ = 0;
  bool overtime_ = false, ran_out_ = false;
};

/// Allocates what a budget counts.
template <class T>
class BudgetAllocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  BudgetAllocator(Budget& budget) noexcept : budget_(&budget) {}  // NOLINT: implicit, as containers want it
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
  bool operator==(const BudgetAllocator<Other>& other) const noexcept { return budget_ == &other.budget(); }

 private:
  Budget* budget_;
};

/// A vector whose bytes a budget counts.
template <class T>
using Counted = std::vector<T, BudgetAllocator<T>>;

/// Bytes that are counted by hand, where std::allocator is faster: it copies and fills whole blocks.
class Account {
 public:
  explicit Account(Budget& budget) : budget_(budget) {}
  ~Account() { budget_.give_back(bytes_); }
  Budget& budget() const { return budget_; }
  Account(const Account&) = delete;
  Account& operator=(const Account&) = delete;

  /// @throws OutOfBudget
  void take(std::size_t bytes) {
    budget_.take(bytes);
    bytes_ += bytes;
  }
  void give_back(std::size_t bytes) noexcept {
    budget_.give_back(bytes);
    bytes_ -= bytes;
  }

 private:
  Budget& budget_;
  std::size_t bytes_ = 0;
};

template <class T>
[[gnu::noinline, gnu::cold]] void grow(Counted<T>& vector) {
  vector.reserve(std::max<std::size_t>(8, 2 * vector.size()));
}
template <class T>
[[gnu::noinline, gnu::cold]] void grow(std::vector<T>& vector, Account& account) {
  const std::size_t old = vector.capacity(), larger = std::max<std::size_t>(8, 2 * old);
  account.take(larger * sizeof(T));
  vector.reserve(larger);
  account.give_back(old * sizeof(T));
}

/// Bytes that a table of so many places will take when it grows to twice as many, if it may do so before it is asked
/// again: its old places are there until the new ones are filled.
inline std::size_t soon_taken(std::size_t filled, std::size_t places, std::size_t bytes_of_each) {
  constexpr std::size_t kFilledUnasked = 256;
  return filled + places / 8 + kFilledUnasked >= places ? 2 * places * bytes_of_each : 0;
}

/// Makes room for one more element, so that adding it can't fail.
template <class T>
void make_room(Counted<T>& vector) {
  if (vector.size() == vector.capacity()) [[unlikely]] grow(vector);
}
template <class T>
void make_room(std::vector<T>& vector, Account& account) {
  if (vector.size() == vector.capacity()) [[unlikely]] grow(vector, account);
}

}  // namespace widl
