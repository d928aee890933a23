#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "function_ref.hpp"
#include "heap.hpp"
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
    if (file_)
      file_->read(offset, data, bytes);
    else
      kept_.copy(static_cast<char*>(data), bytes, offset);
  }

 private:
  const SpillOptions& options_;
  const std::size_t most_kept_;
  std::string kept_;
  std::unique_ptr<ScratchFile> file_;
};

/// Writes records sequentially, through a buffer.
template <class T>
class RecordWriter {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  RecordWriter(SpillFile& file, std::size_t memory)
      : file_(file), capacity_(std::max<std::size_t>(memory / sizeof(T), 1)) {}

  void add(const T& record) {
    if (buffer_.capacity() == 0) buffer_.reserve(capacity_);
    buffer_.push_back(record);
    if (buffer_.size() == capacity_) flush();
  }

  /// Must be called at the end.
  void flush() {
    file_.append(buffer_.data(), buffer_.size() * sizeof(T));
    buffer_.clear();
  }

 private:
  SpillFile& file_;
  std::size_t capacity_;
  std::vector<T> buffer_;
};

/// A range of consecutive records in a file, by default all of them.
template <class T>
class RecordReader {
 public:
  RecordReader(const SpillFile& file, std::size_t memory) : RecordReader(file, 0, file.size(), memory) {}
  RecordReader(const SpillFile& file, std::uint64_t begin, std::uint64_t end, std::size_t memory)
      : file_(&file), at_(begin), end_(end), capacity_(std::max<std::size_t>(memory / sizeof(T), 1)) {}

  /// The record that `next` will return; null at the end.
  const T* peek() {
    if (used_ == buffer_.size() && !fill()) return nullptr;
    return &buffer_[used_];
  }

  bool next(T& record) {
    const T* head = peek();
    if (!head) return false;
    record = *head;
    ++used_;
    return true;
  }

 private:
  bool fill() {
    const std::uint64_t left = (end_ - at_) / sizeof(T);
    if (left == 0) return false;
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, capacity_)));
    file_->read(at_, buffer_.data(), buffer_.size() * sizeof(T));
    at_ += buffer_.size() * sizeof(T);
    used_ = 0;
    return true;
  }

  const SpillFile* file_;
  std::uint64_t at_, end_;
  std::size_t capacity_, used_ = 0;
  std::vector<T> buffer_;
};

/// Sorted runs of records in one file, and their merging.
template <class T, class Less>
class SortedRuns {
 public:
  explicit SortedRuns(const SpillOptions& options) : options_(options) {}

  std::size_t size() const { return ends_.size(); }

  /// Takes sorted records and keeps no copy of them in memory.
  void add(const std::vector<T>& run) {
    if (run.empty()) return;
    if (!file_) file_ = std::make_unique<SpillFile>(options_);
    constexpr std::size_t kBlock = (std::size_t{1} << 20) / sizeof(T);
    for (std::size_t i = 0; i < run.size(); i += kBlock)
      file_->append(run.data() + i, std::min(kBlock, run.size() - i) * sizeof(T));
    ends_.push_back(file_->size());
  }

  /// Calls `take` with all records in order; equal records come in any order. The runs are deleted afterwards.
  void merge(std::size_t memory, FunctionRef<void(const T&)> take) {
    // Each run needs a buffer of some length. If there are too many runs for the memory, merge in several rounds.
    const std::size_t buffer = std::min(kMinBuffer, memory / 3);
    const std::size_t width = memory / std::max<std::size_t>(buffer, 1) - 1;
    while (ends_.size() > width) {
      auto merged = std::make_unique<SpillFile>(options_);
      std::vector<std::uint64_t> ends;
      for (std::size_t first = 0; first < ends_.size(); first += width) {
        const std::size_t last = std::min(first + width, ends_.size());
        RecordWriter<T> writer(*merged, buffer);
        merge_runs(first, last, memory - buffer, [&](const T& record) { writer.add(record); });
        writer.flush();
        ends.push_back(merged->size());
      }
      file_ = std::move(merged);
      ends_ = std::move(ends);
    }
    merge_runs(0, ends_.size(), memory, take);
    file_.reset();
    ends_.clear();
  }

 private:
  static constexpr std::size_t kMinBuffer = std::size_t{1} << 16;

  void merge_runs(std::size_t first, std::size_t last, std::size_t memory, FunctionRef<void(const T&)> take) {
    struct Head {
      T record;
      std::uint32_t reader;
    };
    std::vector<RecordReader<T>> readers;
    std::vector<Head> heap;
    const auto later = [](const Head& a, const Head& b) { return Less()(b.record, a.record); };
    for (std::size_t run = first; run < last; ++run) {
      readers.emplace_back(*file_, run ? ends_[run - 1] : 0, ends_[run], memory / (last - first));
      Head head{{}, static_cast<std::uint32_t>(run - first)};
      if (readers.back().next(head.record)) heap.push_back(head);
    }
    std::make_heap(heap.begin(), heap.end(), later);
    while (!heap.empty()) {
      take(std::as_const(heap.front().record));
      Head head{{}, heap.front().reader};
      if (readers[head.reader].next(head.record)) {
        replace_top(heap, head, later);
      } else {
        std::pop_heap(heap.begin(), heap.end(), later);
        heap.pop_back();
      }
    }
  }

  const SpillOptions& options_;
  std::unique_ptr<SpillFile> file_;
  std::vector<std::uint64_t> ends_;  // of the runs, in bytes
};

/// Sorts records within a memory limit, using runs on disk.
template <class T, class Less>
class ExternalSorter {
 public:
  ExternalSorter(const SpillOptions& options, std::size_t memory)
      : capacity_(std::max<std::size_t>(memory / sizeof(T), 1)), runs_(options) {}

  void add(const T& record) {
    if (buffer_.capacity() == 0) buffer_.reserve(capacity_);
    buffer_.push_back(record);
    if (buffer_.size() == capacity_) spill();
  }

  /// Frees the memory until the next record arrives.
  void release() {
    spill();
    buffer_ = std::vector<T>();
  }

  /// Calls `take` with all records in order; the sorter is empty afterwards.
  void drain(std::size_t memory, FunctionRef<void(const T&)> take) {
    if (runs_.size() == 0) {
      std::sort(buffer_.begin(), buffer_.end(), Less());
      for (const T& record : buffer_) take(record);
      buffer_ = std::vector<T>();
      return;
    }
    release();
    runs_.merge(memory, take);
  }

 private:
  void spill() {
    std::sort(buffer_.begin(), buffer_.end(), Less());
    runs_.add(buffer_);
    buffer_.clear();
  }

  std::size_t capacity_;
  std::vector<T> buffer_;
  SortedRuns<T, Less> runs_;
};

}  // namespace widl
