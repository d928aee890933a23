#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "metrics/translation_edit_rate.hpp"

namespace widl::translation_edit_rate_test {
namespace {

std::size_t edits(const std::vector<WordId>& hypothesis, const std::vector<WordId>& reference) {
  return translation_edits(hypothesis, reference);
}

}  // namespace

TEST_CASE("equal sentences need no edit") { CHECK(edits({1, 2, 3}, {1, 2, 3}) == 0); }

TEST_CASE("a substitution, an insertion and a deletion are one edit each") {
  CHECK(edits({1, 9, 3}, {1, 2, 3}) == 1);
  CHECK(edits({1, 3}, {1, 2, 3}) == 1);
  CHECK(edits({1, 2, 9, 3}, {1, 2, 3}) == 1);
}

TEST_CASE("a shift of several words is one edit") {
  CHECK(edits({3, 4, 1, 2}, {1, 2, 3, 4}) == 1);
  CHECK(edits({4, 5, 6, 1, 2, 3}, {1, 2, 3, 4, 5, 6}) == 1);
}

TEST_CASE("an empty side needs an edit per word of the other") {
  CHECK(edits({}, {1, 2, 3}) == 3);
  CHECK(edits({1, 2, 3}, {}) == 3);
}

}  // namespace widl::translation_edit_rate_test
