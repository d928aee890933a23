#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>

#include "search/budget.hpp"

namespace widl {

/// A list that charges its bytes to a budget. Once large, it grows by a quarter without a second copy, because the
/// system moves its pages.
template <class T>
class MeteredList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit MeteredList(Budget& budget) : budget_(budget) {}
  ~MeteredList() {
    budget_.give_back(capacity_ * sizeof(T));
    std::free(items_);
  }
  MeteredList(const MeteredList&) = delete;
  MeteredList& operator=(const MeteredList&) = delete;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacity() const { return capacity_; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }
  const T* data() const { return items_; }

  /// Reserves room for one more item, so that adding it can't fail. @throws OutOfBudget
  void make_room() {
    if (size() == capacity()) [[unlikely]]
      grow();
  }
  /// There must be room.
  void push_back(const T& item) { items_[size_++] = item; }

 private:
  // The C library maps blocks above 32 MB separately, and realloc moves them without copying.
  static constexpr std::size_t kMoved = std::size_t{64} << 20;

  [[gnu::noinline, gnu::cold]] void grow() {
    const std::size_t old = capacity_ * sizeof(T);
    const bool moved = old >= kMoved;
    const std::size_t larger = moved ? capacity_ + capacity_ / 4 : std::max<std::size_t>(8, 2 * capacity_);
    budget_.take(larger * sizeof(T) - (moved ? old : 0));
    void* items = std::realloc(items_, larger * sizeof(T));
    if (items == nullptr) {
      budget_.give_back(larger * sizeof(T) - (moved ? old : 0));
      throw std::bad_alloc();
    }
    items_ = static_cast<T*>(items);
    capacity_ = larger;
    if (!moved) budget_.give_back(old);
  }

  Budget& budget_;
  T* items_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace widl
