#include "mert/lattice_envelope.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "errors.hpp"
#include "expression/number.hpp"
#include "mert/optimizer.hpp"
#include "parallel.hpp"

namespace widl {

std::span<const LatticeEnvelope::Line> LatticeEnvelope::find(const Lattice& lattice, std::span<const double> slopes,
                                                             std::span<const double> intercepts, double lowest,
                                                             double highest) {
  lines_.assign(1, {-std::numeric_limits<double>::infinity(), 0, 0, kNone, kNone});
  first_.assign(1, 0);
  for (std::uint32_t node = 1; node < lattice.nodes(); ++node) {
    first_.push_back(lines_.size());
    arrive_at(lattice, node, slopes, intercepts, lowest, highest);
  }
  return std::span(lines_).subspan(first_.back());
}

void LatticeEnvelope::arrive_at(const Lattice& lattice, std::uint32_t node, std::span<const double> slopes,
                                std::span<const double> intercepts, double lowest, double highest) {
  slopes_.clear();
  intercepts_.clear();
  arriving_.clear();
  for (std::size_t arc = lattice.first_in(node); arc < lattice.last_in(node); ++arc) {
    const std::uint32_t from = lattice.arcs()[arc].from;  // neither the last node nor this node
    for (std::size_t line = first_[from]; line < first_[from + 1]; ++line) {
      slopes_.push_back(lines_[line].slope + slopes[arc]);
      intercepts_.push_back(lines_[line].intercept + intercepts[arc]);
      arriving_.push_back(
          {0, slopes_.back(), intercepts_.back(), static_cast<std::uint32_t>(arc), static_cast<std::uint32_t>(line)});
    }
  }
  const auto highest_lines = envelope_.find(slopes_, intercepts_);
  for (std::size_t i = 0; i < highest_lines.size(); ++i) {
    const double from = highest_lines[i].from;
    // Lines that are never best in the range here are not best later, either.
    if (from > highest || (i + 1 < highest_lines.size() && highest_lines[i + 1].from < lowest)) continue;
    lines_.push_back(arriving_[highest_lines[i].line]);
    lines_.back().from = from;
  }
}

std::vector<std::uint32_t> LatticeEnvelope::path(const Line& line) const {
  std::vector<std::uint32_t> arcs;
  for (const Line* at = &line; at->arc != kNone; at = &lines_[at->previous]) arcs.push_back(at->arc);
  std::reverse(arcs.begin(), arcs.end());
  return arcs;
}

LatticeSet::LatticeSet(std::vector<std::shared_ptr<const Lattice>> lattices)
    : lattices_(std::move(lattices)), taken_(lattices_.size()) {
  if (lattices_.empty()) throw InputError("no lattices to tune on");
  for (std::size_t s = 0; s < size(); ++s) {
    if (lattices_[s]->arcs().empty()) throw InputError("the lattice of sentence " + std::to_string(s) + " is empty");
    if (lattices_[s]->width() != features())
      throw InputError("the lattice of sentence " + std::to_string(s) + " has " +
                       std::to_string(lattices_[s]->width()) + " features, not " + std::to_string(features()));
    for (const double value : lattices_[s]->features())
      if (std::abs(value) > CandidateLists::kMaxFeature)
        throw InputError("a feature of the lattice of sentence " + std::to_string(s) + " is " + rounded(value) +
                         "; at most " + rounded(CandidateLists::kMaxFeature) + " is possible, either way");
  }
}

std::vector<std::vector<LatticeSet::Path>> LatticeSet::take(std::span<const double> weights,
                                                            const std::vector<std::vector<double>>& directions,
                                                            std::span<const double> lower,
                                                            std::span<const double> upper, double reach,
                                                            unsigned threads) {
  std::vector<std::vector<Path>> paths(size());
  parallel_for(size(), threads, [&](std::size_t s) {
    const Lattice& lattice = *lattices_[s];
    LatticeEnvelope envelope;
    std::vector<double> slopes, intercepts;
    lattice.dot(weights, intercepts);
    for (const std::vector<double>& direction : directions) {
      const StepRange range = within_bounds(weights, direction, lower, upper);
      const double lowest = std::max(range.lowest, -reach), highest = std::min(range.highest, reach);
      if (!(lowest < highest)) continue;
      lattice.dot(direction, slopes);
      for (const LatticeEnvelope::Line& line : envelope.find(lattice, slopes, intercepts, lowest, highest)) {
        auto [path, is_new] = taken_[s].insert(envelope.path(line));
        if (is_new) paths[s].push_back(*path);
      }
    }
  });
  return paths;
}

std::vector<LatticeSet::Path> LatticeSet::best(std::span<const double> weights, unsigned threads) const {
  std::vector<Path> paths(size());
  parallel_for(size(), threads, [&](std::size_t s) {
    LatticeEnvelope envelope;
    std::vector<double> scores;
    lattices_[s]->dot(weights, scores);
    const std::vector<double> level(scores.size(), 0.0);
    paths[s] = envelope.path(envelope.find(*lattices_[s], level, scores).front());
  });
  return paths;
}

}  // namespace widl
