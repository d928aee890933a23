#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings.hpp"
#include "lm/arpa_writer.hpp"
#include "lm/kneser_ney.hpp"
#include "lm/training_text.hpp"

namespace widl {
namespace {

std::vector<std::size_t> ngram_counts(const NGramModel& model) {
  std::vector<std::size_t> counts;
  for (const auto& order : model.orders) counts.push_back(order.size);
  return counts;
}

std::vector<std::tuple<float, float, float>> discounts(const NGramModel& model) {
  std::vector<std::tuple<float, float, float>> result;
  for (const auto& order : model.orders) {
    const auto& amount = order.discounts.amount;
    result.emplace_back(amount[1], amount[2], amount[3]);
  }
  return result;
}

std::vector<std::size_t> fallback_orders(const NGramModel& model) {
  std::vector<std::size_t> result;
  for (std::size_t n = 1; n <= model.orders.size(); ++n)
    if (model.orders[n - 1].discounts.fallback) result.push_back(n);
  return result;
}

}  // namespace

void bind_lm_estimator(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<KneserNeyOptions>(m, "EstimationOptions",
                               "What a language model is to be like; InputError when that is impossible.")
      .def(
          "__init__",
          [](KneserNeyOptions* self, unsigned order, bool interpolate_unigrams,
             const std::vector<std::uint64_t>& prune,
             const std::optional<std::vector<std::string>>& vocabulary, std::uint64_t vocabulary_size,
             std::uint64_t vocabulary_pad, const std::array<float, 3>& fallback_discounts) {
            const KneserNeyOptions options{order,           interpolate_unigrams, prune,
                                           vocabulary,      vocabulary_size,      vocabulary_pad,
                                           fallback_discounts};
            new (self) KneserNeyOptions(options.checked());
          },
          nb::kw_only(), "order"_a = 3, "interpolate_unigrams"_a = true,
          "prune"_a = std::vector<std::uint64_t>(), "vocabulary"_a = nb::none(),
          "vocabulary_size"_a = 0, "vocabulary_pad"_a = 0,
          "fallback_discounts"_a = std::array<float, 3>{0.5f, 1, 1.5f})
      .def_ro("order", &KneserNeyOptions::order)
      .def_ro("interpolate_unigrams", &KneserNeyOptions::interpolate_unigrams)
      .def_ro("prune", &KneserNeyOptions::prune, "Pruning threshold of each order, from order 1.")
      .def_ro("vocabulary", &KneserNeyOptions::vocabulary)
      .def_ro("vocabulary_size", &KneserNeyOptions::vocabulary_size)
      .def_ro("vocabulary_pad", &KneserNeyOptions::vocabulary_pad)
      .def_ro("fallback_discounts", &KneserNeyOptions::fallback_discounts);

  nb::class_<TrainingText>(m, "TrainingText",
                           "Text to estimate a language model from, one sentence a line, given in pieces.")
      .def(nb::init<bool>(), nb::kw_only(), "skip_symbols"_a = false,
           "With `skip_symbols`, <s>, </s>, <unk> and <UNK> in the text are blanks instead of an error.")
      .def("begin_source", &TrainingText::begin_source, "name"_a,
           "Name the source of the text that follows; messages count its lines from 1.")
      .def(
          "add",
          [](TrainingText& self, nb::bytes piece) {
            nb::gil_scoped_release released;
            self.add({static_cast<const char*>(piece.data()), piece.size()});
          },
          "piece"_a, "The next bytes, which may end anywhere; InputError names source and line.")
      .def_prop_ro("words", &TrainingText::words)
      .def_prop_ro("sentences", &TrainingText::sentences)
      .def_prop_ro("skipped_symbols", &TrainingText::skipped_symbols,
                   "How many of the model's own words were skipped.");

  nb::class_<NGramModel>(m, "NGramModel", "An estimated n-gram model.")
      .def_static(
          "estimate",
          [](TrainingText& text, unsigned order, bool interpolate_unigrams) {
            KneserNeyOptions options;
            options.order = order;
            options.interpolate_unigrams = interpolate_unigrams;
            return estimate_kneser_ney(std::move(text), options);
          },
          "text"_a, nb::kw_only(), "order"_a, "interpolate_unigrams"_a = true,
          nb::call_guard<nb::gil_scoped_release>(),
          "Interpolated modified Kneser-Ney as lmplz computes it. Uses the text up.")
      .def_static(
          "estimate",
          [](TrainingText& text, const KneserNeyOptions& options) {
            return estimate_kneser_ney(std::move(text), options);
          },
          "text"_a, "options"_a, nb::call_guard<nb::gil_scoped_release>(),
          "The same, with all options.")
      .def_prop_ro("words", [](const NGramModel& model) { return model.words; })
      .def_prop_ro("sentences", [](const NGramModel& model) { return model.sentences; })
      .def_prop_ro("ngram_counts", &ngram_counts, "Number of n-grams of each order, from order 1.")
      .def_prop_ro("discounts", &discounts, "D1, D2, D3+ of each order, from order 1.")
      .def_prop_ro("fallback_orders", &fallback_orders,
                   "Orders whose discounts could not be estimated.")
      .def(
          "write_arpa",
          [](const NGramModel& model, const nb::typed<nb::callable, nb::object(nb::bytes)>& sink) {
            nb::gil_scoped_release released;
            write_arpa(model, [&](std::string_view piece) {
              nb::gil_scoped_acquire held;
              sink(nb::bytes(piece.data(), piece.size()));
            });
          },
          "sink"_a, "Call `sink` with the model's ARPA text, piece by piece.");
}

}  // namespace widl
