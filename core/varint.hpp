#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace widl {

/// Appends an integer in base 128, low bits first; the high bit says that another byte follows.
inline void append_varint(std::string& bytes, std::uint64_t value) {
  while (value >= 0x80) {
    bytes.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  bytes.push_back(static_cast<char>(value));
}

/// Appends text that `ByteReader::text` reads.
inline void append_text(std::string& bytes, std::string_view text) {
  append_varint(bytes, text.size());
  bytes += text;
}

}  // namespace widl
