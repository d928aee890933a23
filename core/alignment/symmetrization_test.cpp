#include <doctest/doctest.h>

#include <string>

#include "alignment/symmetrization.hpp"
#include "errors.hpp"

// The directions of most cases, by source (columns) and target (rows) positions; both have 0-0.
//
//      0 1 2
//   0  B f .      forward: 0-0 1-0 2-2
//   1  . r .      reverse: 0-0 1-1
//   2  . . f
namespace widl::symmetrization_test {
namespace {

std::string symmetrized(Symmetrization method, const char* forward = "0-0 1-0 2-2", const char* reverse = "0-0 1-1") {
  return format_links(symmetrize(parse_links(forward), parse_links(reverse), method));
}

}  // namespace

TEST_CASE("links are read and written as source-target") {
  CHECK(format_links(parse_links(" 0-0\t1-2 ")) == "0-0 1-2");
  CHECK(parse_links("").empty());
}

TEST_CASE("malformed links are refused, with the point and the remedy") {
  for (const char* bad : {"0", "0-", "-1", "a-b", "1-2-3", "9999999-0"}) CHECK_THROWS_AS(parse_links(bad), InputError);
  CHECK_THROWS_WITH(
      parse_links("0-0 1?2"),
      "expected alignment points like 0-3, found '1?2'; a possible link is written like a sure one, or omitted");
}

TEST_CASE("union and intersection") {
  CHECK(symmetrized(Symmetrization::Union) == "0-0 1-0 1-1 2-2");
  CHECK(symmetrized(Symmetrization::Intersection) == "0-0");
}

TEST_CASE("grow: adds horizontal and vertical neighbors that have an unlinked word") {
  // 1-0 is beside 0-0, then 1-1 below 1-0; 2-2 has only a diagonal neighbor.
  CHECK(symmetrized(Symmetrization::Grow) == "0-0 1-0 1-1");
}

TEST_CASE("grow-diag: adds diagonal neighbors, too") {
  CHECK(symmetrized(Symmetrization::GrowDiag) == "0-0 1-0 1-1 2-2");
}

TEST_CASE("growing needs a neighbor: links far from the intersection stay out") {
  CHECK(symmetrized(Symmetrization::GrowDiag, "0-0 3-3", "0-0") == "0-0");
}

TEST_CASE("growing skips a link whose words are both linked") {
  CHECK(symmetrized(Symmetrization::GrowDiag, "0-0 1-1 0-1", "0-0 1-1") == "0-0 1-1");
}

TEST_CASE("final: adds a far link with one unlinked word; final-and: only with two") {
  CHECK(symmetrized(Symmetrization::GrowDiagFinal, "0-0 0-3 4-4", "0-0") == "0-0 0-3 4-4");
  CHECK(symmetrized(Symmetrization::GrowDiagFinalAnd, "0-0 0-3 4-4", "0-0") == "0-0 4-4");
}

TEST_CASE("final: the links of forward come before those of reverse") {
  CHECK(symmetrized(Symmetrization::GrowDiagFinalAnd, "3-3", "3-5") == "3-3");
  CHECK(symmetrized(Symmetrization::GrowDiagFinalAnd, "3-5", "3-3") == "3-5");
}

TEST_CASE("repeated links count once, and the result is sorted by source") {
  CHECK(symmetrized(Symmetrization::Union, "2-0 0-1 0-1", "2-0") == "0-1 2-0");
}

}  // namespace widl::symmetrization_test
