#include "search/oriented_unfolding.hpp"
#include "search/tile_orientations.hpp"
#include "search/tile_search.hpp"

namespace widl {
namespace {

/// Calls use(unfolding, model) with the unfolding of the tiles under their reordering model.
template <std::size_t Words, class Use>
auto with_unfolding(const Tiles& tiles, Scorer& scorer, const Weights& weights, const SpaceOptions& options,
                    Budget& budget, Use&& use) {
  TileOrientations orientations(tiles, weights, options.estimate_movement);
  const TileModel model(tiles, scorer, weights, options, Coverage<Words>::kWindow, budget, &orientations);
  {
    const Budget::Grace grace(budget);  // linear in the input
    orientations.rank(model, budget);
  }
  return use(OrientedUnfolding<Words>(model, orientations), model);
}

}  // namespace

Realization oriented_search(const Tiles& tiles, Scorer& scorer, const Weights& weights, const SearchOptions& options,
                            const Grammar* grammar, Budget& budget, bool narrow) {
  const auto search = [&]<std::size_t Words>() {
    return with_unfolding<Words>(tiles, scorer, weights, options.space, budget, [&](const auto& unfolding, const auto& model) {
      return search_tiles<Words>(unfolding, model, scorer, weights, options, grammar, budget);
    });
  };
  return narrow ? search.operator()<1>() : search.operator()<16>();
}

}  // namespace widl
