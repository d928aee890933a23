#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "phrase_table/bitext.hpp"

namespace widl {

/// How often each word of a text, or of a part of it, has links, each counted, or none, counted once.
struct WordCounts {
  std::vector<std::uint32_t> source, target;            // events of each word
  std::vector<std::uint32_t> source_null, target_null;  // of these, without links
  std::uint64_t null_source = 0, null_target = 0;       // target (source) words without links
};

/// In the first sentence pairs.
WordCounts count_words(const Bitext& bitext, std::size_t sentences);

/// A source and a target word that are linked, and how often, in all of a text and in its in-domain part.
struct LinkedWords {
  WordId source, target;
  std::uint32_t count, in_domain = 0;
  std::uint64_t key() const { return std::uint64_t{source} << 32 | target; }
};

/// Sorts them by source, then target word, and adds up the counts of equal ones.
void add_up(std::vector<LinkedWords>& words);

/// All of a text, added up.
std::vector<LinkedWords> linked_words(const Bitext& bitext);

/// What each word of the bitext contributes to the lexical weights of the phrase pairs it is in
/// (Koehn et al. 2003):
///
///   lex(e|f, a) = product over words e_i of the mean of w(e_i|f_j) over the links (i, j) in a,
///                 or w(e_i|NULL) without links
///
/// where w are relative frequencies of the links; a word without links counts as linked to NULL.
/// In a consistent phrase pair all links of a word are inside, so its factor does not depend on the pair.
///
/// The in-domain weights (after Chiang, DeNeefe & Pust 2011) have in the place of w(e|f), with c' what is counted in the
/// in-domain part of the text, (c'(f,e) + 5 w(e|f)) / (c'(f) + 5).
struct LexicalWeights {
  std::vector<float> source;  // by source position: factor of lex(f|e)
  std::vector<float> target;  // by target position: factor of lex(e|f)
};

/// What weights are computed from: counts of words, and how often the two words of each link are linked, by the links'
/// numbers.
struct LinkCounts {
  WordCounts words;
  std::vector<std::uint32_t> joint;
};

/// In all of the text, and in its in-domain part.
std::array<LinkCounts, 2> link_counts(const Bitext& bitext);

/// Of a text that may be a part of the one that was counted; in-domain weights if `in_domain` is given.
LexicalWeights lexical_weights(const Bitext& bitext, const LinkCounts& all, const LinkCounts* in_domain = nullptr);

}  // namespace widl
