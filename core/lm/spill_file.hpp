#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "scratch_file.hpp"

namespace widl {

/// The directory for data that does not fit in memory, and the memory limit.
struct SpillOptions {
  std::string directory;
  std::size_t memory = 0;  // bytes

  /// Called for every block that is written or read; may throw to stop the work.
  std::function<void()> poll = [] {};
};

/// A scratch file for one thread, which polls for interruption. Its first bytes stay in memory, so small data needs no
/// file.
class SpillFile {
 public:
  explicit SpillFile(const SpillOptions& options)
      : options_(options), most_kept_(std::min(std::size_t{1} << 16, options.memory / 64)) {}

  std::uint64_t size() const { return file_ ? file_->size() : kept_.size(); }
  /// All functions throw an InputError that names the directory if the system call fails.
  void append(const void* data, std::size_t bytes) {
    options_.poll();
    if (!file_ && kept_.size() + bytes <= most_kept_) {
      kept_.append(static_cast<const char*>(data), bytes);
      return;
    }
    if (!file_) {
      file_ = std::make_unique<ScratchFile>(options_.directory);
      file_->append(kept_.data(), kept_.size());
      kept_ = std::string();
    }
    file_->append(data, bytes);
  }
  void read(std::uint64_t offset, void* data, std::size_t bytes) const {
    options_.poll();
    if (file_) file_->read(offset, data, bytes);
    else kept_.copy(static_cast<char*>(data), bytes, offset);
  }

 private:
  const SpillOptions& options_;
  const std::size_t most_kept_;
  std::string kept_;
  std::unique_ptr<ScratchFile> file_;
};

}  // namespace widl
