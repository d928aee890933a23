#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "search/budget.hpp"

namespace widl {

/// A strong mix of 64 bits (the finalizer of splitmix64).
inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Hash table with open addressing, from 64-bit keys to small values; ~0 is not a valid key. Entries are never removed.
template <class Value, template <class> class Allocator = std::allocator>
class HashTable {
  struct Slot {
    std::uint64_t key = ~std::uint64_t{0};
    Value value{};
  };
  using Slots = std::vector<Slot, Allocator<Slot>>;

 public:
  /// `capacity`: a power of 2.
  explicit HashTable(std::size_t capacity = 1024)
    requires std::is_default_constructible_v<Allocator<Slot>>
      : slots_(capacity) {}
  HashTable(std::size_t capacity, const Allocator<Slot>& allocator) : slots_(capacity, allocator) {}

  /// The key's value; `second`: whether this call inserted it, with a default value. Valid until the next insertion.
  std::pair<Value*, bool> find_or_insert(std::uint64_t key) {
    if (size_ * 2 >= slots_.size()) grow();
    assert(key != kEmpty);
    Slot& slot = find_slot(slots_, mask_, key);
    bool added = slot.key == kEmpty;
    if (added) {
      slot.key = key;
      ++size_;
    }
    return {&slot.value, added};
  }

  /// The key's value, or null.
  const Value* find(std::uint64_t key) const {
    std::size_t i = mix(key) & mask_;
    while (slots_[i].key != kEmpty && slots_[i].key != key) i = (i + 1) & mask_;
    return slots_[i].key == key ? &slots_[i].value : nullptr;
  }

  /// Prefetches the slot of the key.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&slots_[mix(key) & mask_]); }

  std::size_t size() const { return size_; }

 private:
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};

  static Slot& find_slot(Slots& slots, std::size_t mask, std::uint64_t key) {
    std::size_t i = mix(key) & mask;
    while (slots[i].key != kEmpty && slots[i].key != key) i = (i + 1) & mask;
    return slots[i];
  }
  void grow() {
    Slots larger(slots_.size() * 2, slots_.get_allocator());
    for (Slot& slot : slots_)
      if (slot.key != kEmpty) find_slot(larger, larger.size() - 1, slot.key) = std::move(slot);
    slots_ = std::move(larger);
    mask_ = slots_.size() - 1;
  }

  Slots slots_;
  std::size_t mask_ = slots_.size() - 1;
  std::size_t size_ = 0;
};

/// Index by hash of a list that only grows; numbers are positions in the list.
///
/// A slot has 32 bits of the hash, so that lookups rarely read the list and growing never does.
template <template <class> class Allocator = std::allocator>
class HashIndex {
  static constexpr std::uint32_t kNoNumber = ~std::uint32_t{0};
  struct Slot {
    std::uint32_t mark = 0;
    std::uint32_t number = kNoNumber;
  };
  using Slots = std::vector<Slot, Allocator<Slot>>;

 public:
  static constexpr std::uint32_t kNone = kNoNumber;

  HashIndex()
    requires std::is_default_constructible_v<Allocator<Slot>>
      : slots_(kFirstSize) {}
  explicit HashIndex(const Allocator<Slot>& allocator) : slots_(kFirstSize, allocator) {}

  /// The number of the entry with this hash that satisfies `is_it(number)`, or kNone.
  template <class IsIt>
  std::uint32_t find(std::uint64_t hash, IsIt&& is_it) const {
    const auto mark = static_cast<std::uint32_t>(mix(hash));
    for (std::size_t i = mark & mask(); slots_[i].number != kNone; i = (i + 1) & mask())
      if (slots_[i].mark == mark && is_it(slots_[i].number)) return slots_[i].number;
    return kNone;
  }

  /// Prefetches the slot of an entry with this hash.
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[mix(hash) & mask()]); }

  /// Reserves room for one more entry, so that adding it can't fail. @throws OutOfBudget
  void make_room() {
    if ((size_ + 1) * 2 > slots_.size()) [[unlikely]]
      grow();
  }
  /// Appends an entry; the key must not be in the table.
  void insert(std::uint64_t hash, std::uint32_t number) {
    assert(number != kNone);
    make_room();
    place(slots_, {static_cast<std::uint32_t>(mix(hash)), number});
    ++size_;
  }

  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kFirstSize = 64;

  std::size_t mask() const { return slots_.size() - 1; }
  static void place(Slots& slots, const Slot& slot) {
    const std::size_t mask = slots.size() - 1;
    std::size_t i = slot.mark & mask;
    while (slots[i].number != kNone) i = (i + 1) & mask;
    slots[i] = slot;
  }
  [[gnu::noinline, gnu::cold]] void grow() {
    Slots larger(slots_.size() * 2, slots_.get_allocator());
    for (const Slot& slot : slots_)
      if (slot.number != kNone) place(larger, slot);
    slots_ = std::move(larger);
  }

  Slots slots_;
  std::size_t size_ = 0;
};

/// Numbered states; equal states have equal numbers.
template <class State>
class StateStore {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = HashIndex<>::kNone;

  explicit StateStore(Budget& budget) : states_(budget), index_(budget) {}

