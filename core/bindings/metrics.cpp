#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "errors.hpp"
#include "metrics/metric.hpp"
#include "metrics/metric_statistics.hpp"
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

/// Splits candidates among threads; write(i, row) fills the row of the i-th.
template <class Write>
NewArray<2> count_rows(const MetricStatistics& statistics, const Indices& sentences,
                       const std::vector<std::string>& texts, std::size_t width, unsigned threads, Write&& write) {
  check_length(sentences.size(), texts.size(), "sentence numbers");
  for (std::size_t i = 0; i < sentences.size(); ++i)
    if (sentences.data()[i] < 0 || static_cast<std::size_t>(sentences.data()[i]) >= statistics.sentences())
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

void bind_metric_statistics(nb::module_& m) {
  nb::class_<MetricStatistics>(m, "MetricStatistics",
                               "Counts the overlap of tokenized candidates with their sentence's references.")
      .def(nb::init<const std::vector<std::vector<std::string>>&, std::size_t>(), "references"_a, nb::kw_only(),
           "max_order"_a)
      .def(
          "bleu",
          [](const MetricStatistics& self, const Indices& sentences, const std::vector<std::string>& texts,
             unsigned threads) {
            return count_rows(self, sentences, texts, 2 * self.max_order() + 2, threads,
                              [&](std::size_t i, std::span<double> row) {
                                self.bleu(static_cast<std::size_t>(sentences.data()[i]), texts[i], row);
                              });
          },
          "sentences"_a, "texts"_a, nb::kw_only(), "threads"_a = 1, "Rows of BLEU's statistics, see `Metric.add_bleu`.")
      .def(
          "ter",
          [](const MetricStatistics& self, const Indices& sentences, const std::vector<std::string>& texts,
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
          [](const MetricStatistics& self, const Indices& sentences, const std::vector<std::string>& texts,
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

void bind_metrics(nb::module_& m) {
  bind_metric(m);
  bind_metric_statistics(m);
}

}  // namespace widl
