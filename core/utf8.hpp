#pragma once

#include <cstddef>
#include <string_view>

namespace widl {

/// Whether the bytes are UTF-8 as of Unicode's Table 3-7: no overlong forms, no surrogates.
inline bool is_utf8(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i);
    if (lead < 0x80) {
      i += 1;
    } else if (lead >= 0xC2 && lead <= 0xDF && continues(i + 1)) {
      i += 2;
    } else if (lead >= 0xE0 && lead <= 0xEF &&
               continues(i + 1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) && continues(i + 2)) {
      i += 3;
    } else if (lead >= 0xF0 && lead <= 0xF4 &&
               continues(i + 1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) && continues(i + 2) &&
               continues(i + 3)) {
      i += 4;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace widl
