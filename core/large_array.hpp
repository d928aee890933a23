#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "scratch_file.hpp"

namespace widl {

/// Where lists that outgrow memory go.
struct ScratchSpace {
  std::string directory;      ///< empty: nowhere, all stays in memory
  std::size_t in_memory = 0;  ///< bytes that a list may have before it goes there

  /// Of work that has so much memory, 0: without a limit. There are about ten lists.
  static ScratchSpace beside(std::uint64_t memory, const std::string& directory) {
    return memory == 0 ? ScratchSpace{} : ScratchSpace{directory, memory / 16};
  }
};

/// Bytes that grow without being copied: in memory or, once there are too many, in a nameless file that is mapped, of
/// which the system holds in memory what there is room for.
class GrowingBytes {
 public:
  GrowingBytes() = default;
  explicit GrowingBytes(ScratchSpace space) : space_(std::move(space)) {}
  ~GrowingBytes();
  GrowingBytes(GrowingBytes&& other) noexcept { swap(other); }
  GrowingBytes& operator=(GrowingBytes&& other) noexcept {
    swap(other);
    return *this;
  }

  void* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// The bytes that fit stay as they are; those added are anything. @throws InputError when the system refuses
  void resize(std::size_t size);
  /// How many are held in memory whether there is room or not.
  std::size_t in_memory() const { return file_ ? 0 : size_; }

 private:
  void swap(GrowingBytes& other) noexcept;
  void move_to_file(std::size_t size);

  ScratchSpace space_;
  std::unique_ptr<ScratchFile> file_;
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A list of numbers of one kind, many of them.
template <class T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  LargeArray() = default;
  explicit LargeArray(ScratchSpace space) : bytes_(std::move(space)) {}
  LargeArray(LargeArray&& other) noexcept : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}
  LargeArray& operator=(LargeArray&& other) noexcept {
    bytes_ = std::move(other.bytes_);
    std::swap(size_, other.size_);
    return *this;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return static_cast<T*>(bytes_.data()); }
  const T* data() const { return static_cast<const T*>(bytes_.data()); }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  std::size_t capacity() const { return bytes_.size() / sizeof(T); }
  void reserve(std::size_t capacity) {
    if (capacity * sizeof(T) > bytes_.size()) bytes_.resize(capacity * sizeof(T));
  }
  /// Leaves out the last ones; the room stays.
  void truncate(std::size_t size) { size_ = size; }
  void push_back(T value) { append({&value, 1}); }
  void append(std::span<const T> values) {
    const std::size_t size = size_ + values.size();
    if (size * sizeof(T) > bytes_.size()) bytes_.resize(std::max(size, size_ + size_ / 2 + 16) * sizeof(T));
    std::copy(values.begin(), values.end(), end());
    size_ = size;
  }
  void assign(std::size_t size, const T& value) {
    bytes_.resize(size * sizeof(T));
    size_ = size;
    std::fill(begin(), end(), value);
  }
  void shrink_to_fit() { bytes_.resize(size_ * sizeof(T)); }
  std::size_t in_memory() const { return bytes_.in_memory(); }

 private:
  GrowingBytes bytes_;
  std::size_t size_ = 0;
};

}  // namespace widl
