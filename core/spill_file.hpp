#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

namespace widl {

/// A temporary file has no room, or can't be made, read or written.
struct SpillError : std::system_error {
  SpillError(int error, std::string folder)
      : std::system_error(error, std::generic_category(), folder), directory(std::move(folder)) {}
  std::string directory;
};

/// A file for what doesn't fit into memory. It has no name, so nothing of it is left behind however the program
/// ends. All its functions may be called from several threads.
class SpillFile {
 public:
  /// In `directory`, which must exist. @throws SpillError, as all functions here
  explicit SpillFile(const std::string& directory);
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  /// Where it was put.
  std::uint64_t append(const void* bytes, std::size_t size);
  void write(std::uint64_t offset, const void* bytes, std::size_t size);
  void read(std::uint64_t offset, void* bytes, std::size_t size) const;

 private:
  [[noreturn]] void fail(int error) const;

  std::string directory_;
  int handle_;
  std::atomic<std::uint64_t> end_{0};
};

}  // namespace widl
