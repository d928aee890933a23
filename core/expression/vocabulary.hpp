#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "expression/stable_array.hpp"

namespace widl {

/// A word's number in a Vocabulary, from 0 in the order of first appearance.
using WordId = std::uint32_t;

/// Words and their numbers, both ways. Several threads may read it while one interns words; readers may miss the newest
/// words.
class Vocabulary {
 public:
  Vocabulary();
  Vocabulary(Vocabulary&&);
  Vocabulary& operator=(Vocabulary&&) noexcept;
  ~Vocabulary();

  /// The word's number; new words get one.
  WordId intern(std::string_view word);
  std::optional<WordId> find(std::string_view word) const;
  /// Prefetches the memory that `find` will read.
  void prefetch(std::string_view word) const;

  std::string_view word(WordId id) const { return words_[id]; }
  std::size_t size() const { return words_.size(); }

 private:
  class Table;
  Table& grow();
  std::string_view stored(std::string_view word);

  StableArray<std::string_view> words_;
  std::vector<std::unique_ptr<char[]>> texts_;  // of the words
  char* room_ = nullptr;                        // in the last of them
  std::size_t room_size_ = 0;
  // The last table is in use. Other threads may still read the earlier tables, which are smaller in total.
  std::vector<std::unique_ptr<Table>> tables_;
  std::atomic<const Table*> table_ = nullptr;
};

}  // namespace widl
