#include "phrase_table/probability.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <string_view>

#include "errors.hpp"

namespace widl {
namespace {

constexpr std::uint32_t kDecimal = 1u << 31;
constexpr unsigned kDigitBits = 20;
constexpr std::uint32_t kLeastDigits = 100'000, kMostDigits = 999'999;
constexpr int kLeastPower = 43;  // the smallest normal float is 117549e-43

std::uint32_t digits_of(std::uint32_t bits) { return bits & ((1u << kDigitBits) - 1); }
int power_of(std::uint32_t bits) { return static_cast<int>((bits & ~kDecimal) >> kDigitBits); }

/// A decimal number: its digits, the point behind the first, and a power of ten.
struct Decimal {
  std::array<char, 24> digits;
  int count = 0;
  int exponent = 0;
};

/// Takes apart what std::to_chars writes, d.ddde-xx, or the digits alone.
Decimal decimal(std::string_view scientific) {
  Decimal result;
  std::size_t at = 0;
  for (; at < scientific.size() && scientific[at] != 'e'; ++at)
    if (scientific[at] != '.') result.digits[static_cast<std::size_t>(result.count++)] = scientific[at];
  if (at == scientific.size()) return result;  // an integer
  const char* exponent = scientific.data() + at + (scientific[at + 1] == '+' ? 2 : 1);
  std::from_chars(exponent, scientific.data() + scientific.size(), result.exponent);
  return result;
}

void append_decimal(std::string& text, Decimal number) {
  while (number.count > 1 && number.digits[static_cast<std::size_t>(number.count - 1)] == '0') --number.count;
  const std::string_view digits(number.digits.data(), static_cast<std::size_t>(number.count));
  const int exponent = number.exponent;
  if (exponent < -4 || exponent >= std::max(6, number.count)) {
    text += digits[0];
    if (digits.size() > 1) (text += '.') += digits.substr(1);
    (text += 'e') += exponent < 0 ? '-' : '+';
    if (std::abs(exponent) < 10) text += '0';
    text += std::to_string(std::abs(exponent));
  } else if (exponent < 0) {
    text += "0.";
    text.append(static_cast<std::size_t>(-exponent - 1), '0');
    text += digits;
  } else {
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    text += digits.substr(0, whole);
    if (digits.size() > whole) (text += '.') += digits.substr(whole);
    else text.append(whole - digits.size(), '0');
  }
}

template <class... Format>
Decimal decimal_of(Format... format) {
  std::array<char, 48> buffer;
  char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), format...).ptr;
  return decimal({buffer.data(), end});
}

}  // namespace

Probability Probability::of(double value) {
  if (!holds(value)) throw InternalError("a positive number");
  if (const auto rounded = static_cast<float>(value); rounded >= std::numeric_limits<float>::min())
    return Probability(std::bit_cast<std::uint32_t>(rounded));
  const Decimal number = decimal_of(value, std::chars_format::scientific, 5);
  std::uint32_t digits = 0;
  for (int i = 0; i < number.count; ++i)
    digits = 10 * digits + static_cast<std::uint32_t>(number.digits[static_cast<std::size_t>(i)] - '0');
  return Probability(kDecimal | static_cast<std::uint32_t>(5 - number.exponent) << kDigitBits | digits);
}

bool Probability::valid() const {
  if (bits_ & kDecimal) {
    const std::uint32_t digits = digits_of(bits_);
    return digits >= kLeastDigits && digits <= kMostDigits && power_of(bits_) >= kLeastPower;
  }
  const auto value = std::bit_cast<float>(bits_);
  return value >= std::numeric_limits<float>::min() && value <= std::numeric_limits<float>::max();
}

double Probability::value() const {
  // In two steps: the power alone may be too small for a double.
  if (bits_ & kDecimal) return digits_of(bits_) * 1e-40 * std::pow(10.0, 40 - power_of(bits_));
  return std::bit_cast<float>(bits_);
}

double Probability::log() const {
  if (bits_ & kDecimal) return std::log(digits_of(bits_)) - power_of(bits_) * std::numbers::ln10;
  return std::log(static_cast<double>(std::bit_cast<float>(bits_)));
}

float Probability::float_log() const {
  if (bits_ & kDecimal) return static_cast<float>(log());
  return std::log(std::bit_cast<float>(bits_));
}

void append_number(std::string& text, Probability value) {
  if (value.bits() & kDecimal) {
    Decimal number = decimal_of(digits_of(value.bits()));
    number.exponent = 5 - power_of(value.bits());
    return append_decimal(text, number);
  }
  append_decimal(text, decimal_of(std::bit_cast<float>(value.bits()), std::chars_format::scientific));
}

void append_number(std::string& text, std::uint32_t value) {
  if (value < 1'000'000) {
    text += std::to_string(value);
    return;
  }
  Decimal number = decimal_of(value);
  number.exponent = number.count - 1;
  append_decimal(text, number);
}

}  // namespace widl
