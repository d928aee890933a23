#pragma once

#include <algorithm>
#include <cstddef>

#include "large_array.hpp"
#include "search/budget.hpp"

namespace widl {

/// A list whose bytes are counted, and that needs no second place to grow into once it is large: then the system moves its
/// pages, and it grows by a quarter.
template <class T>
class CountedList {
 public:
  explicit CountedList(Account& account) : account_(account) {}

  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  std::size_t capacity() const { return items_.capacity(); }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* begin() { return items_.begin(); }
  T* end() { return items_.end(); }
  const T* begin() const { return items_.begin(); }
  const T* end() const { return items_.end(); }
  const T* data() const { return items_.data(); }

  /// Makes room for one more item, so that adding it can't fail. @throws OutOfBudget
  void make_room() {
    if (size() == capacity()) [[unlikely]] grow();
  }
  /// There must be room.
  void push_back(const T& item) { items_.push_back(item); }
  /// Leaves out the last ones; the room stays.
  void shrink(std::size_t size) { items_.truncate(size); }

 private:
  // The C library maps blocks above 32 MB by themselves, and realloc moves these without copying.
  static constexpr std::size_t kMoved = std::size_t{64} << 20;

  [[gnu::noinline, gnu::cold]] void grow() {
    const std::size_t old = capacity() * sizeof(T);
    const bool moved = old >= kMoved;
    const std::size_t larger = moved ? capacity() + capacity() / 4 : std::max<std::size_t>(8, 2 * capacity());
    account_.take(larger * sizeof(T) - (moved ? old : 0));
    items_.reserve(larger);
    if (!moved) account_.give_back(old);
  }

  Account& account_;
  LargeArray<T> items_;
};

}  // namespace widl
