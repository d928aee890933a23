#include "decimal_text.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <system_error>
#include <type_traits>

#include "util/double-conversion/double-conversion.h"

namespace widl {

namespace {

/// The value of inf or infinity, in any letter case.
template <class Real>
std::optional<Real> infinity(std::string_view text, bool negative) {
  const auto is = [&](std::string_view name) {
    if (text.size() != name.size()) return false;
    for (std::size_t i = 0; i < name.size(); ++i)
      if ((text[i] | 0x20) != name[i]) return false;
    return true;
  };
  if (!is("inf") && !is("infinity")) return std::nullopt;
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  return negative ? -kInfinity : kInfinity;
}

}  // namespace

template <class Real>
std::optional<Real> portable::decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view rest = text.substr(negative);
  if (rest.empty()) return std::nullopt;
  const char first = rest.front();
  if (first != '.' && (first < '0' || first > '9')) return infinity<Real>(rest, negative);
  static const double_conversion::StringToDoubleConverter converter(
      double_conversion::StringToDoubleConverter::NO_FLAGS, 0, std::numeric_limits<double>::quiet_NaN(), nullptr,
      nullptr);
  int read = 0;
  Real value;
  if constexpr (std::is_same_v<Real, float>)
    value = converter.StringToFloat(text.data(), static_cast<int>(text.size()), &read);
  else
    value = converter.StringToDouble(text.data(), static_cast<int>(text.size()), &read);
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

template <class Real>
std::optional<Real> decimal(std::string_view text) {
#if defined(__cpp_lib_to_chars) && !defined(WIDL_PORTABLE)
  Real value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc::result_out_of_range) {
    const bool is_number = error == std::errc() && end == text.data() + text.size() && !std::isnan(value);
    return is_number ? std::optional(value) : std::nullopt;
  }
#endif
  return portable::decimal<Real>(text);
}

template std::optional<float> decimal<float>(std::string_view);
template std::optional<double> decimal<double>(std::string_view);
template std::optional<float> portable::decimal<float>(std::string_view);
template std::optional<double> portable::decimal<double>(std::string_view);

}  // namespace widl
