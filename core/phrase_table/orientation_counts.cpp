#include "phrase_table/orientation_counts.hpp"

namespace widl {
namespace {

constexpr double kSmoothing = 0.5;

std::vector<bool> edges_of(const BitextSide& side) {
  std::vector<bool> edges(side.words.size() + 1);
  for (std::uint32_t begin : side.begins) edges[begin] = true;
  return edges;
}

}  // namespace

OrientationCounter::OrientationCounter(const Bitext& bitext)
    : bitext_(bitext), source_edges_(edges_of(bitext.source())), target_edges_(edges_of(bitext.target())) {}

Orientations OrientationCounter::orientations(const PhrasePairSpan& pair) const {
  if (!known_.empty()) return known_[pair.source_begin];
  const std::uint32_t source_end = pair.source_begin + pair.source_length;
  const std::uint32_t target_end = pair.target_begin + pair.target_length;
  return {orientation(pair.target_begin - 1, target_edges_[pair.target_begin], source_edges_[pair.source_begin], pair,
                      Side::before),
          orientation(target_end, target_edges_[target_end], source_edges_[source_end], pair, Side::behind)};
}

void OrientationCounter::count(const PhrasePairSpan& pair, OrientationCounts& counts) const {
  const Orientations pair_orientations = orientations(pair);
  ++counts[pair_orientations.backward];
  ++counts[kFirstForward + pair_orientations.forward];
}

/// The orientation toward a target word. `is_outside`: the word is outside the sentence. `at_edge`: so is the source
/// word of a monotone neighbor, on the side `monotone`.
std::uint8_t OrientationCounter::orientation(std::uint32_t target, bool is_outside, bool at_edge,
                                             const PhrasePairSpan& pair, Side monotone) const {
  constexpr std::uint8_t kMonotone = 0, kSwap = 1, kDiscontinuous = 2;
  if (is_outside) return at_edge ? kMonotone : kDiscontinuous;
  bool before = false, behind = false;
  for (std::uint32_t source : bitext_.links(target)) {
    before |= source + 1 == pair.source_begin;
    behind |= source == pair.source_begin + pair.source_length;
  }
  if (before == behind) return kDiscontinuous;
  return before == (monotone == Side::before) ? kMonotone : kSwap;
}

void OrientationCounter::score(const OrientationCounts& counts, std::vector<Probability>& scores) {
  scores.clear();
  for (std::size_t first = 0; first < kReorderingScores; first += kOrientations) {
    double sum = 0;
    for (std::size_t i = first; i < first + kOrientations; ++i) sum += counts[i] + kSmoothing;
    for (std::size_t i = first; i < first + kOrientations; ++i)
      scores.push_back(Probability::of((counts[i] + kSmoothing) / sum));
  }
}

}  // namespace widl
