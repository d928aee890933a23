#include <doctest/doctest.h>

#include <limits>

#include "search/certificate.hpp"

namespace widl {

TEST_CASE("a score that reaches its bound within a millionth of itself is optimal") {
  CHECK(Certificate{-20, -20}.optimal());
  CHECK(Certificate{-20, -20 + 1.9e-5}.optimal());
  CHECK_FALSE(Certificate{-20, -20 + 2.1e-5}.optimal());
  CHECK(Certificate{20, 20 + 1.9e-5}.optimal());
  CHECK_FALSE(Certificate{20, 20 + 2.1e-5}.optimal());
}

TEST_CASE("near zero, where the relative tolerance vanishes, rounding is no gap, and a gap is one") {
  CHECK(Certificate{0, 0}.optimal());
  CHECK(Certificate{0, 5e-13}.optimal());
  CHECK_FALSE(Certificate{0, 1e-11}.optimal());
  CHECK_FALSE(Certificate{1e-9, 2e-9}.optimal());
}

TEST_CASE("infinities and NaN are never optimal") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const double odd : {kInfinity, -kInfinity, kNaN}) {
    CHECK_FALSE(Certificate{odd, odd}.optimal());
    CHECK_FALSE(Certificate{-3, odd}.optimal());
    CHECK_FALSE(Certificate{odd, -3}.optimal());
    CHECK_FALSE(Certificate{odd, -odd}.optimal());
  }
  CHECK_FALSE(Certificate{}.optimal());
}

}  // namespace widl
