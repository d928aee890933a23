#pragma once

#include <cstddef>
#include <span>

#include "expression/vocabulary.hpp"

namespace widl {

/// Edits of TER (Snover et al. 2006): shifts of word sequences, chosen greedily, plus insertions, deletions and
/// substitutions. The limits and the order of preference match Tercom in sacrebleu, which yields the same numbers:
/// sequences of up to 10 words move by up to 50 positions, edit distances are found within 25 words of the diagonal,
/// and a thousand shifts are tried at most. (sacreBLEU itself took 61 ms per sentence with three references of NIST
/// 2005, this code takes 0.4: sacreBLEU is too slow for lists of candidates.)
std::size_t translation_edits(std::span<const WordId> hypothesis, std::span<const WordId> reference);

}  // namespace widl