  const State& operator[](Id state) const { return states_[state]; }
  std::size_t size() const { return states_.size(); }
  Id find(const State& state, std::uint64_t hash) const {
    return index_.find(hash, [&](Id number) { return states_[number] == state; });
  }
  /// Returns the number of a state; adds new states. @throws OutOfBudget
  Id intern(const State& state, std::uint64_t hash) {
    if (const Id existing = find(state, hash); existing != kNone) return existing;
    index_.make_room();
    make_room(states_);
    const auto number = static_cast<Id>(states_.size());
    states_.push_back(state);
    index_.insert(hash, number);
    return number;
  }

 private:
  Counted<State> states_;
  HashIndex<BudgetAllocator> index_;
};

/// A list that charges its bytes to a budget. Once large, it grows by a quarter without a second copy, because the
/// system moves its pages.
template <class T>
class CountedList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit CountedList(Budget& budget) : budget_(budget) {}
  ~CountedList() {
    budget_.give_back(capacity_ * sizeof(T));
    std::free(items_);
  }
  CountedList(const CountedList&) = delete;
  CountedList& operator=(const CountedList&) = delete;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacity() const { return capacity_; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }
  const T* data() const { return items_; }

  /// Reserves room for one more item, so that adding it can't fail. @throws OutOfBudget
  void make_room() {
    if (size() == capacity()) [[unlikely]]
      grow();
  }
  /// There must be room.
  void push_back(const T& item) { items_[size_++] = item; }

 private:
  // The C library maps blocks above 32 MB separately, and realloc moves them without copying.
  static constexpr std::size_t kMoved = std::size_t{64} << 20;

  [[gnu::noinline, gnu::cold]] void grow() {
    const std::size_t old = capacity_ * sizeof(T);
    const bool moved = old >= kMoved;
    const std::size_t larger = moved ? capacity_ + capacity_ / 4 : std::max<std::size_t>(8, 2 * capacity_);
    budget_.take(larger * sizeof(T) - (moved ? old : 0));
    void* items = std::realloc(items_, larger * sizeof(T));
    if (items == nullptr) {
      budget_.give_back(larger * sizeof(T) - (moved ? old : 0));
      throw std::bad_alloc();
    }
    items_ = static_cast<T*>(items);
    capacity_ = larger;
    if (!moved) budget_.give_back(old);
  }

  Budget& budget_;
  T* items_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

/// A table of values for rows that have few values, most of them adjacent. A row is a table of pieces of 64 columns;
/// all pieces without values share one piece. Rows and values never move.
template <class Value>
class SparseRows {
 public:
  static constexpr std::size_t kPiece = 64;
  /// A row: the value of a column is row[column / kPiece][column % kPiece].
  using Row = const Value* const*;

  /// `none`: the value of an empty cell.
  SparseRows(const Value& none, Budget& budget)
      : none_(kPiece, none), rows_(budget), tables_(budget), values_(budget) {}
  SparseRows(const SparseRows&) = delete;
  SparseRows& operator=(const SparseRows&) = delete;

  /// The first call sets the number of columns. @throws OutOfBudget
  Row row(std::size_t number, std::size_t columns) {
    if (rows_.size() <= number) rows_.resize(std::max(2 * rows_.size(), number + 1));
    return rows_[number] ? rows_[number] : add_row(number, columns);
  }
  bool has(std::size_t column) const { return column / kPiece < pieces_; }
  /// Sets a value of an existing row. @throws OutOfBudget
  void set(std::size_t number, std::size_t column, const Value& value) {
    assert(has(column));
    Value*& piece = rows_[number][column / kPiece];
    if (piece == none_.data()) {
      piece = values_.take(kPiece);
      std::copy(none_.begin(), none_.end(), piece);
    }
    piece[column % kPiece] = value;
  }
  static const Value& at(Row row, std::size_t column) { return row[column / kPiece][column % kPiece]; }

 private:
  /// Blocks of items that never move; each block is as large as all previous blocks together, up to a bound.
  template <class Item>
  class Blocks {
   public:
    explicit Blocks(Budget& budget) : budget_(budget) {}
    ~Blocks() { budget_.give_back(items_ * sizeof(Item)); }
    Blocks(const Blocks&) = delete;
    Blocks& operator=(const Blocks&) = delete;

    Item* take(std::size_t count) {
      if (left_ < count) {
        const std::size_t added = std::max(count, std::min(kLargest / sizeof(Item), std::max(kFirst, items_)));
        budget_.take(added * sizeof(Item));
        items_ += added;
        blocks_.push_back(std::make_unique_for_overwrite<Item[]>(added));
        next_ = blocks_.back().get();
        left_ = added;
      }
      left_ -= count;
      return std::exchange(next_, next_ + count);
    }

   private:
    static constexpr std::size_t kFirst = 16 * kPiece, kLargest = std::size_t{1} << 20;
    Budget& budget_;
    std::vector<std::unique_ptr<Item[]>> blocks_;
    Item* next_ = nullptr;
    std::size_t left_ = 0, items_ = 0;
  };

  Row add_row(std::size_t number, std::size_t columns) {
    if (pieces_ == 0) pieces_ = std::max<std::size_t>(1, (columns + kPiece - 1) / kPiece);
    rows_[number] = tables_.take(pieces_);
    std::fill_n(rows_[number], pieces_, none_.data());
    return rows_[number];
  }

  std::vector<Value> none_;
  Counted<Value**> rows_;
  Blocks<Value*> tables_;
  Blocks<Value> values_;
  std::size_t pieces_ = 0;  // of a row
};

}  // namespace widl
