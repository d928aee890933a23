#include "phrase_table/orientation_counts.hpp"

#include <span>

namespace widl {
namespace {

constexpr double kSmoothing = 0.5;

std::vector<bool> edges_of(const BitextSide& side) {
  std::vector<bool> edges(side.words.size() + 1);
  for (std::uint32_t begin : side.begins) edges[begin] = true;
  return edges;
}

}  // namespace

OrientationCounter::OrientationCounter(const Bitext& bitext, const OrientationModel& model)
    : bitext_(bitext), model_(model), source_edges_(edges_of(bitext.source())), target_edges_(edges_of(bitext.target())) {}

Orientations OrientationCounter::orientations(const PhrasePairSpan& pair) const {
  if (!known_.empty()) return known_[pair.source_begin];
  const std::uint32_t source_end = pair.source_begin + pair.source_length;
  const std::uint32_t target_end = pair.target_begin + pair.target_length;
  Orientations found;
  if (model_.backward)
    found.backward = orientation(pair.target_begin - 1, target_edges_[pair.target_begin],
                                 source_edges_[pair.source_begin], pair, Side::before);
  if (model_.forward)
    found.forward = orientation(target_end, target_edges_[target_end], source_edges_[source_end], pair, Side::behind);
  return found;
}

void OrientationCounter::count(const PhrasePairSpan& pair, OrientationCounts& counts) const {
  const Orientations found = orientations(pair);
  if (model_.backward) ++counts[model_.backward_scores() + found.backward];
  if (model_.forward) ++counts[model_.forward_scores() + found.forward];
}

/// Towards a target word. `is_outside`: it is not in the sentence; `at_edge`: nor is the source word of a monotone
/// neighbour, which is on the side `monotone`.
std::uint8_t OrientationCounter::orientation(std::uint32_t target, bool is_outside, bool at_edge,
                                             const PhrasePairSpan& pair, Side monotone) const {
  const std::uint8_t discontinuous = model_.type == OrientationModel::Type::monotonicity ? 1 : 2;
  if (is_outside) return at_edge ? 0 : discontinuous;
  bool next_before = false, next_behind = false, far_before = false, far_behind = false;
  const std::uint32_t end = pair.source_begin + pair.source_length;
  for (std::uint32_t source : bitext_.links(target)) {
    next_before |= source + 1 == pair.source_begin;
    next_behind |= source == end;
    far_before |= source + 1 < pair.source_begin;
    far_behind |= source > end;
  }
  const bool before = monotone == Side::before;
  const bool is_monotone = before ? next_before : next_behind, is_swap = before ? next_behind : next_before;
  if (is_monotone && !is_swap) return 0;
  if (is_swap && !is_monotone) return 1;
  if (model_.type != OrientationModel::Type::mslr) return discontinuous;
  // What is linked on both sides, or on none, goes to the right.
  const bool on_monotone_side = is_monotone || (before ? far_before : far_behind);
  const bool on_swap_side = is_swap || (before ? far_behind : far_before);
  return on_swap_side && !on_monotone_side ? 3 : 2;
}

void OrientationCounter::score(const OrientationCounts& counts, std::vector<Probability>& scores) const {
  scores.clear();
  const std::size_t size = model_.orientations();
  for (std::size_t first = 0; first < model_.scores(); first += size) {
    double sum = 0;
    for (std::size_t i = first; i < first + size; ++i) sum += counts[i] + kSmoothing;
    for (std::size_t i = first; i < first + size; ++i) scores.push_back(Probability::of((counts[i] + kSmoothing) / sum));
  }
}

}  // namespace widl
