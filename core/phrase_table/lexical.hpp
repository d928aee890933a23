#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "phrase_table/stored_option.hpp"
#include "phrase_table/text_counts.hpp"

namespace widl {

/// The lexical weights of phrase pairs (Koehn et al. 2003):
///
///   lex(e|f, a) = product over words e_i of the mean of w(e_i|f_j) over the links (i, j) in a,
///                 or w(e_i|NULL) without links
///
/// where w are relative frequencies of the links; a word without links counts as linked to NULL. All links of a word in
/// a consistent phrase pair are inside the pair.
///
/// The in-domain weights (after Chiang, DeNeefe & Pust 2011) replace w(e|f) by (c'(f,e) + 5 w(e|f)) / (c'(f) + 5),
/// where c' counts only the in-domain part of the text.
class LexicalWeights {
 public:
  LexicalWeights(const TextCounts& counts, bool in_domain) : counts_(counts), in_domain_(in_domain) {}

  /// lex(f|e) and lex(e|f). `links` are sorted by target, then source position.
  std::array<Probability, 2> of(std::span<const WordId> source, std::span<const WordId> target,
                                std::span<const AlignmentPoint> links);

 private:
  double probability(LinkFrequency part, LinkFrequency whole) const;

  const TextCounts& counts_;
  bool in_domain_;
  std::vector<float> sums_;             // of each source word: w(f|e) over its links
  std::vector<std::uint32_t> degrees_;  // number of links of each source word
};

}  // namespace widl
