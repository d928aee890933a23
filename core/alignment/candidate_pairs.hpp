#pragma once

#include <cstddef>

#include "alignment/lexical_table.hpp"
#include "bitext_side.hpp"

namespace widl {

/// Word pairs that co-occur in sentence pairs more often than by chance, or with a Dice coefficient of at least one
/// half (very frequent words co-occur by chance). Each has the expected number of its links when every word is linked
/// to any word of the other sentence: 2 / (I + J) for each pair of tokens. If there are more than `most_pairs`, the
/// least associated are dropped.
///
/// Does not depend on `threads`.
LinkCounts candidate_pairs(const ParallelText& text, std::size_t most_pairs, unsigned threads);

}  // namespace widl
