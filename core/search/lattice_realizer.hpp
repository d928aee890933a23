#pragma once

#include "search/budget.hpp"
#include "search/constraint.hpp"
#include "search/lattice.hpp"
#include "search/options.hpp"
#include "search/realization.hpp"
#include "search/scoring_models.hpp"
#include "search/weight_vector.hpp"

namespace widl {

/// Realizes a lattice, whose features are the WIDL components.
Realization realize(const Lattice& lattice, const ScoringModels& models, const WeightVector& weights,
                    const SearchOptions& options, Budget& budget, const Constraint* constraint = nullptr);

}  // namespace widl
