#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/lattice.hpp"

namespace widl {

/// Which derivation stands for all of a lattice: the one with the largest expected linear BLEU (Tromble et al. 2008). The
/// probability of a derivation is proportional to exp(scale · λ · h).
struct ConsensusOptions {
  double scale = 1;
  unsigned order = 4;       ///< of n-grams
  double precision = 0.85;  ///< p and r of Tromble et al.: that of unigrams, and its ratio from order to order
  double ratio = 0.72;
  std::size_t nbest = 1;
};

struct ConsensusPath {
  std::vector<std::uint32_t> arcs;
  double gain;
};

/// The derivations with the largest gains, of different strings, best first.
std::vector<ConsensusPath> consensus_paths(const Lattice& lattice, std::span<const double> weights,
                                           const ConsensusOptions& options);

/// @throws InputError for options that make no sense.
void validate_options(const ConsensusOptions& options);

}  // namespace widl
