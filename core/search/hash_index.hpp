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
    insert(slots_, {static_cast<std::uint32_t>(mix(hash)), number});
    ++size_;
  }

  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kFirstSize = 64;

  std::size_t mask() const { return slots_.size() - 1; }
  static void insert(Slots& slots, const Slot& slot) {
    const std::size_t mask = slots.size() - 1;
    std::size_t i = slot.mark & mask;
    while (slots[i].number != kNone) i = (i + 1) & mask;
    slots[i] = slot;
  }
  [[gnu::noinline, gnu::cold]] void grow() {
    Slots larger(slots_.size() * 2, slots_.get_allocator());
    for (const Slot& slot : slots_)
      if (slot.number != kNone) insert(larger, slot);
    slots_ = std::move(larger);
  }

  Slots slots_;
  std::size_t size_ = 0;
};

}  // namespace widl
