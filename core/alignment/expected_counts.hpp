#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace widl {

/// Expected counts as integers in units of 2^-20, so that sums are independent of the order of addition, on any number
/// of threads or machines.
class Tally {
 public:
  static constexpr double kUnits = 1 << 20;

  Tally() = default;
  explicit Tally(std::size_t size) : size_(size), values_(std::make_unique<std::atomic<std::uint64_t>[]>(size)) {}

  std::size_t size() const { return size_; }
  /// Safe from several threads.
  void add(std::size_t index, double value) { add_units(index, static_cast<std::uint64_t>(value * kUnits)); }
  void add_units(std::size_t index, std::uint64_t units) { values_[index].fetch_add(units, std::memory_order_relaxed); }
  double value(std::size_t index) const { return static_cast<double>(units(index)) / kUnits; }
  std::uint64_t units(std::size_t index) const { return values_[index].load(std::memory_order_relaxed); }
  void clear() {
    for (std::size_t i = 0; i < size_; ++i) values_[i].store(0, std::memory_order_relaxed);
  }

 private:
  std::size_t size_ = 0;
  std::unique_ptr<std::atomic<std::uint64_t>[]> values_;
};

/// The counters of a training round.
struct ExpectedCounts {
  Tally& links;  // by slots of the LexicalTable
  Tally &unaligned_source, &unaligned_target, &source_jumps, &target_jumps;

  /// Serializes the nonzero counts. Equal counts are equal bytes.
  std::string bytes() const;
  /// Adds the counts of `bytes`, made with the same table and words. @throws InputError for other bytes
  void add(std::string_view bytes) const;

 private:
  std::array<Tally*, 5> all() const {
    return {&links, &unaligned_source, &unaligned_target, &source_jumps, &target_jumps};
  }
};

}  // namespace widl
