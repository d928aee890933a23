#include "lm/language_model.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace widl {

void bind_language_model(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<LanguageModel>(m, "LanguageModel", "An n-gram language model (KenLM inside). Scores are natural logs.")
      .def(
          "__init__",
          [](LanguageModel* self, const std::filesystem::path& path) {
            new (self) LanguageModel(std::move(*LanguageModel::load(path.string())));
          },
          "path"_a, nb::call_guard<nb::gil_scoped_release>(), "Like `load`.")
      .def_static(
          "load", [](const std::filesystem::path& path) { return LanguageModel::load(path.string()); }, "path"_a,
          nb::call_guard<nb::gil_scoped_release>(),
          "Opens an ARPA file or a KenLM binary. The message of an InputError names file and line.")
      .def_static(
          "convert",
          [](const std::filesystem::path& arpa, const std::filesystem::path& output, std::string kind,
             unsigned quantized_bits, unsigned pointer_bits) {
            LanguageModel::convert(arpa.string(), output.string(), {std::move(kind), quantized_bits, pointer_bits});
          },
          "arpa"_a, "output"_a, nb::kw_only(), "kind"_a, "quantized_bits"_a = 0, "pointer_bits"_a = 0,
          nb::call_guard<nb::gil_scoped_release>(),
          "Writes an ARPA file as a KenLM binary of kind rest, probing or trie.")
      .def_prop_ro("order", &LanguageModel::order)
      .def_prop_ro("has_rest_costs", &LanguageModel::has_rest_costs,
                   "Whether the model stores the largest probability over all left extensions (rest costs).")
      .def(
          "__contains__", [](const LanguageModel& lm, const std::string& word) { return lm.index(word) != 0; },
          "word"_a)
      .def("score_words", &LanguageModel::score_sentence, "words"_a, nb::kw_only(), "begin"_a = true, "end"_a = true,
           "ln p of each word in its context and, last, of </s> if `end` is set.")
      .def(
          "full_score_words",
          [](const LanguageModel& lm, const std::vector<std::string>& words, bool begin, bool end) {
            std::vector<std::tuple<double, unsigned, bool>> result;
            for (const LanguageModel::Scored& scored : lm.full_score_sentence(words, begin, end))
              result.emplace_back(scored.log_prob, scored.ngram_length, scored.known);
            return result;
          },
          "words"_a, nb::kw_only(), "begin"_a = true, "end"_a = true,
          "Like `score_words`, with the length of the n-gram found for each word, and whether the word is "
          "known.")
      .def("bound_words", &LanguageModel::bound_words, "words"_a,
           "Upper bound on ln p of each word, given the words before it in the list, after any words before "
           "these.");
}

}  // namespace widl
