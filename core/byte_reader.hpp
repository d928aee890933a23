#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "errors.hpp"

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

static_assert(std::endian::native == std::endian::little, "floats are stored in little endian");

/// Reads data written by `append_varint` and similar functions, never beyond its end.
class ByteReader {
 public:
  /// `what`: the data, for messages.
  explicit ByteReader(std::string_view bytes, const char* what = nullptr) : rest_(bytes), what_(what) {}
  /// A reader of a part of the data.
  ByteReader within(std::string_view part) const { return ByteReader(part, what_); }
  /// @throws InputError that the data is damaged
  [[noreturn]] void fail(const char* how) const {
    throw InputError(std::string("damaged") + (what_ ? " " : "") + (what_ ? what_ : "") + ": " + how);
  }

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
    fail("a number is too large");
  }
  std::uint32_t number32() { return static_cast<std::uint32_t>(number(std::numeric_limits<std::uint32_t>::max())); }
  std::uint32_t word32() {
    std::uint32_t bits;
    std::memcpy(&bits, take(sizeof bits).data(), sizeof bits);
    return bits;
  }
  float real() { return std::bit_cast<float>(word32()); }
  std::string_view text() { return take(number()); }
  std::string_view bytes(std::size_t size) { return take(size); }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) fail("truncated");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  const char* what_;
};

}  // namespace widl
