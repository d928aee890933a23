#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "tokens/token_constraint.hpp"

namespace widl {
namespace {

using Automaton =
    std::pair<nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>, std::vector<bool>>;

ByteAutomaton automaton_of(const Automaton& given) {
  ByteAutomaton automaton{std::vector<std::array<std::int32_t, 256>>(given.first.shape(0)), given.second};
  for (std::size_t state = 0; state < automaton.next.size(); ++state)
    std::copy_n(given.first.data() + 256 * state, 256, automaton.next[state].begin());
  return automaton;
}

std::vector<std::string> strings_of(const std::vector<nb::bytes>& all) {
  std::vector<std::string> strings;
  for (const nb::bytes& string : all) strings.emplace_back(view(string));
  return strings;
}

}  // namespace

void bind_token_constraint(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<TokenConstraint>(m, "TokenConstraint",
                              "Masks tokens so that the text stays a prefix of a string of an acceptor.")
      .def(
          "__init__",
          [](TokenConstraint* self, std::uint32_t nodes, std::uint32_t final_node,
             const std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, double>>& arcs,
             const std::vector<nb::bytes>& texts, const std::vector<Automaton>& automata,
             const std::vector<nb::bytes>& vocabulary, std::optional<std::uint32_t> end,
             std::optional<std::uint32_t> padding) {
            std::vector<ConstraintArc> converted;
            for (const auto& [source, target, text, log] : arcs) converted.push_back({source, target, text, log});
            std::vector<ByteAutomaton> slots;
            for (const Automaton& automaton : automata) slots.push_back(automaton_of(automaton));
            new (self) TokenConstraint(nodes, final_node, std::move(converted), strings_of(texts), std::move(slots),
                                       strings_of(vocabulary), end, padding);
          },
          "nodes"_a, "final_node"_a, "arcs"_a, "texts"_a, "automata"_a, "vocabulary"_a, "end"_a.none(),
          "padding"_a.none())
      .def("start", &TokenConstraint::start)
      .def(
          "mask",
          [](TokenConstraint& self, std::uint32_t state) {
            return numpy_array(std::vector(*released([&] { return self.mask(state); })));
          },
          "state"_a, "Packed bits: bit t % 32 of word t // 32 is token t.")
      .def(
          "log_probabilities",
          [](TokenConstraint& self, std::uint32_t state) {
            return numpy_array(released([&] { return self.log_probabilities(state); }));
          },
          "state"_a, "ln p of each token, given the text so far.")
      .def("advance", &TokenConstraint::advance, "state"_a, "token"_a, nb::call_guard<nb::gil_scoped_release>(),
           "The state after a token, or None if it is not allowed.")
      .def("may_end", &TokenConstraint::may_end, "state"_a)
      .def("has_ended", &TokenConstraint::has_ended, "state"_a)
      .def("history", &TokenConstraint::history, "The state and the token that first led to each state from 2 on.");
}

}  // namespace widl
