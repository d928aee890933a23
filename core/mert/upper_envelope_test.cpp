#include "mert/upper_envelope.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace widl::upper_envelope_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<std::uint32_t> highest(const std::vector<double>& slopes, const std::vector<double>& intercepts) {
  std::vector<std::uint32_t> lines;
  UpperEnvelope envelope;
  for (const EnvelopeLine& line : envelope.find(slopes, intercepts)) lines.push_back(line.line);
  return lines;
}

}  // namespace

TEST_CASE("envelope: lines from left to right by slope, each from where it overtakes the line before") {
  UpperEnvelope envelope;
  const std::vector<double> slopes = {1, -1}, intercepts = {0, 2};
  const auto lines = envelope.find(slopes, intercepts);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].line == 1);
  CHECK(lines[0].from == -kInfinity);
  CHECK(lines[1].line == 0);
  CHECK(lines[1].from == doctest::Approx(1));
}

TEST_CASE("envelope: a line below the others is nowhere highest") {
  CHECK(highest({-1, 0, 1}, {0, -1, 0}) == std::vector<std::uint32_t>{0, 2});
  CHECK(highest({-1, 0, 1}, {0, 1, 0}) == std::vector<std::uint32_t>{0, 1, 2});
}

TEST_CASE("envelope: of parallel lines the higher counts, of equal lines the first") {
  CHECK(highest({1, 1}, {0, 1}) == std::vector<std::uint32_t>{1});
  CHECK(highest({1, 1}, {2, 2}) == std::vector<std::uint32_t>{0});
}

}  // namespace widl::upper_envelope_test
