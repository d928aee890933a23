#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "errors.hpp"
#include "lm/arpa_writer.hpp"
#include "lm/kneser_ney.hpp"
#include "lm/training_text.hpp"

namespace widl {
namespace {

/// Lets Ctrl-C interrupt long operations.
void check_signals() {
  nb::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

void bind_lm_estimator(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<KneserNeyOptions>(
      m, "EstimationOptions",
      "Order and pruning thresholds of a language model. Raises InputError for impossible values.")
      .def(
          "__init__",
          [](KneserNeyOptions* self, unsigned order, const std::vector<std::uint64_t>& prune) {
            const KneserNeyOptions options{order, prune};
            new (self) KneserNeyOptions(options.checked());
          },
          nb::kw_only(), "order"_a = 3, "prune"_a = std::vector<std::uint64_t>())
      .def_ro("order", &KneserNeyOptions::order)
      .def_ro("prune", &KneserNeyOptions::prune, "Pruning threshold of each order, from order 1.");

  nb::class_<CountedText>(m, "TrainingText",
                          "Training text of a language model, one sentence per line, added in pieces. Its n-grams are "
                          "counted in bounded memory; the rest goes to temporary files.")
      .def(
          "__init__",
          [](CountedText* self, unsigned order, std::size_t memory, const std::filesystem::path& directory) {
            new (self) CountedText(order, {directory.string(), memory, check_signals});
          },
          nb::kw_only(), "order"_a, "memory"_a, "directory"_a,
          "memory: maximum bytes that the core holds, vocabulary included. directory: for temporary files, which are removed "
          "with the object.")
      .def(
          "begin_source",
          [](CountedText& self, const std::filesystem::path& name) { self.begin_source(name.string()); }, "name"_a,
          "Names the source of the following text, for messages.")
      .def(
          "add",
          [](CountedText& self, nb::bytes piece) {
            nb::gil_scoped_release released;
            self.add({static_cast<const char*>(piece.data()), piece.size()});
          },
          "piece"_a, "Adds bytes, which may end anywhere. The message of an InputError names source and line.")
      .def_prop_ro("words", [](const CountedText& self) { return self.text().words(); })
      .def_prop_ro("sentences", [](const CountedText& self) { return self.text().sentences(); });

  nb::class_<NGramModel>(m, "NGramModel", "An estimated n-gram model, whose ARPA text can be written once.")
      .def_static(
          "estimate",
          [](CountedText& text, const KneserNeyOptions& options) {
            return std::make_unique<NGramModel>(text, options);
          },
          "text"_a, "options"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Estimates interpolated modified Kneser-Ney probabilities as lmplz does. Consumes the text.")
      .def_prop_ro("words", &NGramModel::words)
      .def_prop_ro("sentences", &NGramModel::sentences)
      .def_prop_ro(
          "ngram_counts", [](const NGramModel& self) { return self.statistics().ngrams; },
          "Number of n-grams of each order, from order 1.")
      .def_prop_ro(
          "discounts",
          [](const NGramModel& self) {
            std::vector<std::tuple<float, float, float>> result;
            for (const Discounts& discounts : self.statistics().discounts)
              result.emplace_back(discounts.amount[1], discounts.amount[2], discounts.amount[3]);
            return result;
          },
          "D1, D2, D3+ of each order, from order 1.")
      .def_prop_ro(
          "fallback_orders",
          [](const NGramModel& self) {
            std::vector<unsigned> result;
            unsigned order = 0;
            for (const Discounts& discounts : self.statistics().discounts)
              if (++order; discounts.fallback) result.push_back(order);
            return result;
          },
          "Orders whose discounts could not be estimated.")
      .def(
          "write_arpa",
          [](NGramModel& self, const nb::typed<nb::callable, nb::object(nb::bytes)>& sink) {
            nb::gil_scoped_release released;
            self.write_arpa([&](std::string_view piece) {
              nb::gil_scoped_acquire held;
              sink(nb::bytes(piece.data(), piece.size()));
            });
          },
          "sink"_a, "Calls `sink` with the model's ARPA text, piece by piece.");
}

}  // namespace widl
