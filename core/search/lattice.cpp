#include "search/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <unordered_map>

#include "errors.hpp"

namespace widl {

namespace {

[[noreturn]] void fail_without_path(std::uint32_t node) {
  throw InputError("node " + std::to_string(node) + " of a lattice is on no path from the first node to the last");
}

/// An acceptor whose states are numbered from 0 as they occur.
struct Acceptor {
  std::vector<std::uint32_t> names;                           // of states, as given
  std::vector<std::vector<std::uint32_t>> out, in;            // arcs of states
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;  // of arcs

  std::vector<bool> reached(std::uint32_t from, bool forwards) const {
    std::vector<bool> seen(names.size());
    std::vector<std::uint32_t> open = {from};
    seen[from] = true;
    while (!open.empty()) {
      const std::uint32_t state = open.back();
      open.pop_back();
      for (const std::uint32_t arc : (forwards ? out : in)[state])
        if (const std::uint32_t next = forwards ? ends[arc].second : ends[arc].first; !seen[next]) {
          seen[next] = true;
          open.push_back(next);
        }
    }
    return seen;
  }

  /// The place of each kept state in a topological order. @throws InputError for a cycle
  std::vector<std::uint32_t> order(const std::vector<bool>& selected) const {
    std::vector<std::uint32_t> waiting(names.size(), 0), ranks(names.size(), 0);
    for (const auto& [from, to] : ends) waiting[to] += selected[from] && selected[to];
    std::deque<std::uint32_t> ready;
    std::uint32_t left = 0, placed = 0;
    for (std::uint32_t s = 0; s < names.size(); ++s) {
      left += selected[s];
      if (selected[s] && waiting[s] == 0) ready.push_back(s);
    }
    for (; !ready.empty(); ready.pop_front()) {
      ranks[ready.front()] = placed++;
      for (const std::uint32_t arc : out[ready.front()])
        if (const std::uint32_t to = ends[arc].second; selected[to] && --waiting[to] == 0) ready.push_back(to);
    }
    if (placed == left) return ranks;
    std::uint32_t state = 0;
    while (!selected[state] || waiting[state] == 0) ++state;
    for (std::uint32_t back = 0; back < left; ++back)  // each waiting state has a waiting predecessor
      for (const std::uint32_t arc : in[state])
        if (const std::uint32_t from = ends[arc].first; selected[from] && waiting[from] > 0) {
          state = from;
          break;
        }
    throw InputError("state " + std::to_string(names[state]) + " is on a cycle; a lattice must be acyclic");
  }
};

}  // namespace

Lattice::Lattice(std::vector<Arc> arcs, std::vector<Phrase> phrases, std::vector<double> features)
    : arcs_(std::move(arcs)), phrases_(std::move(phrases)), features_(std::move(features)) {
  if (arcs_.empty()) throw InputError("a lattice needs at least one arc");
  if (features_.size() % arcs_.size() != 0)
    throw InputError("the arcs of a lattice differ in their number of features");
  for (std::size_t a = 0; a < arcs_.size(); ++a) {
    const Arc& arc = arcs_[a];
    const std::string where = "arc " + std::to_string(a) + " of a lattice ";
    if (arc.from >= arc.to)
      throw InputError(where + "leads from " + std::to_string(arc.from) + " to " + std::to_string(arc.to) +
                       "; it must lead to a larger number");
    if (a > 0 && (arc.to < arcs_[a - 1].to || (arc.to == arcs_[a - 1].to && arc.from < arcs_[a - 1].from)))
      throw InputError(where + "is out of order; sort arcs by their last node, then by their first node");
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

Lattice Lattice::of_acceptor(std::uint32_t start, std::vector<Arc> arcs, std::vector<Phrase> phrases,
                             std::vector<double> features,
                             const std::vector<std::pair<std::uint32_t, std::vector<double>>>& finals) {
  if (finals.empty()) throw InputError("no state is final");
  Acceptor acceptor;
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;
  const auto number = [&](std::uint32_t name) {
    const auto [entry, added] = numbers.try_emplace(name, static_cast<std::uint32_t>(acceptor.names.size()));
    if (added) acceptor.names.push_back(name);
    return entry->second;
  };
  number(start);
  for (Arc& arc : arcs) arc.from = number(arc.from), arc.to = number(arc.to);
  std::uint32_t end = number(finals.front().first);
  const bool is_last = finals.size() == 1 && end != 0 &&
                       std::ranges::none_of(arcs, [end](const Arc& arc) { return arc.from == end; }) &&
                       std::ranges::none_of(finals.front().second, [](double h) { return h != 0; });
  if (!is_last) {
    std::vector<std::uint32_t> ending;
    for (const auto& [name, row] : finals) ending.push_back(number(name));
    end = static_cast<std::uint32_t>(acceptor.names.size());
    acceptor.names.push_back(end);
    for (std::size_t f = 0; f < finals.size(); ++f) {
      arcs.push_back({ending[f], end, 0, 0, 0, static_cast<std::uint32_t>(phrases.size())});
      features.insert(features.end(), finals[f].second.begin(), finals[f].second.end());
    }
    phrases.emplace_back();
  }
  acceptor.out.resize(acceptor.names.size());
  acceptor.in.resize(acceptor.names.size());
  for (std::uint32_t a = 0; a < arcs.size(); ++a) {
    acceptor.ends.emplace_back(arcs[a].from, arcs[a].to);
    acceptor.out[arcs[a].from].push_back(a);
    acceptor.in[arcs[a].to].push_back(a);
  }
  std::vector<bool> selected = acceptor.reached(0, true);
  const std::vector<bool> ends = acceptor.reached(end, false);
  if (!selected[end]) throw InputError("no path leads from the start to a final state");
  for (std::size_t s = 0; s < selected.size(); ++s) selected[s] = selected[s] && ends[s];
  const std::vector<std::uint32_t> ranks = acceptor.order(selected);
  std::vector<std::uint32_t> order;
  for (std::uint32_t a = 0; a < arcs.size(); ++a) {
    if (!selected[arcs[a].from] || !selected[arcs[a].to]) continue;
    order.push_back(a);
    arcs[a].from = ranks[arcs[a].from];
    arcs[a].to = ranks[arcs[a].to];
  }
  std::ranges::stable_sort(order, {}, [&](std::uint32_t a) { return std::pair(arcs[a].to, arcs[a].from); });
  const std::size_t width = features.size() / arcs.size();
  std::vector<Arc> ordered;
  std::vector<double> rows;
  for (const std::uint32_t a : order) {
    ordered.push_back(arcs[a]);
    const auto row = std::span(features).subspan(a * width, width);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return {std::move(ordered), std::move(phrases), std::move(rows)};
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
    const Phrase& arc_words = words(arcs_[arc]);
    all.insert(all.end(), arc_words.begin(), arc_words.end());
  }
  return all;
}

void Lattice::dot(std::span<const double> weights, std::vector<double>& scores) const {
  const std::size_t count = width();
  if (weights.size() != count) throw InternalError("expected one weight per feature");
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
    const Lattice& lattice = *lattices[i];
    if (lattice.width() != lattices[0]->width()) throw InputError("lattices to be joined differ in their features");
    const auto first_phrase = static_cast<std::uint32_t>(phrases.size());
    for (Arc arc : lattice.arcs_) {
      arc.from += node;
      arc.to += node;
      arc.begin += starts[i];
      arc.end += starts[i];
      arc.phrase += first_phrase;
      arcs.push_back(arc);
    }
    phrases.insert(phrases.end(), lattice.phrases_.begin(), lattice.phrases_.end());
    features.insert(features.end(), lattice.features_.begin(), lattice.features_.end());
    node += lattice.nodes() - 1;
  }
  return {std::move(arcs), std::move(phrases), std::move(features)};
}

}  // namespace widl
