#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "errors.hpp"
#include "mert/candidate_lists.hpp"
#include "mert/line_search.hpp"
#include "mert/optimizer.hpp"
#include "metrics/metric.hpp"

namespace widl::line_search_test {
namespace {

/// Two sentences with two candidates of one feature each. Statistics are (value, 1), so the metric is the mean value.
CandidateLists two_sentences() {
  const std::vector<double> features = {0, 1, 1, 0}, statistics = {0.2, 1, 0.6, 1, 0.9, 1, 0.1, 1};
  return {features, statistics, {0, 2, 4}};
}

Metric mean() {
  Metric metric;
  metric.add(1, RatioTerm{});
  return metric;
}

}  // namespace

TEST_CASE("candidates: the best of each sentence under the weights, ties to the first") {
  const CandidateLists lists = two_sentences();
  const std::vector<double> forward = {1}, none = {0};
  CHECK(lists.best(forward) == std::vector<std::size_t>{1, 2});
  CHECK(lists.best(none) == std::vector<std::size_t>{0, 2});
}

TEST_CASE("candidates: a sentence without candidates is refused") {
  const std::vector<double> features = {0}, statistics = {0, 1};
  CHECK_THROWS_AS(CandidateLists(features, statistics, {0, 0, 1}), InputError);
}

TEST_CASE("surface: the metric is constant between the points where a best candidate changes") {
  const CandidateLists lists = two_sentences();
  const Metric metric = mean();
  LineSearch search(lists, metric);
  // Along the only weight, both sentences change their candidate at 0: means of (0.2, 0.1), then of (0.6, 0.9).
  const std::vector<double> zeros(4, 0.0);
  const ErrorSurface surface = search.surface(lists.feature(0), zeros, -1, 1);
  REQUIRE(surface.scores.size() == 2);
  CHECK(surface.scores[0] == doctest::Approx(15));
  CHECK(surface.scores[1] == doctest::Approx(75));
}

TEST_CASE("line search: takes the middle of the best interval") {
  const CandidateLists lists = two_sentences();
  const Metric metric = mean();
  LineSearch search(lists, metric);
  const std::vector<double> zeros(4, 0.0);
  const LineOptimum best = search.search(lists.feature(0), zeros, {.lowest = -1, .highest = 1});
  CHECK(best.step == doctest::Approx(0.5));
  CHECK(best.score == doctest::Approx(75));
}

TEST_CASE("bounds: the steps that keep every weight between its limits") {
  const std::vector<double> weights = {0, 1}, direction = {1, -2}, lower = {-3, 0}, upper = {3, 2};
  const StepRange range = within_bounds(weights, direction, lower, upper);
  CHECK(range.lowest == doctest::Approx(-0.5));
  CHECK(range.highest == doctest::Approx(0.5));
}

TEST_CASE("MERT: climbs from a bad start to the better weights, whatever the number of threads") {
  const CandidateLists lists = two_sentences();
  for (const unsigned threads : {1u, 3u}) {
    OptimizerOptions options{.lower = {-1}, .upper = {1}};
    options.threads = threads;
    const std::vector<Ascent> ascents = optimize(lists, mean(), {{-0.5}}, {{{1.0}}}, options);
    CHECK(ascents[0].start_score == doctest::Approx(15));
    CHECK(ascents[0].score == doctest::Approx(75));
    CHECK(ascents[0].weights[0] > 0);
  }
}

TEST_CASE("metric: BLEU of a perfect output, with a brevity penalty, and without smoothing") {
  Metric metric;
  metric.add(1, BleuTerm{.max_order = 2, .smoothing = Smoothing::None});
  const std::vector<double> perfect = {4, 3, 4, 3, 4, 4}, shorter = {4, 3, 4, 3, 4, 8}, no_bigram = {4, 0, 4, 3, 4, 4};
  CHECK(metric.score(perfect) == doctest::Approx(100));
  CHECK(metric.score(shorter) == doctest::Approx(100 * std::exp(-1)));
  CHECK(metric.score(no_bigram) == 0);
}

}  // namespace widl::line_search_test
