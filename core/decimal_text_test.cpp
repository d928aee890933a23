#include "decimal_text.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>

namespace widl {
namespace {

template <class Real>
void check_alike(const std::string& text) {
  CAPTURE(text);
  const auto one = decimal<Real>(text), other = portable::decimal<Real>(text);
  REQUIRE(one.has_value() == other.has_value());
  if (one) CHECK(*one == *other);
}

TEST_CASE("decimal numbers are read whole or not at all") {
  CHECK(decimal<double>("-1.5e-3") == -0.0015);
  CHECK(decimal<double>(".5") == 0.5);
  CHECK(decimal<float>("-99") == -99.0f);
  CHECK(decimal<double>("1e999") == std::numeric_limits<double>::infinity());
  CHECK(decimal<double>("1e-999") == 0.0);
  for (const char* text :
       {"", "-", ".", "+1", " 1", "1 ", "1,5", "0x10", "nan", "1e", "--1", "1.2.3", "one", "infinit"})
    CHECK_FALSE(decimal<double>(text).has_value());
}

TEST_CASE("both ways to read decimal numbers agree") {
  for (const char* text : {"",
                           "-",
                           ".",
                           "-.",
                           "+1",
                           " 1",
                           "1 ",
                           "0x10",
                           "inf",
                           "-INF",
                           "Infinity",
                           "nan",
                           "-nan",
                           "1e",
                           "1e+5",
                           "1e+",
                           "00",
                           "007",
                           "-0",
                           "1.",
                           ".5",
                           "-.5",
                           "1.5E3",
                           "1e39",
                           "-1e39",
                           "1e-46",
                           "1e400",
                           "1e-400",
                           "340282356779733661637539395458142568447.9",
                           "2.4703282292062327208e-324"}) {
    check_alike<float>(text);
    check_alike<double>(text);
  }
  std::mt19937_64 draw(7);
  for (int i = 0; i < 3000; ++i) {
    char text[64];
    const int digits = static_cast<int>(draw() % 20) + 1;
    std::snprintf(text, sizeof text, "%.*g", digits, std::bit_cast<double>(draw() & ~(std::uint64_t{1} << 62)));
    check_alike<double>(text);
    std::snprintf(text, sizeof text, "%.*f", digits % 9, static_cast<double>(draw() % 2000000) / 1e4 - 100);
    check_alike<float>(text);
  }
}

}  // namespace
}  // namespace widl
