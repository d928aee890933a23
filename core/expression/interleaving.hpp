#pragma once

#include <cstdint>
#include <span>

#include "expression/widl_graph.hpp"

namespace widl {

/// How many interleavings n arguments have, in natural logs: (Σu)!/Πu! in all, of which n! are
/// permutations of the arguments; u are the arguments' units. No shuffles: minus infinity.
struct InterleavingCounts {
  double all, permutations, shuffles;
  explicit InterleavingCounts(std::span<const std::uint64_t> units);
};

/// The natural log of what δ gives, in component j, to one interleaving of arguments with that many
/// units (design: "Interleave distributions"). `memory`: what the order realized amounts to, as in
/// WidlGraph::Interleave. A movement penalty is no probability: 0 here.
double log_share(const WidlGraph::Interleave& interleave, std::uint32_t memory, const InterleavingCounts& counts,
                 std::size_t j);

}  // namespace widl
