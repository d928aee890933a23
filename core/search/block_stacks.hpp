#pragma once

#include <cstdint>
#include <vector>

#include "search/budget.hpp"
#include "search/hash_table.hpp"

namespace widl {

/// Source positions [begin, end).
struct SourceBlock {
  std::uint32_t begin, end;
};

/// The stacks of blocks of a hierarchical reordering model (Galley & Manning 2008): a phrase is put on top of what was
/// realized before it, and as long as the two topmost blocks touch in the source they become one. What stands before
/// the next phrase is the top. Equal stacks have equal numbers; each knows its top and the stack below.
class BlockStacks {
 public:
  using Id = std::uint32_t;
  static constexpr Id kEmpty = 0;

  explicit BlockStacks(Budget& budget) : account_(budget), index_(&account_) { stacks_.push_back({}); }

  /// The stack after a phrase of these positions. @throws OutOfBudget
  Id shifted(Id stack, SourceBlock block) {
    while (stack != kEmpty) {
      const Stack& top = stacks_[stack];
      if (top.block.end == block.begin) block.begin = top.block.begin;
      else if (block.end == top.block.begin) block.end = top.block.end;
      else break;
      stack = top.below;
    }
    return intern({block, stack});
  }
  SourceBlock top(Id stack) const { return stacks_[stack].block; }

 private:
  struct Stack {
    SourceBlock block;
    Id below;
  };

  Id intern(const Stack& stack) {
    std::uint64_t hash = mix(std::uint64_t{stack.block.begin} << 32 | stack.block.end);
    hash = mix(hash + stack.below * 0x9e3779b97f4a7c15ULL);
    const Id known = index_.find(hash, [&](Id number) {
      const Stack& other = stacks_[number];
      return other.below == stack.below && other.block.begin == stack.block.begin && other.block.end == stack.block.end;
    });
    if (known != HashIndex::kNone) return known;
    index_.make_room();
    make_room(stacks_, account_);
    const auto number = static_cast<Id>(stacks_.size());
    stacks_.push_back(stack);
    index_.insert(hash, number);
    return number;
  }

  Account account_;
  std::vector<Stack> stacks_;
  HashIndex index_;
};

}  // namespace widl
