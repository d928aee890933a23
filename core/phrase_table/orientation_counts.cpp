#include "phrase_table/orientation_counts.hpp"

#include <cstddef>

namespace widl {
namespace {

constexpr double kSmoothing = 0.5;

/// A source word next to a phrase.
enum class Side { before, after };

/// The orientation toward a target word inside the sentence. `monotone`: the side of a monotone neighbor.
std::uint8_t orientation(const Bitext& bitext, std::uint32_t target, const PhrasePairSpan& pair, Side monotone) {
  constexpr std::uint8_t kMonotone = 0, kSwap = 1, kDiscontinuous = 2;
  bool before = false, after = false;
  for (std::uint32_t source : bitext.links(target)) {
    before |= source + 1 == pair.source_begin;
    after |= source == pair.source_begin + pair.source_length;
  }
  if (before == after) return kDiscontinuous;
  return before == (monotone == Side::before) ? kMonotone : kSwap;
}

/// The orientation at an edge of the target sentence.
std::uint8_t orientation_at_edge(bool is_source_edge) { return is_source_edge ? 0 : 2; }

}  // namespace

Orientations orientations_in(const Bitext& bitext, std::size_t sentence, const PhrasePairSpan& pair) {
  const std::vector<std::uint32_t>&sources = bitext.source().begins, &targets = bitext.target().begins;
  const std::uint32_t source_end = pair.source_begin + pair.source_length;
  const std::uint32_t target_end = pair.target_begin + pair.target_length;
  return {pair.target_begin == targets[sentence] ? orientation_at_edge(pair.source_begin == sources[sentence])
                                                 : orientation(bitext, pair.target_begin - 1, pair, Side::before),
          target_end == targets[sentence + 1] ? orientation_at_edge(source_end == sources[sentence + 1])
                                              : orientation(bitext, target_end, pair, Side::after)};
}

void score_orientations(const OrientationCounts& counts, std::vector<Probability>& scores) {
  scores.clear();
  for (std::size_t first = 0; first < kReorderingScores; first += kOrientations) {
    double sum = 0;
    for (std::size_t i = first; i < first + kOrientations; ++i) sum += counts[i] + kSmoothing;
    for (std::size_t i = first; i < first + kOrientations; ++i)
      scores.push_back(Probability::of((counts[i] + kSmoothing) / sum));
  }
}

}  // namespace widl
