#pragma once

#include <cstdint>

namespace widl {

/// A strong mix of 64 bits (the finalizer of splitmix64).
inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace widl
