#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "errors.hpp"
#include "mert/candidate_lists.hpp"
#include "mert/line_search.hpp"
#include "mert/metric.hpp"
#include "mert/optimizer.hpp"
#include "mert/reference_matcher.hpp"
#include "parallel.hpp"

namespace widl {
namespace {

using namespace nb::literals;

constexpr std::array<std::pair<std::string_view, Smoothing>, 4> kSmoothings = {{
    {"none", Smoothing::None},
    {"floor", Smoothing::Floor},
    {"add-k", Smoothing::AddK},
    {"exp", Smoothing::Exponential},
}};

Smoothing smoothing_named(const std::string& name) {
  for (const auto& [known, smoothing] : kSmoothings)
    if (known == name) return smoothing;
  throw InputError("unknown smoothing '" + name + "'; choose none, floor, add-k or exp");
}

/// Metric values of each row, with `background` added to it.
NewArray<1> row_scores(const Metric& metric, const Matrix& rows, const Vector& background) {
  const std::size_t width = metric.statistics();
  check_length(rows.shape(1), width, "statistics");
  check_length(background.size(), width, "background");
  std::vector<double> scores(rows.shape(0)), sum(width);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t k = 0; k < width; ++k) sum[k] = rows.data()[i * width + k] + background.data()[k];
    scores[i] = metric.score(sum);
  }
  return numpy_array(std::move(scores));
}

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

/// Splits candidates among threads; write(i, row) fills the row of the i-th.
template <class Write>
NewArray<2> count_rows(const ReferenceMatcher& matcher, const Indices& sentences, const std::vector<std::string>& texts,
                       std::size_t width, unsigned threads, Write&& write) {
  check_length(sentences.size(), texts.size(), "sentence numbers");
  for (std::size_t i = 0; i < sentences.size(); ++i)
    if (sentences.data()[i] < 0 || static_cast<std::size_t>(sentences.data()[i]) >= matcher.sentences())
      throw InputError("there is no sentence number " + std::to_string(sentences.data()[i]));
  std::vector<double> values(texts.size() * width);
  {
    nb::gil_scoped_release released;
    constexpr std::size_t kBlock = 100;
    parallel_for((texts.size() + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
      for (std::size_t i = block * kBlock; i < std::min(texts.size(), (block + 1) * kBlock); ++i)
        write(i, std::span(values).subspan(i * width, width));
    });
  }
  return numpy_array<2>(std::move(values), {texts.size(), width});
}

void bind_metric(nb::module_& m) {
  nb::class_<Metric>(m, "Metric", "A linear combination of corpus metrics of summed statistics, in points (0 to 100).")
      .def(nb::init<>())
      .def(
          "add_bleu",
          [](Metric& self, double coefficient, std::size_t max_order, const std::string& smoothing, double value) {
            self.add(coefficient, BleuTerm{max_order, smoothing_named(smoothing), value});
          },
          "coefficient"_a, nb::kw_only(), "max_order"_a = 4, "smoothing"_a = "exp", "smooth_value"_a = 0.0,
          "BLEU of (matches of order 1..N, n-grams of order 1..N, length, reference length).")
      .def(
          "add_chrf",
          [](Metric& self, double coefficient, std::size_t orders, double beta) {
            self.add(coefficient, ChrfTerm{orders, beta});
          },
          "coefficient"_a, nb::kw_only(), "orders"_a = 6, "beta"_a = 2.0,
          "chrF of (n-grams of the candidate, of the reference, matches) for each order.")
      .def(
          "add_ratio", [](Metric& self, double coefficient) { self.add(coefficient, RatioTerm{}); }, "coefficient"_a,
          "100 times the first statistic divided by the second: TER, or a mean.")
      .def_prop_ro("statistics", &Metric::statistics, "Number of statistics per candidate.")
      .def(
          "score",
          [](const Metric& self, const Vector& totals) {
            check_length(totals.size(), self.statistics(), "statistics");
            return self.score(view(totals));
          },
          "totals"_a, "The metric of statistics summed over a corpus.")
      .def(
          "term_values",
          [](const Metric& self, const Vector& totals) {
            check_length(totals.size(), self.statistics(), "statistics");
            std::vector<double> values;
            for (std::size_t i = 0; i < self.terms(); ++i) values.push_back(self.term(i, view(totals)));
            return values;
          },
          "totals"_a, "Each metric's own value, without its coefficient.")
      .def("row_scores", &row_scores, "rows"_a, "background"_a,
           "The metric of each row of statistics plus `background`.");
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

void bind_matcher(nb::module_& m) {
  nb::class_<ReferenceMatcher>(m, "ReferenceMatcher",
                               "Counts the overlap of tokenized candidates with their sentence's references.")
      .def(nb::init<const std::vector<std::vector<std::string>>&, std::size_t>(), "references"_a, nb::kw_only(),
           "max_order"_a)
      .def(
          "bleu",
          [](const ReferenceMatcher& self, const Indices& sentences, const std::vector<std::string>& texts,
             unsigned threads) {
            return count_rows(self, sentences, texts, 2 * self.max_order() + 2, threads,
                              [&](std::size_t i, std::span<double> row) {
                                self.bleu(static_cast<std::size_t>(sentences.data()[i]), texts[i], row);
                              });
          },
          "sentences"_a, "texts"_a, nb::kw_only(), "threads"_a = 1, "Rows of BLEU's statistics, see `Metric.add_bleu`.")
      .def(
          "ter",
          [](const ReferenceMatcher& self, const Indices& sentences, const std::vector<std::string>& texts,
             unsigned threads) {
            return count_rows(self, sentences, texts, 2, threads, [&](std::size_t i, std::span<double> row) {
              const auto counts = self.ter(static_cast<std::size_t>(sentences.data()[i]), texts[i]);
              std::copy(counts.begin(), counts.end(), row.begin());
            });
          },
          "sentences"_a, "texts"_a, nb::kw_only(), "threads"_a = 1,
          "Rows of (fewest edits to any reference, mean length of the references), for TER.")
      .def(
          "rouge",
          [](const ReferenceMatcher& self, const Indices& sentences, const std::vector<std::string>& texts,
             std::size_t order, std::size_t reference, unsigned threads) {
            return count_rows(self, sentences, texts, 3, threads, [&](std::size_t i, std::span<double> row) {
              const auto sentence = static_cast<std::size_t>(sentences.data()[i]);
              if (reference >= self.references(sentence)) return;
              const auto counts = self.rouge(sentence, reference, texts[i], order);
              std::copy(counts.begin(), counts.end(), row.begin());
            });
          },
          "sentences"_a, "texts"_a, nb::kw_only(), "order"_a, "reference"_a, "threads"_a = 1,
          "Rows of (n-grams shared with one reference, of the candidate, of the reference); for order 0, words of the "
          "longest common subsequence instead of shared n-grams. Zeros if a sentence has no such reference.");
}

}  // namespace

void bind_mert(nb::module_& m) {
  bind_metric(m);
  bind_lists(m);
  bind_matcher(m);
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
