#include "search/length_limits.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace widl::length_limits_test {
namespace {

LengthLimits limits(std::uint32_t max_words, std::uint32_t max_bytes) {
  SpaceOptions options;
  options.max_words = max_words;
  options.max_bytes = max_bytes;
  return LengthLimits(options);
}

}  // namespace

TEST_CASE("without limits everything fits, and lengths do not matter") {
  const LengthLimits none = limits(0, 0);
  CHECK_FALSE(none.has_any());
  CHECK(none.used(7, 40) == none.used(8, 50));
}

TEST_CASE("a limit of words counts the shortest completion") {
  const LengthLimits ten = limits(10, 0);
  CHECK(ten.has_any());
  CHECK(ten.allow(7, 1000, {3, 1000}));
  CHECK_FALSE(ten.allow(8, 0, {3, 0}));
  CHECK(ten.used(7, 40) == ten.used(7, 50));
  CHECK(ten.used(7, 40) != ten.used(8, 40));
}

TEST_CASE("a limit of bytes counts the separators between words only: \"to be\" has five bytes") {
  const LengthLimits five = limits(0, 5);
  CHECK(five.allow(1, 3, {1, 3}));  // each word has a separator before it
  const LengthLimits four = limits(0, 4);
  CHECK_FALSE(four.allow(1, 3, {1, 3}));
}

}  // namespace widl::length_limits_test
