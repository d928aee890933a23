#pragma once

#include <cstdint>
#include <vector>

#include "phrase_table/bitext.hpp"

namespace widl {

/// Word translation probabilities, relative frequencies of the links; a word without links counts as
/// linked to NULL.
struct LexicalEntry {
  static constexpr WordId kNull = ~WordId{0};
  WordId source, target;       // f and e
  double source_given_target;  // w(f|e)
  double target_given_source;  // w(e|f)
};

/// All entries, sorted by source, then target word, NULL last.
std::vector<LexicalEntry> lexical_translations(const Bitext& bitext);

/// What each word of the bitext contributes to the lexical weights of the phrase pairs it is in
/// (Koehn et al. 2003):
///
///   lex(e|f, a) = product over words e_i of the mean of w(e_i|f_j) over the links (i, j) in a,
///                 or w(e_i|NULL) without links
///
/// In a consistent phrase pair all links of a word are inside, so its factor does not depend on the pair.
struct LexicalWeights {
  std::vector<float> source;  // by source position: factor of lex(f|e)
  std::vector<float> target;  // by target position: factor of lex(e|f)
};

/// Sorts up to `max_links` links at once, 16 bytes each; going over the text as often as that takes.
LexicalWeights lexical_weights(const Bitext& bitext, std::size_t max_links);

}  // namespace widl
