#include "search/realizer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "errors.hpp"
#include "expression/number.hpp"
#include "search/coverage_bound.hpp"
#include "search/grammar_unfolding.hpp"
#include "search/realization.hpp"
#include "search/tiles_unfolding.hpp"

namespace widl {
namespace {

/// Far above any weight of use. Scores with larger ones would overflow, and their differences be no numbers.
constexpr double kMostWeight = 1e12;

void require_finite(double weight, const char* name) {
  if (!std::isfinite(weight)) throw InputError(std::string("the weight of ") + name + " is not a number");
  if (std::abs(weight) > kMostWeight)
    throw InputError(std::string("the weight of ") + name + " is " + rounded(weight) + "; at most " +
                     rounded(kMostWeight) + " is possible, either way");
}

void validate(const Tiles& tiles, const ScoringModels& models, const Weights& weights) {
  if (weights.widl.size() != tiles.components())
    throw InputError("weights for " + std::to_string(weights.widl.size()) + " WIDL features, but the tiles have " +
                     std::to_string(tiles.components()));
  validate_weights(weights, models);
}

/// How far behind the left-most free position a phrase may end.
std::uint32_t window_needed(const Tiles& tiles, const SearchOptions& options) {
  std::uint32_t longest = 0;
  for (const Tiles::Alternative& a : tiles.alternatives()) longest = std::max(longest, a.end - a.begin);
  std::uint32_t needed = std::min(tiles.length(), std::max(options.distortion_limit, longest));
  if (needed > Coverage<16>::kWindow)
    throw InputError("a sentence of " + std::to_string(tiles.length()) + " positions needs a distortion limit of at most " +
                     std::to_string(Coverage<16>::kWindow));
  return needed;
}

/// The explored derivations with the features of each step: what `features_of` finds of a derivation, taken apart.
std::shared_ptr<const Lattice> lattice_of(const ExploredGraph& explored, const Tiles& tiles, const TileModel& model,
                                          const Scorer& scorer) {
  std::vector<std::uint32_t> ends(explored.nodes, 0);  // by node: where the last phrase ended, on all paths to it
  for (const ExploredGraph::Arc& arc : explored.arcs) ends[arc.to] = model.option(arc.label).end;
  std::vector<Lattice::Arc> arcs;
  std::vector<Lattice::Phrase> phrases;
  std::vector<double> features;
  std::map<PhraseId, std::uint32_t> numbers;
  for (const ExploredGraph::Arc& arc : explored.arcs) {
    const TileOption& option = model.option(arc.label);
    const Tiles::Alternative& alternative = tiles.alternatives()[option.alternative];
    const auto [known, added] = numbers.try_emplace(arc.phrase, static_cast<std::uint32_t>(phrases.size()));
    if (added) {
      phrases.emplace_back();
      for (WordId word : tiles.words(alternative)) phrases.back().emplace_back(tiles.text(word));
    }
    arcs.push_back({arc.from, arc.to, option.begin, option.end, option.alternative, known->second});
    for (float log_score : tiles.log_scores(alternative)) features.push_back(log_score);
    scorer.append_features(arc.context, arc.phrase, arc.to + 1 == explored.nodes, features);
    features.push_back(option.word_count);
    features.push_back(1);
    const auto movement = std::llabs(std::int64_t{option.begin} - std::int64_t{ends[arc.from]});
    features.push_back(movement == 0 ? 0.0 : static_cast<double>(movement) * tiles.log_movement_base());
    features.push_back(alternative.unknown);
  }
  return std::make_shared<const Lattice>(std::move(arcs), std::move(phrases), std::move(features));
}

/// Solves the coverages that can be reached, where half of what is left of the budget is enough for that.
template <std::size_t Words>
void solve_within(Budget& budget, std::optional<CoverageBound<Words>>& solved, const TilesUnfolding<Words>& unfolding,
                  const TileModel& model) {
  try {
    const Budget::Share share(budget, 0.5);
    solved.emplace(unfolding, model, budget);
    (*solved)(unfolding.initial());
  } catch (const OutOfBudget&) {
    solved.reset();
  }
}

template <std::size_t Words>
Realization search(const Tiles& tiles, const ScoringModels& models, Scorer& scorer, const Weights& weights,
                   const SearchOptions& options, const Grammar* grammar, Budget& budget) {
  TileModel model(tiles, scorer, weights, options, Coverage<Words>::kWindow, budget);
  TilesUnfolding<Words> unfolding(model);
  std::optional<CoverageBound<Words>> solved;
  if (options.algorithm == Algorithm::astar && model.distortion_limit() <= kSolvableDistortionLimit)
    solve_within(budget, solved, unfolding, model);
  auto estimator = [&](const Coverage<Words>& state, const Arrival&) {
    if (!solved) return unfolding.completion(state);
    double bound = (*solved)(state);
    return Scorer::ScoreEstimate{bound, bound};
  };
  SearchResult found = run_filtered(unfolding, scorer, estimator, options, tiles.sentence_words(), grammar, budget);
  if (found.paths.empty())
    nothing_found(found, options, grammar, "no combination of tiles within the distortion limit covers the sentence");
  std::shared_ptr<const Lattice> lattice;
  if (options.lattice) lattice = lattice_of(found.explored, tiles, model, scorer);
  Realization result = complete(std::move(found), weights, [&](std::span<const std::uint32_t> labels) {
    Derivation derivation;
    for (std::uint32_t label : labels) {
      const TileOption& option = model.option(label);
      derivation.phrases.push_back({option.begin, option.end, option.word_count, option.alternative});
      for (WordId word : tiles.words(tiles.alternatives()[option.alternative]))
        derivation.words.emplace_back(tiles.text(word));
    }
    derivation.features = features_of(tiles, models, weights, derivation.phrases);
    return derivation;
  });
  result.lattice = std::move(lattice);
  return result;
}

template <std::size_t Words>
std::vector<PathBound> follow(const Tiles& tiles, Scorer& scorer, const Weights& weights,
                              const SearchOptions& options, std::span<const std::uint32_t> alternatives) {
  Budget budget;
  TileModel model(tiles, scorer, weights, options, Coverage<Words>::kWindow, budget);
  TilesUnfolding<Words> unfolding(model);
  CoverageBound<Words> solved(unfolding, model, budget);
  std::vector<PathBound> path;
  Coverage<Words> state = unfolding.initial();
  ContextId context = scorer.start();
  double score = 0;
  auto record = [&] {
    Scorer::ScoreEstimate completion = unfolding.completion(state);
    double bound = solved(state);
    path.push_back({score, completion.estimate, completion.bound, bound, bound});
  };
  for (std::uint32_t wanted : alternatives) {
    record();
    const Coverage<Words> from = state;
    const ContextId before = context;
    bool allowed = false;
    unfolding.successors(from, [&](const typename TilesUnfolding<Words>::Edge& edge) {
      if (model.option(edge.label).alternative != wanted) return;
      Scorer::Step step = scorer.extend(before, edge.phrase);
      score += edge.score + step.score;
      state = edge.to;
      context = step.next;
      allowed = true;
    });
    if (!allowed) throw InputError("the derivation takes a step that the tiles or the distortion limit forbid");
  }
  if (unfolding.is_final(state)) {
    score += scorer.finish(context);
    path.push_back({score, 0, 0, 0, 0});
  } else {
    record();
  }
  return path;
}

}  // namespace

std::vector<PathBound> bounds_along(const Tiles& tiles, const ScoringModels& models, const Weights& weights,
                                    const SearchOptions& options, std::span<const std::uint32_t> alternatives) {
  validate(tiles, models, weights);
  Scorer scorer(models, tiles.sentence_words(), weights.language_models);
  return window_needed(tiles, options) <= Coverage<1>::kWindow
             ? follow<1>(tiles, scorer, weights, options, alternatives)
             : follow<16>(tiles, scorer, weights, options, alternatives);
}

Realization realize(const Tiles& tiles, const ScoringModels& models, const Weights& weights,
                    const SearchOptions& options, Budget& budget, const Grammar* grammar) {
  validate(tiles, models, weights);
  validate_options(options);
  Scorer scorer(models, tiles.sentence_words(), weights.language_models);
  return window_needed(tiles, options) <= Coverage<1>::kWindow
             ? search<1>(tiles, models, scorer, weights, options, grammar, budget)
             : search<16>(tiles, models, scorer, weights, options, grammar, budget);
}

std::vector<double> features_of(const Tiles& tiles, const ScoringModels& models, const Weights& weights,
                                std::span<const RealizedPhrase> derivation) {
  std::vector<double> features(tiles.components(), 0.0);
  std::vector<WordId> words;
  std::uint32_t last_end = 0, unknown = 0;
  std::uint64_t movement = 0;
  for (const RealizedPhrase& phrase : derivation) {
    const Tiles::Alternative& alternative = tiles.alternatives()[phrase.alternative];
    auto scores = tiles.log_scores(alternative);
    for (std::size_t j = 0; j < scores.size(); ++j) features[j] += scores[j];
    auto phrase_words = tiles.words(alternative);
    words.insert(words.end(), phrase_words.begin(), phrase_words.end());
    movement += static_cast<std::uint64_t>(std::llabs(std::int64_t{phrase.begin} - std::int64_t{last_end}));
    last_end = phrase.end;
    unknown += alternative.unknown;
  }
  Scorer scorer(models, tiles.sentence_words(), weights.language_models);
  for (double sum : scorer.features(words)) features.push_back(sum);
  features.push_back(static_cast<double>(words.size()));
  features.push_back(static_cast<double>(derivation.size()));
  features.push_back(movement == 0 ? 0.0 : static_cast<double>(movement) * tiles.log_movement_base());
  features.push_back(unknown);
  return features;
}

void validate_weights(const Weights& weights, const ScoringModels& models) {
  if (weights.language_models.size() != models.size())
    throw InputError("weights for " + std::to_string(weights.language_models.size()) +
                     " language models, but there are " + std::to_string(models.size()));
  for (double weight : weights.widl) require_finite(weight, "a WIDL feature");
  for (double weight : weights.language_models) {
    require_finite(weight, "a language model");
    if (weight < 0) throw InputError("a language model's weight is negative: there is no bound then");
  }
  require_finite(weights.word_count, "word_count");
  require_finite(weights.phrase_count, "phrase_count");
  require_finite(weights.distortion, "distortion");
  require_finite(weights.unknown, "unknown");
}

void validate_options(const SearchOptions& options) {
  if (!(options.beam >= 0 && options.beam <= 1)) throw InputError("the beam must be at least 0 and at most 1");
  if (!(options.margin >= 0)) throw InputError("the margin must be at least 0");
  if (options.nbest == 0) throw InputError("nbest must be at least 1");
  if (!(options.lattice_beam >= 0)) throw InputError("the lattice's beam must be at least 0");
}

double weighted_sum(const Weights& weights, std::span<const double> features) {
  std::vector<double> lambda = weights.widl;
  lambda.insert(lambda.end(), weights.language_models.begin(), weights.language_models.end());
  lambda.insert(lambda.end(), {weights.word_count, weights.phrase_count, weights.distortion, weights.unknown});
  if (lambda.size() != features.size()) throw InternalError("as many weights as features needed");
  double sum = 0;
  for (std::size_t m = 0; m < lambda.size(); ++m) sum += lambda[m] * features[m];
  return sum;
}

}  // namespace widl
