#pragma once

#include <vector>

#include "expression/tiles.hpp"
#include "search/budget.hpp"
#include "search/constraint.hpp"
#include "search/options.hpp"
#include "search/realization.hpp"
#include "search/scorer.hpp"
#include "search/weights.hpp"

namespace widl {

/// The best derivations of one sentence's tiles under the log-linear model. A constraint admits only derivations whose
/// string it accepts. A result without derivations says by its outcome why. The budget's clock has started with the
/// sentence.
/// @throws InputError for weights that don't fit the models and tiles, are not finite, or are negative for a language
/// model
Realization realize(const Tiles& tiles, const ScoringModels& models, const Weights& weights,
                    const SearchOptions& options, Budget& budget, const Constraint* constraint = nullptr);

/// Realizes any expression. Tiles are unfolded as tiles, everything else as a WIDL-graph.
/// @throws InputError also for expressions that are too large, see WidlGraph.
Realization realize(const Expression& expression, const ScoringModels& models, const Weights& weights,
                    const SearchOptions& options, Budget& budget, const Constraint* constraint = nullptr);

/// Realizes a lattice, whose features are the WIDL components.
Realization realize(const Lattice& lattice, const ScoringModels& models, const Weights& weights,
                    const SearchOptions& options, Budget& budget, const Constraint* constraint = nullptr);

/// The numbers of the alternatives that a search under these options chooses from, by span, the most promising first.
std::vector<std::uint32_t> kept_alternatives(const Tiles& tiles, const ScoringModels& models, const Weights& weights,
                                             const ModelOptions& options);

/// @throws InputError unless there is a finite weight for each of the models, none negative, and all others are finite.
void validate_weights(const Weights& weights, const ScoringModels& models);

/// The options for a space with phrases without words. Such steps would not advance layers of words, so layers count
/// positions.
SearchOptions in_growing_layers(const SearchOptions& options, bool all_have_words);

/// @throws InputError unless there is a weight for each of the components. `have`: their owner, for the message.
void require_components(const Weights& weights, std::size_t components, const char* have);

}  // namespace widl
