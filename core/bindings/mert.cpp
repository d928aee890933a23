#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "errors.hpp"
#include "mert/candidate_lists.hpp"
#include "mert/line_search.hpp"
#include "mert/optimizer.hpp"
#include "metrics/metric.hpp"

namespace widl {
namespace {

using namespace nb::literals;

std::vector<std::size_t> list_begins(const Indices& begins) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < begins.size(); ++i) result.push_back(static_cast<std::size_t>(begins.data()[i]));
  return result;
}

/// Checked here once, because the core does not check indices.
void check_weights(const CandidateLists& lists, const Vector& weights) {
  check_length(weights.size(), lists.features(), "weights");
}

struct Line {
  std::vector<double> slopes, intercepts;
};

Line line_of(const CandidateLists& lists, const Metric& metric, const Vector& weights, const Vector& direction) {
  check_weights(lists, weights);
  check_length(direction.size(), lists.features(), "direction");
  check_length(lists.statistics(), metric.statistics(), "statistics");
  Line line;
  lists.dot(view(direction), line.slopes);
  lists.dot(view(weights), line.intercepts);
  return line;
}

std::pair<double, double> line_search(const CandidateLists& lists, const Metric& metric, const Vector& weights,
                                      const Vector& direction, double lowest, double highest, double min_width,
                                      double outer_step, double reach) {
  const Line line = line_of(lists, metric, weights, direction);
  nb::gil_scoped_release released;
  const auto best =
      LineSearch(lists, metric).search(line.slopes, line.intercepts, {lowest, highest, min_width, outer_step, reach});
  return {best.step, best.score};
}

std::pair<NewArray<1>, NewArray<1>> error_surface(const CandidateLists& lists, const Metric& metric,
                                                  const Vector& weights, const Vector& direction, double lowest,
                                                  double highest) {
  const Line line = line_of(lists, metric, weights, direction);
  ErrorSurface surface = LineSearch(lists, metric).surface(line.slopes, line.intercepts, lowest, highest);
  return {numpy_array(std::move(surface.thresholds)), numpy_array(std::move(surface.scores))};
}

using AscentTuple = std::tuple<std::vector<double>, double, double, unsigned>;

std::vector<AscentTuple> optimize_lists(
    const CandidateLists& lists, const Metric& metric, const Matrix& starts,
    const nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>& directions, const Vector& lower,
    const Vector& upper, double min_gain, double min_width, double outer_step, double reach, unsigned max_rounds,
    unsigned threads) {
  const std::size_t width = lists.features();
  check_length(starts.shape(1), width, "starting points");
  check_length(directions.shape(0), starts.shape(0), "sets of directions");
  check_length(directions.shape(2), width, "directions");
  check_length(lower.size(), width, "lower bounds");
  check_length(upper.size(), width, "upper bounds");
  check_length(lists.statistics(), metric.statistics(), "statistics");
  OptimizerOptions options{{lower.data(), lower.data() + width},
                           {upper.data(), upper.data() + width},
                           min_gain,
                           min_width,
                           outer_step,
                           reach,
                           max_rounds,
                           threads};
  std::vector<std::vector<double>> points;
  std::vector<std::vector<std::vector<double>>> ways(starts.shape(0));
  for (std::size_t i = 0; i < starts.shape(0); ++i) {
    points.emplace_back(starts.data() + i * width, starts.data() + (i + 1) * width);
    for (std::size_t d = 0; d < directions.shape(1); ++d) {
      const double* first = directions.data() + (i * directions.shape(1) + d) * width;
      ways[i].emplace_back(first, first + width);
    }
  }
  std::vector<AscentTuple> result;
  nb::gil_scoped_release released;
  for (Ascent& ascent : optimize(lists, metric, points, ways, options))
    result.emplace_back(std::move(ascent.weights), ascent.start_score, ascent.score, ascent.rounds);
  return result;
}

void bind_lists(nb::module_& m) {
  nb::class_<CandidateLists>(m, "CandidateLists", "Features and statistics of the candidates of all sentences.")
      .def(
          "__init__",
          [](CandidateLists* self, const Matrix& features, const Matrix& statistics, const Indices& begins) {
            auto checked = list_begins(begins);
            if (!checked.empty()) {
              check_length(features.shape(0), checked.back(), "features");
              check_length(statistics.shape(0), checked.back(), "statistics");
            }
            new (self) CandidateLists(view(features), view(statistics), std::move(checked));
          },
          "features"_a, "statistics"_a, "begins"_a,
          "One row per candidate; sentence s has the rows from begins[s] to begins[s + 1].")
      .def_prop_ro("sentences", &CandidateLists::sentences)
      .def_prop_ro("candidates", &CandidateLists::candidates)
      .def_prop_ro(
          "features",
          [](const CandidateLists& self) {
            return numpy_array<2>(self.rows(), {self.candidates(), self.features()});
          },
          nb::rv_policy::move, "One row per candidate; values that differed only by rounding are equal.")
      .def(
          "best",
          [](const CandidateLists& self, const Vector& weights) {
            check_weights(self, weights);
            return self.best(view(weights));
          },
          "weights"_a, "Row of each sentence's best candidate; ties go to the first.")
      .def(
          "totals",
          [](const CandidateLists& self, const Vector& weights) {
            check_weights(self, weights);
            return numpy_array(self.totals(self.best(view(weights))));
          },
          "weights"_a, "Summed statistics of the candidates that the weights choose.")
      .def("line_search", &line_search, "metric"_a, "weights"_a, "direction"_a, nb::kw_only(), "lowest"_a = -kInfinity,
           "highest"_a = kInfinity, "min_width"_a = 1e-4, "outer_step"_a = 0.1, "reach"_a = kInfinity,
           "The best step along a direction, at most `reach` long, and the metric there (Och 2003).")
      .def("error_surface", &error_surface, "metric"_a, "weights"_a, "direction"_a, nb::kw_only(), "lowest"_a,
           "highest"_a, "Steps along a direction at which the metric changes, and its value from each of them on.")
      .def("optimize", &optimize_lists, "metric"_a, "starts"_a, "directions"_a, nb::kw_only(), "lower"_a, "upper"_a,
           "min_gain"_a, "min_width"_a, "outer_step"_a, "reach"_a = kInfinity, "max_rounds"_a, "threads"_a,
           "For each starting point: weights at the end of its ascent, metric at start and end, steps taken.");
}

}  // namespace

void bind_mert(nb::module_& m) {
  bind_lists(m);
  m.def(
      "upper_envelope",
      [](const Vector& slopes, const Vector& intercepts) {
        check_length(intercepts.size(), slopes.size(), "intercepts");
        std::vector<std::pair<double, std::uint32_t>> lines;
        UpperEnvelope envelope;
        if (slopes.size() > 0)
          for (const EnvelopeLine& line : envelope.find(view(slopes), view(intercepts)))
            lines.emplace_back(line.from, line.line);
        return lines;
      },
      "slopes"_a, "intercepts"_a,
      "Lines that are highest somewhere, from left to right: (point where it becomes the highest, number).");
}

}  // namespace widl
