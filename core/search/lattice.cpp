#include "search/lattice.hpp"

#include <algorithm>
#include <cmath>

#include "errors.hpp"

namespace widl {

namespace {

[[noreturn]] void fail_without_path(std::uint32_t node) {
  throw InputError("node " + std::to_string(node) + " of a lattice is on no path from the first node to the last");
}

}  // namespace

Lattice::Lattice(std::vector<Arc> arcs, std::vector<Phrase> phrases, std::vector<double> features)
    : arcs_(std::move(arcs)), phrases_(std::move(phrases)), features_(std::move(features)) {
  if (arcs_.empty()) throw InputError("a lattice needs arcs");
  if (features_.size() % arcs_.size() != 0) throw InputError("the arcs of a lattice differ in their number of features");
  for (std::size_t a = 0; a < arcs_.size(); ++a) {
    const Arc& arc = arcs_[a];
    const std::string where = "arc " + std::to_string(a) + " of a lattice ";
    if (arc.from >= arc.to)
      throw InputError(where + "leads from " + std::to_string(arc.from) + " to " + std::to_string(arc.to) +
                       "; it must lead to a larger number");
    if (a > 0 && (arc.to < arcs_[a - 1].to || (arc.to == arcs_[a - 1].to && arc.from < arcs_[a - 1].from)))
      throw InputError(where + "comes too late; arcs are in the order of where they end, then where they begin");
    if (arc.phrase >= phrases_.size()) throw InternalError("an arc without words");
  }
  for (std::uint32_t reached = 0; const Arc& arc : arcs_) {  // nodes after the first each have an arc to them
    if (arc.to > reached + std::uint64_t{1}) fail_without_path(reached + 1);
    reached = arc.to;
  }
  if (!std::all_of(features_.begin(), features_.end(), [](double h) { return std::isfinite(h); }))
    throw InputError("a feature of a lattice is not a finite number");
  first_in_.assign(std::size_t{arcs_.back().to} + 2, 0);
  for (const Arc& arc : arcs_) ++first_in_[arc.to + 1];
  for (std::size_t n = 0; n + 1 < first_in_.size(); ++n) first_in_[n + 1] += first_in_[n];
  check();
}

void Lattice::check() const {
  std::vector<bool> leads_on(nodes());
  for (const Arc& arc : arcs_) leads_on[arc.from] = true;
  for (std::uint32_t n = 0; n + 1 < nodes(); ++n)
    if (!leads_on[n]) fail_without_path(n);
}

std::vector<double> Lattice::features_of(std::span<const std::uint32_t> path) const {
  std::vector<double> sums(width(), 0.0);
  for (std::uint32_t arc : path)
    for (std::size_t f = 0; f < sums.size(); ++f) sums[f] += features(arc)[f];
  return sums;
}

Lattice::Phrase Lattice::words_of(std::span<const std::uint32_t> path) const {
  Phrase all;
  for (std::uint32_t arc : path) {
    const Phrase& own = words(arcs_[arc]);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

void Lattice::dot(std::span<const double> weights, std::vector<double>& scores) const {
  const std::size_t count = width();
  if (weights.size() != count) throw InternalError("as many weights as features needed");
  scores.resize(arcs_.size());
  const double* row = features_.data();
  for (double& score : scores) {
    double sum = 0;
    for (std::size_t f = 0; f < count; ++f) sum += weights[f] * row[f];
    score = sum;
    row += count;
  }
}

Lattice Lattice::selected(std::span<const std::size_t> columns) const {
  for (std::size_t column : columns)
    if (column >= width())
      throw InputError("no feature " + std::to_string(column) + " in a lattice of " + std::to_string(width()));
  Lattice result = *this;
  result.features_.clear();
  for (std::size_t a = 0; a < arcs_.size(); ++a)
    for (std::size_t column : columns) result.features_.push_back(features(a)[column]);
  return result;
}

Lattice Lattice::joined(std::span<const Lattice* const> lattices, std::span<const std::uint32_t> starts) {
  std::vector<Arc> arcs;
  std::vector<Phrase> phrases;
  std::vector<double> features;
  std::uint32_t node = 0;
  for (std::size_t i = 0; i < lattices.size(); ++i) {
    const Lattice& own = *lattices[i];
    if (own.width() != lattices[0]->width()) throw InputError("lattices to be joined differ in their features");
    const auto first_phrase = static_cast<std::uint32_t>(phrases.size());
    for (Arc arc : own.arcs_) {
      arc.from += node;
      arc.to += node;
      arc.begin += starts[i];
      arc.end += starts[i];
      arc.phrase += first_phrase;
      arcs.push_back(arc);
    }
    phrases.insert(phrases.end(), own.phrases_.begin(), own.phrases_.end());
    features.insert(features.end(), own.features_.begin(), own.features_.end());
    node += own.nodes() - 1;
  }
  return {std::move(arcs), std::move(phrases), std::move(features)};
}

}  // namespace widl
