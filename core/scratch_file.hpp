#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

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

  static constexpr std::size_t kBlock = std::size_t{1} << 20;  ///< bytes of a block, about
  /// Appends records as a block, with its size in front, and clears them.
  void append_block(std::string& records);
  /// The blocks in a part of the file.
  class Blocks {
   public:
    Blocks(const ScratchFile& file, std::uint64_t begin, std::uint64_t end) : file_(&file), at_(begin), end_(end) {}
    /// Reads the next block; false after the last.
    bool next();
    std::string_view bytes() const { return bytes_; }

   private:
    const ScratchFile* file_;
    std::uint64_t at_, end_;
    std::string bytes_;
  };

 private:
  [[noreturn]] void fail(const char* what, int error) const;

  std::string directory_;
  int handle_;
  std::atomic<std::uint64_t> end_{0};
};

}  // namespace widl
