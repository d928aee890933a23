#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "errors.hpp"

namespace widl {

/// A probability, or another positive score, as the float that a table stores. Smaller positive values become the
/// smallest float.
class Probability {
 public:
  Probability() = default;

  static bool is_one(double value) { return value > 0 && value <= 1; }
  /// Whether `value` can be stored: it is positive, and not too large for a float.
  static bool holds(double value) { return value > 0 && value <= std::numeric_limits<float>::max(); }
  /// @throws InternalError unless `holds(value)`
  static Probability of(double value) {
    if (!holds(value)) throw InternalError("a positive number");
    return Probability(std::max(static_cast<float>(value), std::numeric_limits<float>::denorm_min()));
  }
  /// Rounds to 12 binary digits, a relative error of at most 1/4096, so that a table stores more scores only once.
  static Probability rounded(double value) {
    constexpr std::uint32_t kDropped = 1 << 12;
    return from_bits((of(value).bits() + kDropped / 2) & ~(kDropped - 1));
  }
  /// Reads a stored value, which may be damaged: see `valid`.
  static Probability from_bits(std::uint32_t bits) { return Probability(std::bit_cast<float>(bits)); }

  std::uint32_t bits() const { return std::bit_cast<std::uint32_t>(value_); }
  bool valid() const { return holds(value_); }
  double value() const { return value_; }
  double log() const { return std::log(static_cast<double>(value_)); }
  float float_log() const { return std::log(value_); }  // faster

 private:
  explicit Probability(float value) : value_(value) {}
  float value_ = 1;
};

/// Appends the number with the fewest digits that read back exactly.
inline void append_number(std::string& text, Probability value) {
  std::array<char, 32> buffer;
  const auto number = static_cast<float>(value.value());
  const char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::general).ptr;
  text.append(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
}

}  // namespace widl
