#include "expression/expression.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings.hpp"
#include "expression/tiles.hpp"

namespace widl {

void bind_expression(nb::module_& m) {
  using namespace nb::literals;
  using Span = std::tuple<std::uint32_t, std::uint32_t, std::shared_ptr<Expression>>;
  using Order = std::pair<std::vector<std::uint32_t>, double>;
  // nanobind holds non-const pointers; expressions have no mutating member.
  auto constant = [](const std::vector<std::shared_ptr<Expression>>& list) {
    return std::vector<ExpressionPtr>(list.begin(), list.end());
  };
  auto made = [](ExpressionPtr made) { return std::const_pointer_cast<Expression>(made); };

  nb::class_<Expression>(m, "Expression", "A WIDL-expression: an immutable tree (Soricut & Marcu 2006, §2.1).")
      .def_static("word", [=](std::string text) { return made(Expression::word(std::move(text))); }, "text"_a)
      .def_static("precedence", [=](const std::vector<std::shared_ptr<Expression>>& parts) {
            return made(Expression::precedence(constant(parts)));
          }, "parts"_a)
      .def_static("lock", [=](std::shared_ptr<Expression> content) { return made(Expression::lock(content)); },
                  "content"_a)
      .def_static("disjunction", [=](const std::vector<std::shared_ptr<Expression>>& arguments,
                                     std::vector<std::vector<double>> probabilities) {
            return made(Expression::disjunction(constant(arguments), std::move(probabilities)));
          }, "arguments"_a, "probabilities"_a)
      .def_static("scored_disjunction", [=](const std::vector<std::shared_ptr<Expression>>& arguments,
                                            std::vector<std::vector<double>> scores) {
            return made(Expression::scored_disjunction(constant(arguments), std::move(scores)));
          }, "arguments"_a, "scores"_a)
      .def_static("interleave", [=](const std::vector<std::shared_ptr<Expression>>& arguments,
                                    const std::vector<Order>& listed, double other_permutations, double shuffles) {
            InterleaveDistribution delta{{}, other_permutations, shuffles};
            for (const auto& [permutation, p] : listed) delta.listed.push_back({permutation, p});
            return made(Expression::interleave(constant(arguments), std::move(delta)));
          }, "arguments"_a, nb::kw_only(), "listed"_a = std::vector<Order>(), "other_permutations"_a = 0.0,
          "shuffles"_a = 0.0)
      .def_static("tiles", [=](std::uint32_t length, const std::vector<Span>& spans, double movement_base) {
            std::vector<Expression::Span> made_spans;
            for (const auto& [begin, end, content] : spans) made_spans.push_back({begin, end, content});
            return made(Expression::tiles(length, std::move(made_spans), movement_base));
          }, "length"_a, "spans"_a, nb::kw_only(), "movement_base"_a);

  nb::class_<Tiles>(m, "Tiles", "The tiles of one sentence with their alternatives written out, ready for search.")
      .def_static("compile", [](const Expression& expression, const Vocabulary& vocabulary) {
            return Tiles::compile(expression, vocabulary);
          }, "expression"_a, "vocabulary"_a, nb::keep_alive<0, 2>())
      .def("__len__", &Tiles::length)
      .def_prop_ro("alternatives", [](const Tiles& tiles) {
            std::vector<std::tuple<std::uint32_t, std::uint32_t, std::vector<std::string_view>, std::vector<float>>> all;
            for (const Tiles::Alternative& a : tiles.alternatives()) {
              std::vector<std::string_view> words;
              for (WordId word : tiles.words(a)) words.push_back(tiles.text(word));
              auto scores = tiles.log_scores(a);
              all.emplace_back(a.begin, a.end, words, std::vector<float>(scores.begin(), scores.end()));
            }
            return all;
          }, "(begin, end, words, natural-log scores) of every alternative.");
}

}  // namespace widl
