#pragma once

#include "expression/expression.hpp"
#include "search/budget.hpp"
#include "search/constraint.hpp"
#include "search/options.hpp"
#include "search/realization.hpp"
#include "search/scoring_models.hpp"
#include "search/weight_vector.hpp"

namespace widl {

/// Realizes any expression. Tiles are unfolded as tiles, everything else as a WIDL-graph.
/// @throws InputError also for expressions that are too large, see WidlGraph.
Realization realize(const Expression& expression, const ScoringModels& models, const WeightVector& weights,
                    const SearchOptions& options, Budget& budget, const Constraint* constraint = nullptr);

}  // namespace widl
