#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace widl {

/// A probability, or another positive score, in the 32 bits that a table spends on it: a normal float, or, below the
/// smallest of these, with the sign bit set, six decimal digits (20 bits) and the power of ten that divides them (11
/// bits). Any number of six significant digits, as Moses prints them, comes back digit by digit.
class Probability {
 public:
  Probability() = default;

  static bool is_one(double value) { return value > 0 && value <= 1; }
  /// Whether `value` can be stored: it is positive, and not too large for a float.
  static bool holds(double value) { return value > 0 && value <= std::numeric_limits<float>::max(); }
  /// @throws InternalError unless `holds(value)`
  static Probability of(double value);
  /// What a table holds, which may be damaged: see `valid`.
  static Probability from_bits(std::uint32_t bits) { return Probability(bits); }

  std::uint32_t bits() const { return bits_; }
  bool valid() const;
  double value() const;
  double log() const;
  float float_log() const;  // faster

 private:
  explicit Probability(std::uint32_t bits) : bits_(bits) {}
  std::uint32_t bits_ = 0x3f800000;  // 1
};

/// Appends the number as C++ streams and C's %g write it, with six significant digits, or with as many more as
/// it takes to read the same number back.
void append_number(std::string& text, Probability value);
void append_number(std::string& text, std::uint32_t value);

}  // namespace widl
