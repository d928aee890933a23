#pragma once

#include <algorithm>
#include <cstdint>

namespace widl {

/// Least length of a completion, in words and in bytes (each word with a separator).
struct Extent {
  static constexpr std::uint64_t kEndless = std::uint64_t{1} << 40;

  std::uint64_t words = 0;
  std::uint64_t bytes = 0;
};

inline Extent operator+(const Extent& a, const Extent& b) { return {a.words + b.words, a.bytes + b.bytes}; }
inline Extent better(const Extent& a, const Extent& b) {
  return {std::min(a.words, b.words), std::min(a.bytes, b.bytes)};
}

}  // namespace widl
