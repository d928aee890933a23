#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "search/budget.hpp"
#include "search/counting_bound.hpp"
#include "search/sequence_bound.hpp"
#include "testing/random.hpp"

// A separate namespace, because several test files are compiled together.
namespace widl::counting_bound_test {
namespace {

using OptionId = SequenceBound::OptionId;
using Path = std::vector<OptionId>;
constexpr double kTolerance = 1e-3;      // all passes except the last use floats
constexpr double kNearlyClosed = 0.021;  // nats; refine() stops at 0.02

/// A bag of at most six phrases from at most four groups, with random scores, and all its realizations.
struct Bag {
  /// `loose`: maximum difference in nats between the sum of a realization's steps and its score.
  Bag(unsigned seed, double loose) : random(seed), looseness(loose) {
    const std::uint32_t groups = 1 + below(random, 4);
    for (std::uint32_t g = 0; g < groups; ++g) {
      multiplicity.push_back(1 + (below(random, 3) == 0) + (groups < 4 && below(random, 4) == 0));
      for (std::uint32_t k = 1 + (below(random, 4) == 0); k-- > 0;) options.push_back({g, uniform(random, -2, 0)});
    }
    while (length() > 6) --*std::ranges::max_element(multiplicity);
    const auto count = static_cast<OptionId>(options.size());
    // One option scores high after itself and others, so the relaxed problem realizes it too often.
    const OptionId liked = below(random, count);
    for (OptionId previous = 0; previous <= count; ++previous)
      for (OptionId last = 0; last <= count; ++last) {
        finishes[{previous, last}] = uniform(random, -3, 0);
        for (OptionId next = 0; next < count; ++next) steps.push_back(uniform(random, -6, 0) + (next == liked ? 3 : 0));
      }
    list({}, 0, multiplicity);
  }

  std::uint32_t length() const {
    std::uint32_t sum = 0;
    for (const std::uint32_t count : multiplicity) sum += count;
    return sum;
  }
  OptionId index_of(OptionId option) const {
    return option == SequenceBound::kStart ? static_cast<OptionId>(options.size()) : option;
  }
  double language_model(OptionId previous, OptionId last, OptionId next) const {
    return steps[(index_of(previous) * (options.size() + 1) + index_of(last)) * options.size() + next];
  }
  double finish(OptionId previous, OptionId last) const { return finishes.at({index_of(previous), index_of(last)}); }
  SequenceBound::Scores scores() const {
    return {[this](OptionId previous, OptionId last) {
              return [this, previous, last](OptionId next) { return language_model(previous, last, next); };
            },
            [this](OptionId previous, OptionId last) { return finish(previous, last); }};
  }
  static OptionId before(const Path& path, std::size_t back) {
    return path.size() < back ? SequenceBound::kStart : path[path.size() - back];
  }
  /// All realizations by definition: every group as often as its multiplicity, in any order.
  void list(const Path& path, double sum, const std::vector<std::uint32_t>& left) {
    if (path.size() == length()) sums[path] = sum + finish(before(path, 2), before(path, 1));
    for (OptionId next = 0; next < options.size(); ++next) {
      if (left[options[next].group] == 0) continue;
      Path longer = path;
      longer.push_back(next);
      std::vector<std::uint32_t> rest = left;
      --rest[options[next].group];
      list(longer, sum + options[next].score + language_model(before(path, 2), before(path, 1), next), rest);
    }
  }
  /// The score of a realization: the sum of its steps' scores minus a random amount for its order.
  double score(const Path& path) const {
    double slack = 0;
    for (const OptionId option : path) slack = std::fmod(7.13 * slack + static_cast<double>(option) + 0.37, 1.0);
    return sums.at(path) - looseness * slack;
  }
  double best() const {
    double best = -std::numeric_limits<double>::infinity();
    for (const auto& [path, sum] : sums) best = std::max(best, score(path));
    return best;
  }

