#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "phrase_table/bitext.hpp"

namespace widl {

/// Counts, for each word of a text or of a part of it, its links and the occurrences without any link.
struct WordCounts {
  std::vector<std::uint32_t> source, target;            // events of each word
  std::vector<std::uint32_t> source_null, target_null;  // of these, without links
  std::uint64_t null_source = 0, null_target = 0;       // target (source) words without links
};

/// Counts the words of the first `sentences` sentence pairs.
WordCounts count_words(const Bitext& bitext, std::size_t sentences);

/// A linked source and target word, and the number of links in the whole text and in its in-domain part.
struct LinkedWords {
  WordId source, target;
  std::uint32_t count, in_domain = 0;
  std::uint64_t key() const { return std::uint64_t{source} << 32 | target; }
};

/// Sorts the pairs by source, then target word, and adds up the counts of equal pairs.
void add_up(std::vector<LinkedWords>& words);

/// All of a text, added up.
std::vector<LinkedWords> linked_words(const Bitext& bitext);

/// The contribution of each word of the bitext to the lexical weights of its phrase pairs (Koehn et al. 2003):
///
///   lex(e|f, a) = product over words e_i of the mean of w(e_i|f_j) over the links (i, j) in a,
///                 or w(e_i|NULL) without links
///
/// where w are relative frequencies of the links; a word without links counts as linked to NULL. All links of a word in
/// a consistent phrase pair are inside the pair, so its factor does not depend on the pair.
///
/// The in-domain weights (after Chiang, DeNeefe & Pust 2011) replace w(e|f) by (c'(f,e) + 5 w(e|f)) / (c'(f) + 5),
/// where c' counts only the in-domain part of the text.
struct LexicalWeights {
  std::vector<float> source;  // by source position: factor of lex(f|e)
  std::vector<float> target;  // by target position: factor of lex(e|f)
};

/// The counts that weights are computed from: word counts, and the joint count of each link's words, by link number.
struct LinkCounts {
  WordCounts words;
  std::vector<std::uint32_t> joint;
};

/// Counts of the whole text, and of its in-domain part.
std::array<LinkCounts, 2> link_counts(const Bitext& bitext);

/// Weights of a text, which may be a part of the counted one; in-domain weights if `in_domain` is given.
LexicalWeights lexical_weights(const Bitext& bitext, const LinkCounts& all, const LinkCounts* in_domain = nullptr);

}  // namespace widl
