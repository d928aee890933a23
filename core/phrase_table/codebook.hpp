#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace widl {

/// Counts the strings of a table's book, and numbers them by decreasing count, so that frequent strings have short
/// numbers. Rare strings have no number.
class CodebookBuilder {
 public:
  /// Maximum number of distinct strings that are counted, to bound memory. Later new strings get no number.
  static constexpr std::size_t kMostStrings = std::size_t{1} << 22;

  void count(std::string_view text) {
    auto entry = entries_.find(text);
    if (entry == entries_.end()) {
      if (entries_.size() == kMostStrings) return;
      entry = entries_.emplace(std::string(text), Entry()).first;
      order_.push_back(&*entry);
    }
    ++entry->second.count;
  }

  /// Ends the counting: assigns codes to strings that occurred at least `least` times. Among equally frequent strings,
  /// the first gets the smallest code.
  void finish(std::uint64_t least) {
    std::erase_if(order_, [&](const auto* entry) { return entry->second.count < least; });
    std::stable_sort(order_.begin(), order_.end(), [](auto* a, auto* b) { return a->second.count > b->second.count; });
    for (std::uint32_t rank = 0; rank < order_.size(); ++rank) order_[rank]->second.code = rank + 1;
  }

  /// From 1; 0 for a string that is spelled out.
  std::uint32_t code(std::string_view text) const {
    const auto entry = entries_.find(text);
    return entry == entries_.end() ? 0 : entry->second.code;
  }
  /// The strings that have codes, in code order.
  std::vector<std::string_view> in_order() const {
    std::vector<std::string_view> strings;
    for (const auto* entry : order_) strings.push_back(entry->first);
    return strings;
  }

 private:
  struct Entry {
    std::uint64_t count = 0;
    std::uint32_t code = 0;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Entries = std::unordered_map<std::string, Entry, Hash, std::equal_to<>>;

  Entries entries_;
  std::vector<Entries::value_type*> order_;  // entries do not move in memory
};

}  // namespace widl