  Random random;
  double looseness;
  std::vector<std::uint32_t> multiplicity;
  std::vector<SequenceBound::Option> options;
  std::vector<double> steps;  // [previous][last][next]; the last index of the first two means no option
  std::map<std::pair<OptionId, OptionId>, double> finishes;
  std::map<Path, double> sums;  // of the steps of each realization
};

/// Checks, for each realization above the floor, that every remaining part scores at most the bound.
void check_completions(const Bag& bag, const CountingBound& counting, double floor) {
  for (const auto& [path, sum] : bag.sums) {
    if (sum < floor + kTolerance) continue;
    std::vector<std::uint32_t> left = bag.multiplicity;
    std::uint32_t index = 0;
    double done = 0;
    Path placed;
    for (const OptionId option : path) {
      done += bag.options[option].score + bag.language_model(Bag::before(placed, 2), Bag::before(placed, 1), option);
      placed.push_back(option);
      --left[bag.options[option].group];
      index += counting.stride(bag.options[option].group);
      double multipliers = 0;
      for (std::uint32_t g = 0; g < left.size(); ++g) multipliers += left[g] * counting.multipliers()[g];
      const auto count = static_cast<std::uint32_t>(placed.size());
      const double completion = counting.completion(count, Bag::before(placed, 2), option, index) - multipliers;
      CHECK(done + completion >= sum - kTolerance);
    }
  }
}

struct Solved {
  std::size_t bags = 0, closed = 0, counted = 0;
};

void solve(const Bag& bag, unsigned passes, Solved& solved) {
  Budget budget;
  SequenceBound sequence(bag.multiplicity, bag.options, bag.scores(), budget);
  sequence.tighten(passes);
  const double best = bag.best();
  CHECK(sequence.bound() >= best - kTolerance);
  std::vector<double> asked;
  const auto score_of = [&](std::span<const OptionId> path) {
    const Path order(path.begin(), path.end());
    REQUIRE(bag.sums.contains(order));  // the result is a realization
    return asked.emplace_back(bag.score(order));
  };
  CountingBound counting(sequence, score_of, budget);
  ++solved.bags;
  REQUIRE(counting.find_floor());
  CHECK(counting.bound() >= best - kTolerance);
  counting.refine();
  counting.settle();
  const double floor = counting.bound() - counting.gap();
  CHECK(counting.bound() >= best - kTolerance);
  CHECK(floor <= best + kTolerance);
  CHECK(std::abs(*std::ranges::max_element(asked) - floor) < 1e-9);
  solved.closed += counting.gap() <= kNearlyClosed;
  for (std::uint32_t g = 0; g < bag.multiplicity.size(); ++g) solved.counted += counting.stride(g) > 0;
  check_completions(bag, counting, floor);
}

}  // namespace

TEST_CASE("counting groups bounds every realization of a bag, and closes the gap of small ones") {
  Solved solved;
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    solve(Bag(seed, 0), seed % 8, solved);
  }
  CHECK(solved.closed == solved.bags);
  CHECK(solved.counted > 0);
}

TEST_CASE("counting groups bounds realizations whose score is below the sum of their steps") {
  Solved solved;
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    solve(Bag(seed, 2), seed % 8, solved);
  }
  CHECK(solved.counted > 0);
}

/// The example of sequence_bound.hpp: four words; three of them score high in a cycle.
TEST_CASE("the worked example") {
  constexpr OptionId x = 0, y = 1, z = 2, u = 3;
  const auto score = [](OptionId last, OptionId next) -> double {
    if (last == SequenceBound::kStart) return next == x ? 0 : -1;
    return (last == x && next == y) || (last == y && next == z) || (last == z && next == x) ? -1 : -3;
  };
  const SequenceBound::Scores scores = {
      [&](OptionId, OptionId last) { return [&score, last](OptionId next) { return score(last, next); }; },
      [](OptionId, OptionId) { return 0.0; }};
  const auto score_of = [&](std::span<const OptionId> path) {
    double sum = 0;
    OptionId last = SequenceBound::kStart;
    for (OptionId next : path) sum += score(std::exchange(last, next), next);
    return sum;
  };
  Budget budget;
  SequenceBound bound({1, 1, 1, 1}, {{x, 0}, {y, 0}, {z, 0}, {u, 0}}, scores, budget);
  CHECK(bound.bound() == doctest::Approx(-3));
  CountingBound counting(bound, score_of, budget);
  REQUIRE(counting.find_floor());
  counting.refine();
  CHECK(counting.bound() == doctest::Approx(-5).epsilon(1e-2));
  bound.tighten(250);
  CHECK(bound.bound() == doctest::Approx(-5).epsilon(1e-2));
  CHECK(bound.bound() >= -5 - 1e-9);
}

/// The example of group_multipliers.hpp, and its continuation.
TEST_CASE("multipliers descend along subgradients and return to the best") {
  GroupMultipliers multipliers({1, 1, 1, 1});
  MultiplierDescent descent(multipliers, /*least_gain=*/0, /*patience=*/2);
  REQUIRE(descent.goes_on(-3));
  REQUIRE(descent.step({2, 1, 1, 0}, [](double square) { return 1 / square; }));
  CHECK(multipliers[0] == -0.5);
  CHECK(multipliers[1] == 0);
  CHECK(multipliers[3] == 0.5);
  CHECK(multipliers.sum() == 0);
  CHECK(multipliers.absolute_sum() == 1);
  REQUIRE(descent.goes_on(-4));
  REQUIRE(descent.step({2, 1, 1, 0}, [](double) { return 1; }));
  CHECK(multipliers[0] == -1.8);  // 0.3 of the last direction, and this one
  CHECK(descent.goes_on(-4));
  CHECK_FALSE(descent.goes_on(-4));
  CHECK(multipliers[0] == -0.5);
  CHECK_FALSE(descent.step({1, 1, 1, 1}, [](double) { return 1; }));
}

}  // namespace widl::counting_bound_test
