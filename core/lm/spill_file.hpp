#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace widl {

/// Where what does not fit in memory goes, and how much memory there is.
struct SpillOptions {
  std::string directory;
  std::size_t memory = 0;  // bytes

  /// Called for every block that is written or read; may throw to stop the work.
  std::function<void()> poll = [] {};
};

/// A temporary file without a name: it is gone when this is, however the program ends.
class SpillFile {
 public:
  /// @throws InputError naming the directory, here and below, when the system refuses.
  explicit SpillFile(const SpillOptions& options);
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  std::uint64_t size() const { return size_; }
  void append(const void* data, std::size_t bytes);
  void read(std::uint64_t offset, void* data, std::size_t bytes) const;

 private:
  [[noreturn]] void fail(const char* what) const;

  const SpillOptions& options_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace widl
