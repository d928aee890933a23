#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "search/mix.hpp"

namespace widl {

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

}  // namespace widl
