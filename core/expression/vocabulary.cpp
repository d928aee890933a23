#include "expression/vocabulary.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace widl {

/// Finds words by their hash. Open addressing; never removes.
class Vocabulary::Table {
 public:
  explicit Table(std::size_t slots) : slots_(slots) {  // a power of 2
    for (auto& slot : slots_) slot.store(kEmpty, std::memory_order_relaxed);
  }

  static std::uint32_t hash(std::string_view word) {
    const std::uint64_t hash = std::hash<std::string_view>{}(word);
    return static_cast<std::uint32_t>(hash ^ hash >> 32);
  }
  std::size_t size() const { return slots_.size(); }

  /// The number of the word with this hash that satisfies `is_it(number)`.
  template <class IsIt>
  std::optional<WordId> find(std::uint32_t hash, IsIt&& is_it) const {
    for (std::size_t i = hash & mask();; i = (i + 1) & mask()) {
      const std::uint64_t slot = slots_[i].load(std::memory_order_acquire);
      if (slot == kEmpty) return std::nullopt;
      if (slot >> 32 == hash && is_it(static_cast<WordId>(slot))) return static_cast<WordId>(slot);
    }
  }

  void prefetch(std::uint32_t hash) const { __builtin_prefetch(&slots_[hash & mask()]); }

  /// Adds a new word. Requires room for the word.
  void insert(std::uint32_t hash, WordId id) {
    std::size_t i = hash & mask();
    while (slots_[i].load(std::memory_order_relaxed) != kEmpty) i = (i + 1) & mask();
    slots_[i].store(std::uint64_t{hash} << 32 | id, std::memory_order_release);
  }
  /// The words of another index.
  void insert_all(const Table& other) {
    for (const auto& slot : other.slots_)
      if (const std::uint64_t word = slot.load(std::memory_order_relaxed); word != kEmpty)
        insert(static_cast<std::uint32_t>(word >> 32), static_cast<WordId>(word));
  }

 private:
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};  // no number is so large
  std::size_t mask() const { return slots_.size() - 1; }

  std::vector<std::atomic<std::uint64_t>> slots_;  // a word's hash, and its number
};

Vocabulary::Vocabulary() { grow(); }

Vocabulary::Vocabulary(Vocabulary&& other) : Vocabulary() { *this = std::move(other); }

Vocabulary& Vocabulary::operator=(Vocabulary&& other) noexcept {
  std::swap(words_, other.words_);
  std::swap(texts_, other.texts_);
  std::swap(room_, other.room_);
  std::swap(room_size_, other.room_size_);
  std::swap(tables_, other.tables_);
  table_ = tables_.back().get();
  other.table_ = other.tables_.back().get();
  return *this;
}

Vocabulary::~Vocabulary() = default;

WordId Vocabulary::intern(std::string_view word) {
  const std::uint32_t hash = Table::hash(word);
  Table* table = tables_.back().get();
  if (auto existing = table->find(hash, [&](WordId id) { return words_[id] == word; })) return *existing;
  const auto id = static_cast<WordId>(words_.size());
  words_.push_back(stored(word));
  if (2 * words_.size() > table->size()) table = &grow();
  table->insert(hash, id);
  return id;
}

std::optional<WordId> Vocabulary::find(std::string_view word) const {
  return table_.load(std::memory_order_acquire)->find(Table::hash(word), [&](WordId id) { return words_[id] == word; });
}

void Vocabulary::prefetch(std::string_view word) const {
  table_.load(std::memory_order_acquire)->prefetch(Table::hash(word));
}

Vocabulary::Table& Vocabulary::grow() {
  constexpr std::size_t kFirstSlots = 32;
  auto larger = std::make_unique<Table>(tables_.empty() ? kFirstSlots : 2 * tables_.back()->size());
  if (!tables_.empty()) larger->insert_all(*tables_.back());
  tables_.push_back(std::move(larger));
  table_.store(tables_.back().get(), std::memory_order_release);
  return *tables_.back();
}

/// A copy of the word that never moves.
std::string_view Vocabulary::stored(std::string_view word) {
  constexpr std::size_t kFirstBlock = 256, kLargestBlock = 1 << 20;
  if (word.size() > room_size_) {
    const std::size_t doubled = std::min(kLargestBlock, kFirstBlock << std::min<std::size_t>(texts_.size(), 12));
    room_size_ = std::max(word.size(), doubled);
    room_ = texts_.emplace_back(std::make_unique_for_overwrite<char[]>(room_size_)).get();
  }
  std::copy(word.begin(), word.end(), room_);
  const std::string_view copy(room_, word.size());
  room_ += word.size();
  room_size_ -= word.size();
  return copy;
}

}  // namespace widl
