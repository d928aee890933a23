#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace widl {

/// Counts byte strings, and numbers them by decreasing count, so that frequent strings have short numbers.
///
/// A table's links, counts and scores recur often: each is stored once and referenced by its code. Rare strings are
/// spelled out after code 0.
class CodebookBuilder {
 public:
  static constexpr std::uint32_t kWrittenOut = 0;
  /// Maximum number of distinct strings that are counted, to bound memory. Later new strings are written out.
  static constexpr std::size_t kMostStrings = std::size_t{1} << 22;

  /// The string's provisional number, from 0; none if the string will be written out.
  std::optional<std::uint32_t> add(std::string_view text) {
    auto entry = numbers_.find(text);
    if (entry == numbers_.end()) {
      if (counts_.size() == kMostStrings) return std::nullopt;
      entry = numbers_.emplace(std::string(text), static_cast<std::uint32_t>(counts_.size())).first;
      strings_.push_back(entry->first);
      counts_.push_back(0);
    }
    ++counts_[entry->second];
    return entry->second;
  }

  /// Ends the counting: assigns codes to strings that occurred at least `least` times. Among equally frequent strings,
  /// the first gets the smallest code.
  void finish(std::uint64_t least) {
    for (std::uint32_t number = 0; number < counts_.size(); ++number)
      if (counts_[number] >= least) order_.push_back(number);
    std::stable_sort(order_.begin(), order_.end(), [&](auto a, auto b) { return counts_[a] > counts_[b]; });
    codes_.assign(counts_.size(), kWrittenOut);
    for (std::uint32_t rank = 0; rank < order_.size(); ++rank) codes_[order_[rank]] = rank + 1;
  }

  std::uint32_t code(std::uint64_t number) const { return codes_[number]; }
  std::string_view string(std::uint64_t number) const { return strings_[number]; }
  /// The strings that have codes, in code order.
  std::vector<std::string_view> in_order() const {
    std::vector<std::string_view> strings;
    for (std::uint32_t number : order_) strings.push_back(strings_[number]);
    return strings;
  }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;  // its keys do not move in memory
  std::vector<std::string_view> strings_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> order_, codes_;
};

}  // namespace widl
