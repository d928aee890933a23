#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace widl {

/// Lexicalized reordering (Koehn et al. 2005; Moses' msd-bidirectional-fe): the probability of a phrase's *orientation*
/// to the phrase realized before it (backward), and to the one realized after it (forward).
///
/// Orientations are determined by source positions: monotone if the later phrase begins where the earlier one ends,
/// swap if it ends where the earlier one begins, otherwise discontinuous. In training they are derived from the words'
/// links (orientations_in). The first phrase is oriented to an empty phrase at the start of the sentence; the last
/// one has no forward orientation. A phrase without scores has no cost.
constexpr std::size_t kOrientations = 3;

/// Scores of a phrase: one per backward orientation, then one per forward orientation.
constexpr std::size_t kReorderingScores = 2 * kOrientations;
constexpr std::size_t kFirstForward = kOrientations;

/// Names of the scores' features.
constexpr std::array<std::string_view, kReorderingScores> kReorderingFeatures = {
    "monotone_backward", "swap_backward", "discontinuous_backward",
    "monotone_forward",  "swap_forward",  "discontinuous_forward"};

/// A position where no phrase begins.
constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

/// The orientation of a phrase [begin, end) to the previous phrase. At the start, the previous phrase ends at 0 and has
/// no begin.
constexpr std::size_t orientation_of(std::uint32_t previous_begin, std::uint32_t previous_end, std::uint32_t begin,
                                     std::uint32_t end) {
  if (begin == previous_end) return 0;
  return end == previous_begin ? 1 : 2;
}

}  // namespace widl
