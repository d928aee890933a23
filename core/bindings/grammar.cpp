#include "expression/grammar.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings.hpp"
#include "search/recognizer.hpp"

namespace widl {
namespace {

using Symbol = std::tuple<Grammar::Kind, std::string>;
using Rule = std::tuple<std::string, std::vector<Symbol>>;

std::vector<Grammar::RuleText> texts(const std::vector<Rule>& rules) {
  std::vector<Grammar::RuleText> all;
  for (const auto& [left, right] : rules) {
    Grammar::RuleText& rule = all.emplace_back(Grammar::RuleText{left, {}});
    for (const auto& [kind, text] : right) rule.right.push_back({kind, text});
  }
  return all;
}

/// @throws IndexError
ChartId chart_of(const Recognizer& recognizer, std::uint32_t number) {
  if (number >= recognizer.charts()) throw nb::index_error("no chart has this number");
  return ChartId(number);
}

bool accepts(const Grammar& grammar, const std::vector<std::string_view>& words) {
  Recognizer recognizer(grammar);
  ChartId chart = recognizer.start();
  for (std::string_view word : words) chart = recognizer.scan(chart, grammar.word(word));
  return recognizer.accepts(chart);
}

}  // namespace

void bind_grammar(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Grammar> type(m, "Grammar", "A context-free grammar over words; see widl.decoder.parse_grammar.");
  nb::enum_<Grammar::Kind>(type, "Kind", "What stands in a rule.")
      .value("word", Grammar::Kind::word)
      .value("any_word", Grammar::Kind::any_word)
      .value("nonterminal", Grammar::Kind::nonterminal);
  type.def("__init__", [](Grammar* self, const std::vector<Rule>& rules) { new (self) Grammar(texts(rules)); },
           "rules"_a, "From rules (left side, [(kind, text)]); the first one's left side is the start symbol.")
      .def("accepts", &accepts, "words"_a, "Whether the grammar derives the string of these words.")
      .def("__len__", &Grammar::size, "Rules that some string can use; the others are left out.");

  nb::class_<Recognizer>(m, "Recognizer", "Reads strings of a grammar word by word; charts stand for what may follow.")
      .def(nb::init<const Grammar&>(), "grammar"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("start", [](const Recognizer& self) { return std::uint32_t{self.start()}; }, "The chart of the empty prefix.")
      .def("scan", [](Recognizer& self, std::uint32_t chart, std::string_view word) {
            return std::uint32_t{self.scan(chart_of(self, chart), self.grammar().word(word))};
          }, "chart"_a, "word"_a, "The chart after one more word; 0 if no string of the grammar goes on so.")
      .def("accepts", [](const Recognizer& self, std::uint32_t chart) { return self.accepts(chart_of(self, chart)); }, "chart"_a, "Whether the prefix read is a string of the grammar.")
      .def("__len__", &Recognizer::charts, "Charts made so far.");
}

}  // namespace widl
