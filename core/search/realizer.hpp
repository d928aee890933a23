#pragma once

#include <span>
#include <vector>

#include "expression/grammar.hpp"
#include "expression/tiles.hpp"
#include "search/budget.hpp"
#include "search/options.hpp"
#include "search/realization.hpp"
#include "search/scorer.hpp"
#include "search/weights.hpp"

namespace widl {

/// The best derivations of one sentence's tiles under the log-linear model.
/// @throws InputError for weights that don't fit the models and tiles, are not finite, or are
///         negative for a language model; when the tiles can't be joined to cover the sentence, or not
///         within the limits of length; with a grammar, of the derivations whose string it accepts, also when it
///         accepts none. The budget's clock has started with the sentence.
Realization realize(const Tiles& tiles, const ScoringModels& models, const Weights& weights,
                    const SearchOptions& options, Budget& budget, const Grammar* grammar = nullptr);

/// The same for any expression; tiles are unfolded as tiles, all else as a WIDL-graph.
/// @throws InputError also for expressions too large for that, see WidlGraph.
Realization realize(const Expression& expression, const ScoringModels& models, const Weights& weights,
                    const SearchOptions& options, Budget& budget, const Grammar* grammar = nullptr);

/// The same for a lattice, whose features are the WIDL components.
Realization realize(const Lattice& lattice, const ScoringModels& models, const Weights& weights,
                    const SearchOptions& options, Budget& budget, const Grammar* grammar = nullptr);

/// The numbers of the alternatives that a search under these options chooses from, by span, the most promising first.
std::vector<std::uint32_t> kept_alternatives(const Tiles& tiles, const ScoringModels& models, const Weights& weights,
                                             const SpaceOptions& options);

/// What was known of the completion before each phrase of a derivation and after the last.
struct PathBound {
  double score;     ///< of the path so far, </s> included once all is covered
  double estimate;  ///< of the completion, without its outer context
  double fixed;     ///< bound of the completion: tiles, from the sum over gaps; else, each word in its best context
  double tighter;   ///< bound of the completion: tiles, all coverages solved; else, of contexts available
  double tightest;  ///< bound of the completion: bags, of all orders of as many words; else as `tighter`
};

/// Follows a derivation (numbers of alternatives, in the order realized) through the unfolding.
/// @throws InputError if the distortion limit or the tiles forbid one of its steps.
std::vector<PathBound> bounds_along(const Tiles& tiles, const ScoringModels& models, const Weights& weights,
                                    const SearchOptions& options, std::span<const std::uint32_t> alternatives);
/// The same for a derivation given as numbers of the WIDL-graph's edges.
std::vector<PathBound> bounds_along(const Expression& expression, const ScoringModels& models,
                                    const Weights& weights, std::span<const std::uint32_t> edges);

/// @throws InputError unless there is a finite weight for each of the models, none negative, and all others are finite.
void validate_weights(const Weights& weights, const ScoringModels& models);

/// The options for a space some of whose phrases have no words: layers of words would not grow with every step, so they
/// are of positions.
SearchOptions in_growing_layers(const SearchOptions& options, bool all_have_words);

/// @throws InputError where strings are asked for, of what has no bound of their sums. `of`: for the message.
void refuse_strings(const SearchOptions& options, const char* of);

/// @throws InputError unless there is a weight for each of the components. `have`: whose they are, for the message.
void require_components(const Weights& weights, std::size_t components, const char* have);

}  // namespace widl
