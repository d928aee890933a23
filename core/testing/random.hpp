#pragma once

#include <cstdint>
#include <random>

namespace widl {

using Random = std::mt19937;

inline double uniform(Random& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random()) / static_cast<double>(Random::max());
}
inline std::uint32_t below(Random& random, std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); }

}  // namespace widl
