#include "search/tile_realizer.hpp"

#include <algorithm>

#include "search/oriented_realizer.hpp"
#include "search/realize_with.hpp"
#include "search/tile_model.hpp"
#include "search/tile_orientations.hpp"
#include "search/tile_search.hpp"
#include "search/tiles_unfolding.hpp"

namespace widl {

std::vector<std::uint32_t> kept_alternatives(const Tiles& tiles, const ScoringModels& models,
                                             const WeightVector& weights, const SpaceOptions& options) {
  require_components(weights, tiles.components(), "the tiles have");
  validate_weights(weights, models);
  Budget budget;
  NGramScorer scorer(models, tiles.sentence_words(), weights.language_models, budget);
  const TileModel model(tiles, scorer, weights, options, /*own_contexts=*/false, budget);
  std::vector<std::uint32_t> alternatives;
  alternatives.reserve(model.options().size());
  for (const TileOption& option : model.options()) alternatives.push_back(option.alternative);
  return alternatives;
}

Realization realize(const Tiles& tiles, const ScoringModels& models, const WeightVector& weights,
                    const SearchOptions& options, Budget& budget, const Constraint* constraint) {
  require_components(weights, tiles.components(), "the tiles have");
  validate_weights(weights, models);
  NGramScorer scorer(models, tiles.sentence_words(), weights.language_models, budget);
  const bool all_have_words =
      std::ranges::none_of(tiles.alternatives(), [](const auto& a) { return a.word_count == 0; });
  const SearchOptions growing = in_growing_layers(options, all_have_words);
  if (TileOrientations::has_model(tiles, weights))
    return oriented_search(tiles, scorer, weights, growing, constraint, budget);
  const TileModel model(tiles, scorer, weights, growing.space, needs_own_contexts(growing.search), budget);
  return search_tiles(TilesUnfolding(model), model, scorer, weights, growing, constraint, budget);
}

}  // namespace widl
