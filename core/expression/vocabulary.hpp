#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace widl {

/// An append-only list that never moves its elements: one thread may append while others read existing ones.
template <class T>
class StableArray {
 public:
  StableArray() = default;
  StableArray(StableArray&& other) noexcept : chunks_(std::move(other.chunks_)), size_(other.size_.exchange(0)) {}
  StableArray& operator=(StableArray&& other) noexcept {
    chunks_ = std::move(other.chunks_);
    size_ = other.size_.exchange(0);
    return *this;
  }

  /// An element appended by another thread is readable once size() includes it.
  std::size_t size() const { return size_.load(std::memory_order_acquire); }
  const T& operator[](std::size_t i) const {
    const std::size_t chunk = chunk_of(i);
    return chunks_[chunk][i - first_of(chunk)];
  }
  void push_back(T value) {
    const std::size_t i = size_.load(std::memory_order_relaxed), chunk = chunk_of(i), first = first_of(chunk);
    if (i == first) chunks_[chunk] = std::make_unique_for_overwrite<T[]>(first + kFirst);
    chunks_[chunk][i - first] = std::move(value);
    size_.store(i + 1, std::memory_order_release);
  }

 private:
  // Chunk k holds kFirst * 2^k elements.
  static constexpr std::size_t kFirst = 16;
  static constexpr std::size_t kChunks = 48;
  static std::size_t chunk_of(std::size_t i) { return static_cast<std::size_t>(std::bit_width(i / kFirst + 1)) - 1; }
  static std::size_t first_of(std::size_t chunk) { return ((std::size_t{1} << chunk) - 1) * kFirst; }

  std::array<std::unique_ptr<T[]>, kChunks> chunks_;
  std::atomic<std::size_t> size_{0};
};

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

/// The words of one sentence or expression. Their numbers come from a shared vocabulary; words missing from it get
/// local numbers from vocabulary.size() on.
class SentenceWords {
 public:
  explicit SentenceWords(const Vocabulary& vocabulary) : vocabulary_(&vocabulary), shared_(vocabulary.size()) {}
  SentenceWords(const SentenceWords&) = delete;  // own_ids_ points into own_words_
  SentenceWords& operator=(const SentenceWords&) = delete;
  SentenceWords(SentenceWords&&) = default;
  SentenceWords& operator=(SentenceWords&&) = default;

  /// The number of a word; new words get one.
  WordId id(std::string_view text) {
    // Words that the vocabulary learned after construction are treated as local: their shared numbers would clash with
    // local ones.
    if (auto id = vocabulary_->find(text); id && *id < shared_) return *id;
    if (auto found = own_ids_.find(text); found != own_ids_.end()) return found->second;
    own_words_.emplace_back(text);
    auto id = static_cast<WordId>(shared_ + own_words_.size() - 1);
    own_ids_.emplace(own_words_.back(), id);
    return id;
  }

  bool is_shared(WordId word) const { return word < shared_; }
  std::string_view text(WordId word) const {
    return is_shared(word) ? vocabulary_->word(word) : std::string_view(own_words_[word - shared_]);
  }
  const Vocabulary& vocabulary() const { return *vocabulary_; }

 private:
  const Vocabulary* vocabulary_;
  std::size_t shared_;                 // words of the vocabulary when this was made
  std::deque<std::string> own_words_;  // a deque's strings never move, even when the deque is moved
  std::unordered_map<std::string_view, WordId> own_ids_;
};

}  // namespace widl
