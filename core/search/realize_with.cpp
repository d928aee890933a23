#include "search/realize_with.hpp"

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "errors.hpp"
#include "expression/number.hpp"

namespace widl {
namespace {

/// Far above any useful weight. Scores with larger weights would overflow, and their differences would be NaN.
constexpr double kMaxWeight = 1e12;

void require_finite(double weight, const std::string& name) {
  if (!std::isfinite(weight)) throw InputError("the weight of " + name + " is not a number");
  if (std::abs(weight) > kMaxWeight)
    throw InputError("the weight of " + name + " is " + rounded(weight) + "; at most " + rounded(kMaxWeight) +
                     " is possible, either way");
}

}  // namespace

SearchOptions in_growing_layers(const SearchOptions& options, bool all_have_words) {
  SearchOptions result = options;
  if (all_have_words) return result;
  if (auto* layers = std::get_if<BeamSearch>(&result.search)) layers->unit = LengthUnit::positions;
  return result;
}

void require_components(const WeightVector& weights, std::size_t components, const char* have) {
  if (weights.widl.size() != components)
    throw InputError("weights for " + std::to_string(weights.widl.size()) + " WIDL features, but " + have + " " +
                     std::to_string(components));
}

void validate_weights(const WeightVector& weights, const ScoringModels& models) {
  if (weights.language_models.size() != models.size())
    throw InputError("weights for " + std::to_string(weights.language_models.size()) +
                     " language models, but there are " + std::to_string(models.size()));
  const FeatureLayout layout = weights.layout();
  const std::vector<double> row = weights.row();
  for (std::size_t m = 0; m < row.size(); ++m)
    require_finite(row[m], m < layout.components           ? "a WIDL feature"
                           : m < layout.word_count()       ? "a language model"
                           : m < layout.first_reordering() ? FeatureLayout::kCounts[m - layout.word_count()]
                                                           : "a feature of reordering or movement");
  for (double weight : weights.language_models)
    if (weight < 0) throw InputError("a language model's weight is negative, so its score has no bound");
}

std::string failure_of(const Realization& nothing, const SpaceOptions& options, bool is_constrained,
                       const char* space) {
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
