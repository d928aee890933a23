#include "expression/expression.hpp"

#include <nanobind/operators.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "errors.hpp"
#include "expression/node_table.hpp"
#include "expression/text.hpp"
#include "expression/tiles.hpp"
#include "search/acceptor.hpp"

namespace widl {
namespace {

using namespace nb::literals;

// nanobind holds non-const pointers; expressions have no mutating member.
using Held = std::shared_ptr<Expression>;
using Numbers = std::vector<double>;
using Order = std::pair<std::vector<std::uint32_t>, Numbers>;

constexpr std::size_t kLongestText = 100'000'000;
constexpr std::size_t kLongestRepr = 300;

std::vector<ExpressionPtr> constant(const std::vector<Held>& list) { return {list.begin(), list.end()}; }

Held held(const ExpressionPtr& expression) { return std::const_pointer_cast<Expression>(expression); }

std::vector<Held> held(const std::vector<ExpressionPtr>& list) {
  std::vector<Held> result;
  for (const ExpressionPtr& expression : list) result.push_back(held(expression));
  return result;
}

Held interleave(const std::vector<Held>& arguments, const std::vector<Order>& listed, Numbers other_permutations,
                Numbers shuffles) {
  InterleaveDistribution delta;
  for (const auto& [permutation, p] : listed) delta.listed.push_back({permutation, p});
  delta.other_permutations = std::move(other_permutations);
  delta.shuffles = std::move(shuffles);
  return held(Expression::interleave(constant(arguments), std::move(delta)));
}

Held tiles(std::uint32_t length, const std::vector<std::tuple<std::uint32_t, std::uint32_t, Held>>& spans,
           double movement_base) {
  std::vector<Expression::Span> converted;
  for (const auto& [begin, end, content] : spans) converted.push_back({begin, end, content});
  return held(Expression::tiles(length, std::move(converted), movement_base));
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> spans(const Expression& expression) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  if (expression.kind() == Expression::Kind::tiles)
    for (std::size_t k = 0; k < expression.arguments().size(); ++k) all.push_back(expression.span(k));
  return all;
}

double movement_base(const Expression& expression) {
  return expression.kind() == Expression::Kind::tiles ? expression.movement_base() : expression.delta().movement_base;
}

std::vector<Order> listed(const Expression& expression) {
  std::vector<Order> all;
  for (const auto& weighted : expression.delta().listed) all.emplace_back(weighted.permutation, weighted.probabilities);
  return all;
}

std::string text(const Expression& expression) {
  ExpressionText result = to_text(expression, kLongestText);
  if (!result.complete)
    throw InputError("written out, the expression has more than 100 MB of text; its JSON form shares equal parts");
  return result.text;
}

std::string repr(const Expression& expression) {
  std::string shown = to_text(expression, kLongestRepr).text;
  if (shown.size() > kLongestRepr) {
    std::size_t end = kLongestRepr;
    while ((shown[end] & 0xc0) == 0x80) --end;  // not inside a character
    shown = shown.substr(0, end) + "…";
  }
  return "<Expression " + shown + ">";
}

std::pair<std::vector<Held>, std::vector<std::vector<std::uint32_t>>> nodes(const Held& expression) {
  NodeTable table(*expression);
  std::vector<Held> all;
  std::vector<std::vector<std::uint32_t>> arguments;
  for (std::size_t i = 0; i < table.size(); ++i) {
    all.push_back(std::const_pointer_cast<Expression>(table.nodes[i]->shared_from_this()));
    arguments.emplace_back(table.arguments(i).begin(), table.arguments(i).end());
  }
  return {std::move(all), std::move(arguments)};
}

using AcceptorArc = std::tuple<std::uint32_t, std::uint32_t, std::string, std::vector<double>>;

using AcceptorTuple = std::tuple<std::vector<AcceptorArc>, std::uint32_t, std::int64_t, bool>;

AcceptorTuple acceptor(const Expression& expression, std::size_t limit,
                       const ExpressionAcceptor::ShuffleCounts& shuffles) {
  const Vocabulary vocabulary;
  SentenceWords words(vocabulary);
  const ExpressionAcceptor acceptor = ExpressionAcceptor::of(expression, words, limit, shuffles);
  std::vector<AcceptorArc> arcs;
  arcs.reserve(acceptor.arcs.size());
  auto logs = acceptor.logs.begin();
  for (const ExpressionAcceptor::Arc& arc : acceptor.arcs) {
    const auto next = logs + static_cast<std::ptrdiff_t>(acceptor.components);
    arcs.emplace_back(arc.from, arc.to, arc.word == ExpressionAcceptor::kEmpty ? "" : std::string(words.text(arc.word)),
                      std::vector<double>(logs, next));
    logs = next;
  }
  return {std::move(arcs), acceptor.states,
          acceptor.final == ExpressionAcceptor::kNone ? -1 : std::int64_t{acceptor.final}, acceptor.complete};
}

/// A function written in Python, imported on demand.
nb::object python(const char* module, const char* function) { return nb::module_::import_(module).attr(function); }

/// Pickled and copied via the JSON form, which needs no recursion.
nb::tuple reduce(nb::handle expression) {
  constexpr const char* kModule = "widl.expressions.json_form";
  return nb::make_tuple(python(kModule, "from_json"), nb::make_tuple(python(kModule, "to_json")(expression)));
}

void bind_constructors(nb::class_<Expression>& type) {
  type.def_static(
          "word", [](std::string text) { return held(Expression::word(std::move(text))); }, "text"_a)
      .def_static(
          "precedence", [](const std::vector<Held>& parts) { return held(Expression::precedence(constant(parts))); },
          "parts"_a, "The parts in order; a single part is returned unchanged.")
      .def_static(
          "lock", [](const Held& content) { return held(Expression::lock(content)); }, "content"_a)
      .def_static(
          "disjunction",
          [](const std::vector<Held>& arguments, std::vector<Numbers> probabilities) {
            return held(Expression::disjunction(constant(arguments), std::move(probabilities)));
          },
          "arguments"_a, "probabilities"_a,
          "`probabilities[k]` holds the J components of argument k; each component sums to 1 within 1e-6.")
      .def_static(
          "scored_disjunction",
          [](const std::vector<Held>& arguments, std::vector<Numbers> scores) {
            return held(Expression::scored_disjunction(constant(arguments), std::move(scores)));
          },
          "arguments"_a, "scores"_a, "Like `disjunction`, with unnormalized scores in (0, 1].")
      .def_static("interleave", &interleave, "arguments"_a, nb::kw_only(), "listed"_a = std::vector<Order>(),
                  "other_permutations"_a = Numbers(), "shuffles"_a = Numbers(),
                  "δ lists permutations (of argument numbers, from 0) and two masses, with J components each.")
      .def_static(
          "uniform_interleave",
          [](const std::vector<Held>& arguments) {
            return held(Expression::interleave(constant(arguments), InterleaveDistribution::uniform()));
          },
          "arguments"_a, "All interleavings equally likely.")
      .def_static(
          "movement_interleave",
          [](const std::vector<Held>& arguments, double base) {
            return held(Expression::interleave(constant(arguments), InterleaveDistribution::movement(base)));
          },
          "arguments"_a, "base"_a, "Permutations scored base^d, d the total movement.")
      .def_static("tiles", &tiles, "length"_a, "spans"_a, nb::kw_only(), "movement_base"_a);
}

void bind_properties(nb::class_<Expression>& type) {
  type.def_prop_ro("kind", &Expression::kind)
      .def_prop_ro("text", &Expression::text, "The word.")
      .def_prop_ro("arguments", [](const Expression& e) { return held(e.arguments()); })
      .def_prop_ro("probabilities", &Expression::probabilities, "Probabilities of a disjunction, J per argument.")
      .def_prop_ro("scored", &Expression::scored, "Whether a disjunction's numbers are unnormalized scores.")
      .def_prop_ro(
          "form", [](const Expression& e) { return e.delta().form; }, "The form of an interleave's δ.")
      .def_prop_ro("listed", &listed, "Permutations, argument numbers from 0, with J probabilities each.")
      .def_prop_ro("other_permutations", [](const Expression& e) { return e.delta().other_permutations; })
      .def_prop_ro("shuffles", [](const Expression& e) { return e.delta().shuffles; })
      .def_prop_ro("length", &Expression::length, "Source positions of tiles.")
      .def_prop_ro("spans", &spans, "(begin, end) of every argument of tiles.")
      .def_prop_ro("movement_base", &movement_base, "The a of a^d, of tiles or of a movement interleave.")
      .def_prop_ro("components", &Expression::components,
                   "J, the number of probabilities per choice; 0 if there is no choice.")
      .def_prop_ro("min_units", &Expression::min_units,
                   "Minimum number of unlocked words and locked blocks of a derivation.")
      .def_prop_ro("max_units", &Expression::max_units,
                   "Maximum number of unlocked words and locked blocks of a derivation.")
      .def_prop_ro(
          "size", [](const Expression& e) { return NodeTable(e).size(); }, "Number of nodes; shared nodes count once.")
      .def("nodes", &nodes,
           "The distinct nodes, arguments before their users and the root last, and every node's argument numbers.")
      .def(
          "acceptor", &acceptor, "limit"_a, "shuffle_counts"_a = ExpressionAcceptor::ShuffleCounts(),
          "Unfolds up to `limit` arcs without language models. Returns arcs (from, to, word, ln of J factors), the number of\n"
          "states, the final state or -1, and whether these are all arcs. States are numbered from 0 in the order in which\n"
          "they are reached; some may be dead ends. `shuffle_counts`: by number of an interleave in `nodes()`, ln of the\n"
          "number of shuffles to assume, instead of the derivation's own number.");
}

}  // namespace

void bind_expression(nb::module_& m) {
  nb::class_<Expression> type(
      m, "Expression", "A WIDL-expression: an immutable tree that may share parts (Soricut & Marcu 2006, §2.1).");
  type.def(
      "__init__",
      [](Expression*, const nb::args&, const nb::kwargs&) {
        throw InputError("Expression: not made by a call; parse(text), seq, choice, interleave and lock make one");
      },
      nb::sig("def __init__(self, *args: object, **kwargs: object) -> None"), "Raises InputError: functions make it.");
  nb::enum_<Expression::Kind>(type, "Kind", "The operators, and words.")
      .value("word", Expression::Kind::word)
      .value("precedence", Expression::Kind::precedence)
      .value("disjunction", Expression::Kind::disjunction)
      .value("interleave", Expression::Kind::interleave)
      .value("lock", Expression::Kind::lock)
      .value("tiles", Expression::Kind::tiles);
  nb::enum_<InterleaveDistribution::Form>(type, "Form", "How an interleave spreads its mass.")
      .value("listed", InterleaveDistribution::Form::listed)
      .value("uniform", InterleaveDistribution::Form::uniform)
      .value("movement", InterleaveDistribution::Form::movement);
  bind_constructors(type);
  bind_properties(type);
  type.def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", &Expression::hash)
      .def("__str__", &text, "The text form, which parses back to an equal expression.")
      .def("__repr__", &repr)
      .def("__reduce__", &reduce, nb::sig("def __reduce__(self) -> tuple[object, tuple[str]]"));

  nb::class_<Tiles>(m, "Tiles", "The tiles of one sentence with their alternatives written out, ready for search.")
      .def_static(
          "compile",
          [](const Expression& expression, const Vocabulary& vocabulary, std::vector<OrderConstraints::Range> zones,
             const std::vector<std::uint32_t>& walls, const std::vector<std::vector<float>>& orientations,
             const std::vector<std::uint32_t>& clause_marks) {
            Tiles tiles = Tiles::compile(expression, vocabulary, expression.components());
            if (!orientations.empty()) tiles.orient(orientations);
            tiles.restrict_order(std::move(zones), walls);
            tiles.mark_clauses(clause_marks);
            return tiles;
          },
          "expression"_a, "vocabulary"_a, nb::kw_only(), "zones"_a = std::vector<OrderConstraints::Range>(),
          "walls"_a = std::vector<std::uint32_t>(), "orientations"_a = std::vector<std::vector<float>>(),
          "clause_marks"_a = std::vector<std::uint32_t>(), nb::keep_alive<0, 2>(),
          "Compiles an expression of kind tiles. Once a zone (begin, end) is begun, all of it is realized before any position\n"
          "outside. Within the innermost zone around a wall, all positions before the wall are realized before those from\n"
          "it on. Tiles that cross a wall or the edge of a zone are not used. `orientations`: for each alternative, ln of the\n"
          "scores of a reordering model, or an empty list. `clause_marks`: positions that the feature `crossing` counts.")
      .def("__len__", &Tiles::length)
      .def(
          "is_unknown",
          [](const Tiles& tiles, std::size_t alternative) { return tiles.alternatives().at(alternative).unknown; },
          "alternative"_a, "Whether this alternative passes a source word through.")
      .def_prop_ro(
          "alternatives",
          [](const Tiles& tiles) {
            std::vector<std::tuple<std::uint32_t, std::uint32_t, std::vector<std::string_view>, std::vector<float>>>
                all;
            for (const Tiles::Alternative& a : tiles.alternatives()) {
              std::vector<std::string_view> words;
              for (WordId word : tiles.words(a)) words.push_back(tiles.text(word));
              auto scores = tiles.log_scores(a);
              all.emplace_back(a.begin, a.end, words, std::vector<float>(scores.begin(), scores.end()));
            }
            return all;
          },
          "(begin, end, words, natural-log scores) of every alternative.");
}

}  // namespace widl
