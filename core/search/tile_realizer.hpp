#pragma once

#include <cstdint>
#include <vector>

#include "expression/tiles.hpp"
#include "search/budget.hpp"
#include "search/constraint.hpp"
#include "search/options.hpp"
#include "search/realization.hpp"
#include "search/scoring_models.hpp"
#include "search/weight_vector.hpp"

namespace widl {

/// The best derivations of one sentence's tiles under the log-linear model. A constraint admits only derivations whose
/// string it accepts. A result without derivations says by its outcome why. The budget's clock has started with the
/// sentence.
/// @throws InputError for weights that don't fit the models and tiles, are not finite, or are negative for a language
/// model
Realization realize(const Tiles& tiles, const ScoringModels& models, const WeightVector& weights,
                    const SearchOptions& options, Budget& budget, const Constraint* constraint = nullptr);

/// The numbers of the alternatives that a search under these options chooses from, by span, the most promising first.
std::vector<std::uint32_t> kept_alternatives(const Tiles& tiles, const ScoringModels& models,
                                             const WeightVector& weights, const SpaceOptions& options);

}  // namespace widl
