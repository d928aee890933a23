#include "combination/output_network.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace widl {
namespace {

using SlotOfPairs = std::vector<std::pair<std::string, std::vector<std::uint32_t>>>;

std::vector<SlotOfPairs> aligned(const std::vector<OutputWords>& outputs, std::size_t skeleton) {
  std::vector<SlotOfPairs> all;
  nb::gil_scoped_release released;
  for (Slot& slot : align_outputs(outputs, skeleton)) {
    SlotOfPairs pairs;
    for (Slot::Alternative& alternative : slot.alternatives)
      pairs.emplace_back(std::move(alternative.word), std::move(alternative.outputs));
    all.push_back(std::move(pairs));
  }
  return all;
}

}  // namespace

void bind_combination(nb::module_& m) {
  m.def(
      "align_outputs", &aligned, nb::arg("outputs"), nb::arg("skeleton"),
      "Aligns outputs, each a list of words, in the word order of the output number `skeleton`. Returns slots: lists of words\n"
      "(\"\" for none), each with the numbers of the outputs that have it there. Every output is its words slot by slot.");
}

}  // namespace widl
