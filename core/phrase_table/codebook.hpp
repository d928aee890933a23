#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace widl {

/// Counts byte strings, and numbers them by falling count, so that frequent ones have short numbers.
///
/// A table's links, counts and scores come again and again: each is stored once, and referred to by its code.
/// Code 0 stands before a string that is written out; see kMostEntries.
class CodebookBuilder {
 public:
  /// Strings that come after so many different ones are written out, which bounds the memory.
  static constexpr std::size_t kMostEntries = std::size_t{1} << 22;
  static constexpr std::uint32_t kWrittenOut = 0;

  /// The string's provisional number, from 1; kWrittenOut if it has none.
  std::uint32_t add(std::string_view text) {
    auto found = numbers_.find(text);
    if (found == numbers_.end()) {
      if (numbers_.size() == kMostEntries) return kWrittenOut;
      found = numbers_.emplace(std::string(text), static_cast<std::uint32_t>(numbers_.size() + 1)).first;
      counts_.push_back(0);
    }
    ++counts_[found->second - 1];
    return found->second;
  }

  /// By provisional number the final code; the first element is kWrittenOut's own. Among equally frequent strings the
  /// one that came first has the smaller code.
  std::vector<std::uint32_t> codes() const {
    std::vector<std::uint32_t> order(counts_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return counts_[a] > counts_[b]; });
    std::vector<std::uint32_t> codes(counts_.size() + 1, kWrittenOut);
    for (std::uint32_t rank = 0; rank < order.size(); ++rank) codes[order[rank] + 1] = rank + 1;
    return codes;
  }

  /// The strings in the order of these codes.
  std::vector<std::string_view> in_order(const std::vector<std::uint32_t>& codes) const {
    std::vector<std::string_view> strings(counts_.size());
    for (const auto& [text, number] : numbers_) strings[codes[number] - 1] = text;
    return strings;
  }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace widl
