#pragma once

#include <cstddef>

#include "alignment/lexical_table.hpp"
#include "alignment/parallel_text.hpp"

namespace widl {

struct CandidateOptions {
  double least_association = 12;       ///< log-likelihood ratio (Dunning 1993), in nats
  std::size_t most_pairs = 24'000'000; ///< where there are more, the least associated are left out
};

/// Word pairs that are together in sentence pairs more often than by chance, or in at least half of the sentence pairs that have
/// either (Dice coefficient; chance explains what is everywhere). With the expected number of their links when every word is
/// linked to any word of the other sentence: 2 / (I + J) for each pair of tokens.
///
/// Does not depend on `threads`.
LinkCounts candidate_pairs(const ParallelText& text, const CandidateOptions& options, unsigned threads);

}  // namespace widl
