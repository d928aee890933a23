#include "search/realizer.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "errors.hpp"
#include "expression/number.hpp"
#include "log_zero.hpp"
#include "search/derivations.hpp"
#include "search/tile_orientations.hpp"
#include "search/tile_search.hpp"
#include "search/tiles_unfolding.hpp"

namespace widl {
namespace {

/// Far above any useful weight. Scores with larger weights would overflow, and their differences would be NaN.
constexpr double kMostWeight = 1e12;

void require_finite(double weight, const std::string& name) {
  if (!std::isfinite(weight)) throw InputError("the weight of " + name + " is not a number");
  if (std::abs(weight) > kMostWeight)
    throw InputError("the weight of " + name + " is " + rounded(weight) + "; at most " + rounded(kMostWeight) +
                     " is possible, either way");
}

}  // namespace

std::vector<std::uint32_t> kept_alternatives(const Tiles& tiles, const ScoringModels& models, const Weights& weights,
                                             const ModelOptions& options) {
  require_components(weights, tiles.components(), "the tiles have");
  validate_weights(weights, models);
  Budget budget;
  Scorer scorer(models, tiles.sentence_words(), weights.language_models, budget);
  const TileModel model(tiles, scorer, weights, options, /*own_contexts=*/false, budget);
  std::vector<std::uint32_t> alternatives;
  alternatives.reserve(model.options().size());
  for (const TileOption& option : model.options()) alternatives.push_back(option.alternative);
  return alternatives;
}

Realization realize(const Tiles& tiles, const ScoringModels& models, const Weights& weights,
                    const SearchOptions& options, Budget& budget, const Constraint* constraint) {
  require_components(weights, tiles.components(), "the tiles have");
  validate_weights(weights, models);
  Scorer scorer(models, tiles.sentence_words(), weights.language_models, budget);
  const bool all_have_words = std::ranges::none_of(tiles.alternatives(), [](const auto& a) { return a.word_count == 0; });
  const SearchOptions growing = in_growing_layers(options, all_have_words);
  if (TileOrientations::has_model(tiles, weights))
    return oriented_search(tiles, scorer, weights, growing, constraint, budget);
  const TileModel model(tiles, scorer, weights, growing.space, needs_own_contexts(growing.search), budget);
  return search_tiles(TilesUnfolding(model), model, scorer, weights, growing, constraint, budget);
}

void include_derivations_beyond_window(const TileModel& model, std::size_t nbest, Realization& result) {
  const double bound = model.bound_beyond_window();
  if (bound == kLogZero) return;
  result.certificate.bound = std::max(result.certificate.bound, bound);
  if (result.nbest.size() < nbest || result.nbest.back().score < bound) result.nbest_complete = false;
  result.lattice_complete = false;
  if (result.outcome != Outcome::proved_empty) return;
  result.outcome = Outcome::undecided;
  result.failure = "no string that is allowed has phrases that move by at most " + std::to_string(Coverage::kWindow) +
                   " positions; one whose phrases move further may exist";
}

SearchOptions in_growing_layers(const SearchOptions& options, bool all_have_words) {
  SearchOptions result = options;
  if (all_have_words) return result;
  if (auto* layers = std::get_if<Layers>(&result.search)) layers->unit = LengthUnit::positions;
  return result;
}

void require_components(const Weights& weights, std::size_t components, const char* have) {
  if (weights.widl.size() != components)
    throw InputError("weights for " + std::to_string(weights.widl.size()) + " WIDL features, but " + have + " " +
                     std::to_string(components));
}

void validate_weights(const Weights& weights, const ScoringModels& models) {
  if (weights.language_models.size() != models.size())
    throw InputError("weights for " + std::to_string(weights.language_models.size()) +
                     " language models, but there are " + std::to_string(models.size()));
  const FeatureLayout layout = weights.layout();
  const std::vector<double> row = weights.row();
  for (std::size_t m = 0; m < row.size(); ++m)
    require_finite(row[m], m < layout.components     ? "a WIDL feature"
                           : m < layout.word_count() ? "a language model"
                           : m < layout.first_reordering() ? FeatureLayout::kCounts[m - layout.word_count()]
                                                           : "a feature of reordering or movement");
  for (double weight : weights.language_models)
    if (weight < 0) throw InputError("a language model's weight is negative, so its score has no bound");
}

std::string failure_of(const Realization& nothing, const ModelOptions& options, bool is_constrained, const char* space) {
  if (nothing.outcome == Outcome::out_of_budget)
    return std::string(name_of(nothing.stopped)) + " ran out before a string was found, and one may exist; raise it";
  if (nothing.outcome == Outcome::undecided)
    return "the search pruned all strings that it tried, and one may exist; search with astar or bfs";
  std::string fits = is_constrained ? " has what it must" : "";
  std::string limits = options.max_words ? std::to_string(options.max_words) + " words" : "";
  if (options.max_bytes) limits += (limits.empty() ? "" : " and ") + std::to_string(options.max_bytes) + " bytes";
  if (!limits.empty()) fits += (is_constrained ? " within " : " fits ") + limits;
  if (fits.empty()) return std::string("there is no string of ") + space + ": proved";
  return std::string("no string of ") + space + fits + ": proved";
}

}  // namespace widl
