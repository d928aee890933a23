#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace widl {

/// A strong mix of 64 bits (the finalizer of splitmix64).
inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Open addressing from 64-bit keys to small values; all ones is no key. Never removes.
template <class Value>
class HashTable {
 public:
  explicit HashTable(std::size_t capacity = 1024) { reset(capacity); }

  /// The key's value, freshly default-made if `second`. Valid until the next insertion.
  std::pair<Value*, bool> find_or_insert(std::uint64_t key) {
    if (size_ * 2 >= slots_.size()) grow();
    Slot& slot = find_slot(key);
    bool added = slot.key == kEmpty;
    if (added) {
      slot.key = key;
      ++size_;
    }
    return {&slot.value, added};
  }

  std::size_t size() const { return size_; }
  std::size_t memory() const { return slots_.size() * sizeof(Slot); }

 private:
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t key = kEmpty;
    Value value{};
  };

  Slot& find_slot(std::uint64_t key) {
    std::size_t i = mix(key) & mask_;
    while (slots_[i].key != kEmpty && slots_[i].key != key) i = (i + 1) & mask_;
    return slots_[i];
  }
  void reset(std::size_t capacity) {
    slots_.assign(capacity, Slot{});
    mask_ = capacity - 1;
    size_ = 0;
  }
  void grow() {
    std::vector<Slot> old = std::move(slots_);
    reset(old.size() * 2);
    for (Slot& slot : old)
      if (slot.key != kEmpty) {
        find_slot(slot.key) = std::move(slot);
        ++size_;
      }
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  std::size_t size_ = 0;
};

/// Finds numbered things by their hash: an index of a list that only grows, numbers being places in it.
class HashIndex {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// The number of the thing with this hash for which `is_it(number)`, or kNone.
  template <class IsIt>
  std::uint32_t find(std::uint64_t hash, IsIt&& is_it) const {
    for (std::size_t i = mix(hash) & mask(); slots_[i].number != kNone; i = (i + 1) & mask())
      if (slots_[i].hash == hash && is_it(slots_[i].number)) return slots_[i].number;
    return kNone;
  }

  /// Adds a thing that is not there yet.
  void insert(std::uint64_t hash, std::uint32_t number) {
    if (++size_ * 2 > slots_.size()) {
      std::vector<Slot> old = std::move(slots_);
      slots_.assign(old.size() * 2, Slot{});
      for (const Slot& slot : old)
        if (slot.number != kNone) place(slot);
    }
    place({hash, number});
  }

  std::size_t size() const { return size_; }
  std::size_t memory() const { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t number = kNone;
  };
  std::size_t mask() const { return slots_.size() - 1; }
  void place(const Slot& slot) {
    std::size_t i = mix(slot.hash) & mask();
    while (slots_[i].number != kNone) i = (i + 1) & mask();
    slots_[i] = slot;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);
  std::size_t size_ = 0;
};

}  // namespace widl
