#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/lattice.hpp"

namespace widl {

/// The distribution over the derivations of a lattice in which a derivation's probability is proportional to the
/// exponential of the scores of its arcs. It is kept as the probability of each arc among those that leave its node:
///
///   q(a) = exp(score(a) + β(to) - β(from)),   β(n) = ln Σ exp(score of the rest), over all ways from n to the end
class LatticePosterior {
 public:
  LatticePosterior(const Lattice& lattice, std::span<const double> scores);

  /// ln q of an arc.
  double log_probability(std::uint32_t arc) const { return log_probabilities_[arc]; }
  /// The arcs that leave a node.
  std::span<const std::uint32_t> out(std::uint32_t node) const {
    return std::span(out_).subspan(first_out_[node], first_out_[node + 1] - first_out_[node]);
  }

 private:
  std::vector<std::size_t> first_out_;
  std::vector<std::uint32_t> out_;
  std::vector<double> log_probabilities_;
};

}  // namespace widl
