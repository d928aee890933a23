#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#include "errors.hpp"

namespace widl {

static_assert(std::endian::native == std::endian::little, "floats are stored in little endian");

/// Reads data written by `append_varint` and similar functions, never beyond its end.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }
  std::size_t left() const { return rest_.size(); }

  /// An integer of `append_varint`. @throws InputError
  std::uint64_t number(std::uint64_t largest = std::numeric_limits<std::uint64_t>::max()) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      if (shift == 63 && byte > 1) break;
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      if (value > largest) break;
      return value;
    }
    throw InputError("damaged: a number is too large");
  }
  float real() {
    float value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view text() { return take(number()); }
  std::string_view bytes(std::size_t size) { return take(size); }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) throw InputError("damaged: truncated");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace widl
