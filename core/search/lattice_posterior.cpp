#include "search/lattice_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace widl {

LatticePosterior::LatticePosterior(const Lattice& lattice, std::span<const double> scores) {
  const std::vector<Lattice::Arc>& arcs = lattice.arcs();
  const std::uint32_t nodes = lattice.nodes();
  first_out_.assign(std::size_t{nodes} + 1, 0);
  for (const Lattice::Arc& arc : arcs) ++first_out_[arc.from + 1];
  for (std::uint32_t n = 0; n < nodes; ++n) first_out_[n + 1] += first_out_[n];
  std::vector<std::size_t> next(first_out_.begin(), first_out_.end() - 1);
  out_.resize(arcs.size());
  for (std::uint32_t a = 0; a < arcs.size(); ++a) out_[next[arcs[a].from]++] = a;

  std::vector<double> rest(nodes, 0.0);  // β
  log_probabilities_.resize(arcs.size());
  for (std::uint32_t n = nodes - 1; n-- > 0;) {
    double most = -std::numeric_limits<double>::infinity();
    for (std::uint32_t a : out(n)) most = std::max(most, scores[a] + rest[arcs[a].to]);
    double sum = 0;
    for (std::uint32_t a : out(n)) sum += std::exp(scores[a] + rest[arcs[a].to] - most);
    rest[n] = most + std::log(sum);
    for (std::uint32_t a : out(n)) log_probabilities_[a] = scores[a] + rest[arcs[a].to] - rest[n];
  }
}

}  // namespace widl
