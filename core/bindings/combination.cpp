#include "combination/output_network.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings.hpp"

namespace widl {
namespace {

using SlotOfPairs = std::vector<std::pair<std::string, std::vector<std::uint32_t>>>;

std::vector<SlotOfPairs> aligned(const std::vector<OutputWords>& outputs, std::size_t skeleton) {
  std::vector<SlotOfPairs> all;
  nb::gil_scoped_release released;
  for (Slot& slot : align_outputs(outputs, skeleton)) {
    SlotOfPairs pairs;
    for (Slot::Alternative& alternative : slot.alternatives) pairs.emplace_back(std::move(alternative.word), std::move(alternative.outputs));
    all.push_back(std::move(pairs));
  }
  return all;
}

}  // namespace

void bind_combination(nb::module_& m) {
  m.def("align_outputs", &aligned, nb::arg("outputs"), nb::arg("skeleton"),
        "Outputs, each a list of words, aligned in the order of one of them, by its number: slots, each a list of words (\"\" for\n"
        "nothing) with the numbers of the outputs that have them there. The words of each output, slot by slot, are the output.");
}

}  // namespace widl
