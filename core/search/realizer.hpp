#pragma once

#include <span>
#include <vector>

#include "expression/tiles.hpp"
#include "search/options.hpp"
#include "search/scorer.hpp"
#include "search/weights.hpp"

namespace widl {

/// The best derivation of one sentence's tiles under the log-linear model.
/// @throws InputError for weights that don't fit the models and tiles, are not finite, or are
///         negative for a language model; and when the tiles can't be joined to cover the sentence.
Realization realize(const Tiles& tiles, const ScoringModels& models, const Weights& weights,
                    const SearchOptions& options);

/// What was known of the completion before each phrase of a derivation and after the last.
struct PathBound {
  double score;     ///< of the path so far, </s> included once all is covered
  double estimate;  ///< of the completion, without its outer context
  double gaps;      ///< bound of the completion, from the sum over gaps
  double solved;    ///< bound of the completion, all coverages solved
};

/// Follows a derivation (numbers of alternatives, in the order realized) through the unfolding.
/// @throws InputError if the distortion limit or the tiles forbid one of its steps.
std::vector<PathBound> bounds_along(const Tiles& tiles, const ScoringModels& models, const Weights& weights,
                                    const SearchOptions& options, std::span<const std::uint32_t> alternatives);

/// The feature values h of a derivation, from its phrases alone, in the order of Weights.
std::vector<double> features_of(const Tiles& tiles, const ScoringModels& models, const Weights& weights,
                                std::span<const RealizedPhrase> derivation);

/// Σ_m λ_m h_m.
double weighted_sum(const Weights& weights, std::span<const double> features);

}  // namespace widl
