#pragma once

#include <charconv>
#include <string>

namespace widl {

/// The shortest decimal that reads back as the same number.
inline std::string shortest(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

/// Six significant digits, for messages.
inline std::string rounded(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 6).ptr};
}

}  // namespace widl
