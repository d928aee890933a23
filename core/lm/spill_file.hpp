#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "scratch_file.hpp"

namespace widl {

/// Where what does not fit in memory goes, and how much memory there is.
struct SpillOptions {
  std::string directory;
  std::size_t memory = 0;  // bytes

  /// Called for every block that is written or read; may throw to stop the work.
  std::function<void()> poll = [] {};
};

/// A scratch file of one thread, which polls.
class SpillFile {
 public:
  /// @throws InputError naming the directory, here and below, when the system refuses.
  explicit SpillFile(const SpillOptions& options) : options_(options), file_(options.directory) {}

  std::uint64_t size() const { return file_.size(); }
  void append(const void* data, std::size_t bytes) {
    options_.poll();
    file_.append(data, bytes);
  }
  void read(std::uint64_t offset, void* data, std::size_t bytes) const {
    options_.poll();
    file_.read(offset, data, bytes);
  }

 private:
  const SpillOptions& options_;
  ScratchFile file_;
};

}  // namespace widl
