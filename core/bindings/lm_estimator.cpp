#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>
#include <type_traits>

#include "bindings.hpp"
#include "errors.hpp"
#include "lm/arpa_writer.hpp"
#include "lm/bounded_estimation.hpp"
#include "lm/kneser_ney.hpp"
#include "lm/training_text.hpp"

namespace widl {
namespace {

std::vector<std::uint64_t> ngram_counts(const NGramModel& model) {
  std::vector<std::uint64_t> counts;
  for (const auto& order : model.orders) counts.push_back(order.size);
  return counts;
}
std::vector<std::uint64_t> ngram_counts(const BoundedModel& model) { return model.statistics().ngrams; }

std::vector<Discounts> all_discounts(const NGramModel& model) {
  std::vector<Discounts> result;
  for (const auto& order : model.orders) result.push_back(order.discounts);
  return result;
}
std::vector<Discounts> all_discounts(const BoundedModel& model) { return model.statistics().discounts; }

std::uint64_t words_of(const NGramModel& model) { return model.words; }
std::uint64_t words_of(const BoundedModel& model) { return model.words(); }
std::uint64_t sentences_of(const NGramModel& model) { return model.sentences; }
std::uint64_t sentences_of(const BoundedModel& model) { return model.sentences(); }

/// What Python sees of a model, in memory or on disk.
template <class Model>
void bind_model(nb::class_<Model>& model) {
  using namespace nb::literals;
  model.def_prop_ro("words", [](const Model& self) { return words_of(self); })
      .def_prop_ro("sentences", [](const Model& self) { return sentences_of(self); })
      .def_prop_ro(
          "ngram_counts", [](const Model& self) { return ngram_counts(self); },
          "Number of n-grams of each order, from order 1.")
      .def_prop_ro(
          "discounts",
          [](const Model& self) {
            std::vector<std::tuple<float, float, float>> result;
            for (const Discounts& discounts : all_discounts(self))
              result.emplace_back(discounts.amount[1], discounts.amount[2], discounts.amount[3]);
            return result;
          },
          "D1, D2, D3+ of each order, from order 1.")
      .def_prop_ro(
          "fallback_orders",
          [](const Model& self) {
            std::vector<unsigned> result;
            unsigned order = 0;
            for (const Discounts& discounts : all_discounts(self))
              if (++order; discounts.fallback) result.push_back(order);
            return result;
          },
          "Orders whose discounts could not be estimated.")
      .def(
          "write_arpa",
          [](Model& self, const nb::typed<nb::callable, nb::object(nb::bytes)>& sink) {
            nb::gil_scoped_release released;
            auto write = [&](std::string_view piece) {
              nb::gil_scoped_acquire held;
              sink(nb::bytes(piece.data(), piece.size()));
            };
            if constexpr (std::is_same_v<Model, NGramModel>) write_arpa(self, write);
            else self.write_arpa(write);
          },
          "sink"_a, "Call `sink` with the model's ARPA text, piece by piece.");
}

/// Lets Ctrl-C end what takes long.
void check_signals() {
  nb::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
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
           "Name the source of the text that follows, for messages.")
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

  nb::class_<NGramModel> model(m, "NGramModel", "An estimated n-gram model.");
  model
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
          "The same, with all options.");
  bind_model(model);

  nb::class_<BoundedText>(m, "BoundedText",
                          "TrainingText in a bounded number of bytes: what does not fit is counted and "
                          "sorted in temporary files.")
      .def(
          "__init__",
          [](BoundedText* self, unsigned order, std::size_t memory, std::string directory, bool skip_symbols) {
            new (self) BoundedText(order, {std::move(directory), memory, check_signals}, skip_symbols);
          },
          nb::kw_only(), "order"_a, "memory"_a, "directory"_a, "skip_symbols"_a = false,
          "`memory` is for all that the core holds, the vocabulary included; `directory` is for "
          "temporary files, which are gone with the object.")
      .def("begin_source", &BoundedText::begin_source, "name"_a, "As of TrainingText.")
      .def(
          "add",
          [](BoundedText& self, nb::bytes piece) {
            nb::gil_scoped_release released;
            self.add({static_cast<const char*>(piece.data()), piece.size()});
          },
          "piece"_a, "As of TrainingText.")
      .def("finish", &BoundedText::finish, nb::call_guard<nb::gil_scoped_release>(),
           "End the text; only then it is known whether it fits.")
      .def_prop_ro("words", [](const BoundedText& self) { return self.text().words(); })
      .def_prop_ro("sentences", [](const BoundedText& self) { return self.text().sentences(); })
      .def_prop_ro("skipped_symbols", [](const BoundedText& self) { return self.text().skipped_symbols(); })
      .def_prop_ro("spilled", &BoundedText::spilled, "Whether there was more than fits into memory.")
      .def("take_text", &BoundedText::take_text, "The text, which was not spilled. Uses this up.");

  nb::class_<BoundedModel> bounded_model(m, "BoundedModel",
                                         "An estimated n-gram model on disk; its ARPA text is that of "
                                         "NGramModel, and can be written once.");
  bounded_model.def_static(
      "estimate",
      [](BoundedText& text, const KneserNeyOptions& options) {
        return std::make_unique<BoundedModel>(std::move(text), options);
      },
      "text"_a, "options"_a, nb::call_guard<nb::gil_scoped_release>(),
      "As NGramModel's, of a text that was spilled. Uses the text up.");
  bind_model(bounded_model);
}

}  // namespace widl
