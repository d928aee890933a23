#pragma once

#include <cstdint>
#include <span>

#include "expression/widl_graph.hpp"

namespace widl {

/// Natural logs of the numbers of interleavings of n arguments with u units each. There are (Σu)!/Πu! in all: n!
/// permutations of the arguments, and shuffles. No shuffles: minus infinity.
struct InterleavingCounts {
  double all, permutations, shuffles;
  explicit InterleavingCounts(std::span<const std::uint64_t> units);
};

/// The natural log of δ's probability, in component j, for one interleaving of arguments with that many units (design:
/// "Interleave distributions"). `memory`: the state that the realized order leads to, as in WidlGraph::Interleave.
/// Movement penalties are not probabilities: they count as 0 here.
double log_share(const WidlGraph::Interleave& interleave, std::uint32_t memory, const InterleavingCounts& counts,
                 std::size_t j);

}  // namespace widl
