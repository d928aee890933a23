#pragma once

#include <cstdint>

#include "search/scorer.hpp"

namespace widl {

/// A step of an acceptor that is unfolded on demand: a phrase, and the state after it.
template <class State>
struct UnfoldedEdge {
  State to;
  PhraseId phrase;
  double score;              ///< all weighted features but language models
  std::uint32_t label;       ///< number of what is realized, in the unfolding's own model
  std::uint32_t word_count;
  std::uint32_t bytes;       ///< of the words, and as many separators
};

}  // namespace widl
