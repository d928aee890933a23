#pragma once

#include <cstddef>

#include "alignment/lexical_table.hpp"
#include "alignment/parallel_text.hpp"

namespace widl {

/// Word pairs that are together in sentence pairs more often than by chance, or in at least half of the sentence pairs that have
/// either (Dice coefficient; chance explains what is everywhere). With the expected number of their links when every word is
/// linked to any word of the other sentence: 2 / (I + J) for each pair of tokens. Where there are more than `most_pairs`, the
/// least associated are left out.
///
/// Does not depend on `threads`.
LinkCounts candidate_pairs(const ParallelText& text, std::size_t most_pairs, unsigned threads);

}  // namespace widl
