#include "large_array.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace widl {

GrowingBytes::~GrowingBytes() {
  if (file_) file_->unmap(data_, size_);
  else std::free(data_);
}

void GrowingBytes::resize(std::size_t size) {
  if (size == size_) return;
  if (file_) {
    data_ = file_->map(data_, size_, size);
  } else if (!space_.directory.empty() && size > space_.in_memory) {
    move_to_file(size);
  } else if (size == 0) {
    std::free(std::exchange(data_, nullptr));
  } else {
    void* moved = std::realloc(data_, size);
    if (moved == nullptr) throw std::bad_alloc();
    data_ = moved;
  }
  size_ = size;
}

void GrowingBytes::move_to_file(std::size_t size) {
  auto file = std::make_unique<ScratchFile>(space_.directory);
  void* mapped = file->map(nullptr, 0, size);
  if (size_ > 0) std::memcpy(mapped, data_, std::min(size, size_));
  std::free(data_);
  data_ = mapped;
  file_ = std::move(file);
}

void GrowingBytes::swap(GrowingBytes& other) noexcept {
  std::swap(space_, other.space_);
  std::swap(file_, other.file_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
}

}  // namespace widl
