#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "search/row_loops.hpp"
#include "testing/random.hpp"

// A separate namespace, because several test files are compiled together.
namespace widl::row_loops_test {
namespace {

constexpr double kLeast = -1e18;  // far below any score, as in bounds
constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// Random scores, some of them `nothing`.
template <class Real>
std::vector<Real> numbers(Random& random, std::size_t count, double nothing) {
  std::vector<Real> drawn;
  while (drawn.size() < count)
    drawn.push_back(static_cast<Real>(below(random, 5) == 0 ? nothing : uniform(random, -50, 5)));
  return drawn;
}

/// Calls check(random) some hundred times.
template <class Check>
void check_all(Check&& check) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    check(random);
  }
}

template <class Real>
void check_rows(Random& random) {
  const std::size_t count = below(random, 30), width = row_loops::kLanes * below(random, 9);
  const auto rows = numbers<Real>(random, count * width, kLeast), add = numbers<Real>(random, count, kLeast);
  std::vector<Real> best(width);
  row_loops::best_of_rows(rows.data(), add.data(), count, width, static_cast<Real>(kLeast), best.data());
  for (std::size_t column = 0; column < width; ++column) {
    auto expected = static_cast<Real>(kLeast);
    for (std::size_t row = 0; row < count; ++row) expected = std::max(expected, rows[row * width + column] + add[row]);
    CHECK(best[column] == expected);
  }
}

/// A drawn step, with its marks where `marked`.
struct Counting {
  explicit Counting(Random& random, bool marked) {
    step.radix = 2 + below(random, 3);
    step.stride = below(random, 6) ? 1 + below(random, 40) : 0;
    size = step.stride ? step.stride * step.radix * (1 + below(random, 4)) : 1 + below(random, 100);
    for (std::size_t i = 0; i < size; ++i) closed.push_back(leads_on(i) ? 0.0f : static_cast<float>(kLeast));
    if (marked && step.stride) step.closed = closed.data();
  }
  bool leads_on(std::size_t index) const {
    return step.stride == 0 || index / step.stride % step.radix + 1 < step.radix;
  }
  /// Room for a row and the values used after it.
  std::size_t room() const { return size + step.stride; }

  CountedStep step{0, 0, nullptr};
  std::size_t size;
  std::vector<float> closed;
};

/// Whether both are the same, or both far below any score.
template <class Real>
bool is_same(Real one, Real other) {
  return one == other || (one < kLeast / 2 && other < kLeast / 2);
}

template <class Real>
void check_backward(Random& random) {
  const Counting counting(random, below(random, 2));
  const auto completions = numbers<Real>(random, counting.room(), kLeast),
             before = numbers<Real>(random, counting.size, kLeast);
  const auto score = static_cast<Real>(uniform(random, -9, 9));
  auto raised = before;
  row_loops::raise_backward(counting.step, score, completions.data(), counting.size, raised.data());
  for (std::size_t i = 0; i < counting.size; ++i) {
    Real expected = before[i];
    if (counting.leads_on(i)) expected = std::max(expected, score + completions[i + counting.step.stride]);
    CHECK(is_same(raised[i], expected));
  }
}

void check_forward(Random& random) {
  const Counting counting(random, below(random, 2));
  const auto from = numbers<float>(random, counting.size, kLeast),
             completions = numbers<float>(random, counting.room(), kLeast);
  const auto to = numbers<float>(random, counting.room(), kLeast);
  const auto score = static_cast<float>(uniform(random, -9, 9)), least = static_cast<float>(kLeast);
  auto raised = to, expected = to;
  const float best = row_loops::raise_forward(counting.step, score, from.data(), completions.data(), counting.size,
                                              least, raised.data());
  float expected_best = least;
  for (std::size_t i = 0; i < counting.size; ++i) {
    if (!counting.leads_on(i)) continue;
    const std::size_t next = i + counting.step.stride;
    expected[next] = std::max(expected[next], from[i] + score);
    expected_best = std::max(expected_best, from[i] + score + completions[next]);
  }
  CHECK(is_same(best, expected_best));
  CHECK(std::ranges::equal(raised, expected, is_same<float>));
}

}  // namespace

TEST_CASE("the best difference of two rows") {
  check_all([](Random& random) {
    const std::size_t count = 4 * below(random, 30);
    const auto scores = numbers<double>(random, count, kNothing), multipliers = numbers<double>(random, count, -kLeast);
    double expected = kNothing;
    for (std::size_t i = 0; i < count; ++i) expected = std::max(expected, scores[i] - multipliers[i]);
    CHECK(row_loops::best_difference(scores.data(), multipliers.data(), count) == expected);
  });
}

TEST_CASE("a row is raised to differences of two others") {
  check_all([](Random& random) {
    const std::size_t count = below(random, 100);
    const auto scores = numbers<double>(random, count, kNothing), multipliers = numbers<double>(random, count, -kLeast);
    const double by = uniform(random, -9, 9);
    auto best = numbers<double>(random, count, kNothing), expected = best;
    row_loops::raise_to_differences(by, scores.data(), multipliers.data(), count, best.data());
    for (std::size_t i = 0; i < count; ++i) expected[i] = std::max(expected[i], by + (scores[i] - multipliers[i]));
    CHECK(best == expected);
  });
}

TEST_CASE("the best of rows with a number added to each") {
  check_all([](Random& random) {
    check_rows<float>(random);
    check_rows<double>(random);
  });
}

TEST_CASE("values before and completions steps of a counted group") {
  check_all([](Random& random) {
    check_backward<float>(random);
    check_backward<double>(random);
    check_forward(random);
  });
}

}  // namespace widl::row_loops_test
