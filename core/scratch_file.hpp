#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace widl {

/// A file for data that doesn't fit into memory. Several threads may read and write it at any offset. It has no name,
/// so the system removes it even if the program crashes.
class ScratchFile {
 public:
  /// Created in `directory`, which must exist. All functions throw an InputError that names it if the system call
  /// fails.
  explicit ScratchFile(const std::string& directory);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// Appends the bytes and returns their offset.
  std::uint64_t append(const void* bytes, std::size_t size);
  /// The end of the appended data.
  std::uint64_t size() const { return end_; }
  void write(std::uint64_t offset, const void* bytes, std::size_t size);
  void read(std::uint64_t offset, void* bytes, std::size_t size) const;

 private:
  [[noreturn]] void fail(const char* what, int error) const;

  std::string directory_;
  int handle_;
  std::atomic<std::uint64_t> end_{0};
};

}  // namespace widl
