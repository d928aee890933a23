#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <utility>

namespace widl {

/// An append-only list that never moves its elements: one thread may append while others read existing ones.
template <class T>
class StableArray {
 public:
  StableArray() = default;
  StableArray(StableArray&& other) noexcept
      : chunks_(std::move(other.chunks_)), size_(other.size_.exchange(0)) {}
  StableArray& operator=(StableArray&& other) noexcept {
    chunks_ = std::move(other.chunks_);
    size_ = other.size_.exchange(0);
    return *this;
  }

  /// An element appended by another thread is readable once size() includes it.
  std::size_t size() const { return size_.load(std::memory_order_acquire); }
  const T& operator[](std::size_t i) const {
    const std::size_t chunk = chunk_of(i);
    return chunks_[chunk][i - first_of(chunk)];
  }
  void push_back(T value) {
    const std::size_t i = size_.load(std::memory_order_relaxed), chunk = chunk_of(i), first = first_of(chunk);
    if (i == first) chunks_[chunk] = std::make_unique_for_overwrite<T[]>(first + kFirst);
    chunks_[chunk][i - first] = std::move(value);
    size_.store(i + 1, std::memory_order_release);
  }

 private:
  // Chunk k holds kFirst * 2^k elements.
  static constexpr std::size_t kFirst = 16;
  static constexpr std::size_t kChunks = 48;
  static std::size_t chunk_of(std::size_t i) { return std::bit_width(i / kFirst + 1) - 1; }
  static std::size_t first_of(std::size_t chunk) { return ((std::size_t{1} << chunk) - 1) * kFirst; }

  std::array<std::unique_ptr<T[]>, kChunks> chunks_;
  std::atomic<std::size_t> size_{0};
};

}  // namespace widl
