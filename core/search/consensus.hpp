#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/lattice.hpp"

namespace widl {

/// Which derivation stands for all of a lattice. The probability of a derivation is proportional to exp(scale · λ · h).
struct ConsensusOptions {
  enum class Rule {
    nbest,      ///< of the best strings the one with the largest expected BLEU + 1 against all of them (Kumar & Byrne 2004)
    lattice,    ///< the derivation with the largest expected linear BLEU (Tromble et al. 2008)
    consensus,  ///< of the best strings the one with the largest BLEU against expected counts (DeNero et al. 2009)
  };
  Rule rule = Rule::lattice;
  double scale = 1;
  unsigned order = 4;            ///< of n-grams
  std::size_t candidates = 200;  ///< strings to choose from, where they are a list
  double precision = 0.85;       ///< p and r of Tromble et al.: that of unigrams, and its ratio from order to order
  double ratio = 0.72;
  double model = 0;              ///< lattice: weight of ln p of the derivation, beside the gains
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
