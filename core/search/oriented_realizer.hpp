#pragma once

#include "expression/tiles.hpp"
#include "search/budget.hpp"
#include "search/constraint.hpp"
#include "search/ngram_scorer.hpp"
#include "search/options.hpp"
#include "search/realization.hpp"
#include "search/weight_vector.hpp"

namespace widl {

/// Searches tiles with a reordering model. It is compiled separately, so that both variants are inlined fully.
Realization oriented_search(const Tiles& tiles, NGramScorer& scorer, const WeightVector& weights,
                            const SearchOptions& options, const Constraint* constraint, Budget& budget);

}  // namespace widl
