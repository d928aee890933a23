#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "errors.hpp"
#include "expression/interleaving.hpp"
#include "search/bag_bound.hpp"
#include "search/context_bound.hpp"
#include "search/grammar_unfolding.hpp"
#include "search/graph_unfolding.hpp"
#include "search/realization.hpp"
#include "search/realizer.hpp"

namespace widl {
namespace {

/// WIDL features and movement of a derivation, from the choices made along it.
struct FeatureSum {
  const WidlGraph* graph;
  std::vector<double> widl;
  double moved = 0;

  void row(std::uint32_t logs) {
    for (std::size_t j = 0; j < widl.size(); ++j) widl[j] += graph->logs(logs)[j];
  }
  void movement(double log) { moved += log; }
  template <class Units>
  void closing(std::uint32_t interleave, std::uint32_t memory, Units&& units) {
    const WidlGraph::Interleave& one = graph->interleaves()[interleave];
    std::vector<std::uint64_t> counted;
    for (std::size_t k = 0; k < one.units.size(); ++k) counted.push_back(units(k));
    InterleavingCounts counts(counted);
    for (std::size_t j = 0; j < widl.size(); ++j) widl[j] += log_share(one, memory, counts, j);
  }
};

/// An expression prepared for search: its graph, scored under the models.
class GraphRealizer {
 public:
  GraphRealizer(const Expression& expression, const ScoringModels& models, const Weights& weights, Budget& budget)
      : budget_(budget),
        words_(models.vocabulary()),
        graph_(expression, weights.widl.size(), words_),
        scorer_(models, words_, weights.language_models),
        model_(graph_, scorer_, weights),
        weights_(weights) {
    budget.take_input(graph_.memory() + model_.memory());
  }

  Realization realize(const SearchOptions& options, const Grammar* grammar) {
    return graph_.bits() <= 64 ? search<1>(options, grammar) : search<WidlGraph::kMaxBits / 64>(options, grammar);
  }

  std::vector<PathBound> bounds_along(std::span<const std::uint32_t> edges) {
    return graph_.bits() <= 64 ? follow<1>(edges) : follow<WidlGraph::kMaxBits / 64>(edges);
  }

 private:
  template <std::size_t Words>
  Realization search(const SearchOptions& options, const Grammar* grammar) {
    GraphUnfolding<Words> unfolding(model_);
    budget_.take_input(unfolding.memory());
    SearchResult found;
    std::optional<BagBound<Words>> bag;
    std::optional<ContextBound<Words>> available;
    if (options.bound == Bound::lagrangian && BagBound<Words>::applies(model_)) make_within_budget(bag, unfolding);
    if (!bag && options.bound != Bound::fixed && ContextBound<Words>::applies(unfolding))
      make_within_budget(available, unfolding);
    if (bag) {
      found = run_filtered(unfolding, scorer_, *bag, options, words_, grammar, budget_);
    } else if (available) {
      found = run_filtered(unfolding, scorer_, *available, options, words_, grammar, budget_);
    } else {
      auto estimator = [&, work = graph_.nodes().size() / 8](const Cut<Words>& state, const Arrival&) {
        budget_.work(work);
        return unfolding.completion(state);
      };
      found = run_filtered(unfolding, scorer_, estimator, options, words_, grammar, budget_);
    }
    if (found.paths.empty()) nothing_found(found, options, grammar, "the expression has no derivation");
    return complete(std::move(found), weights_,
                    [&](std::span<const std::uint32_t> labels) { return derive(unfolding, labels); });
  }

  /// Makes a bound of up to half of what is left of the budget; none where that is not enough.
  template <class OfWords, class Unfolding>
  void make_within_budget(std::optional<OfWords>& bound, const Unfolding& unfolding) {
    try {
      const Budget::Share share(budget_, 0.5);
      bound.emplace(unfolding, scorer_, budget_);
    } catch (const OutOfBudget&) {
      bound.reset();
    }
  }

  /// The derivation of these edges, its features computed apart from the weighted scores of search.
  template <std::size_t Words>
  Derivation derive(const GraphUnfolding<Words>& unfolding, std::span<const std::uint32_t> labels) const {
    Derivation derivation;
    FeatureSum sum{&graph_, std::vector<double>(weights_.widl.size()), 0};
    std::vector<WordId> words;
    double phrases = 0;
    Cut<Words> state = unfolding.initial();
    for (std::uint32_t label : labels) {
      const WidlGraph::Edge& edge = graph_.edges()[label];
      if (edge.logs != WidlGraph::kNone) sum.row(edge.logs);
      state = unfolding.advance(state, edge, sum);
      phrases += edge.phrases;
      derivation.phrases.push_back({edge.position, edge.position + edge.word_count, edge.word_count, label});
      for (WordId word : graph_.words(edge)) words.push_back(word);
    }
    for (WordId word : words) derivation.words.emplace_back(words_.text(word));
    derivation.features = std::move(sum.widl);
    for (double log : scorer_.features(words)) derivation.features.push_back(log);
    derivation.features.push_back(static_cast<double>(words.size()));
    derivation.features.push_back(phrases);
    derivation.features.push_back(sum.moved);
    derivation.features.push_back(0);
    return derivation;
  }

  template <std::size_t Words>
  std::vector<PathBound> follow(std::span<const std::uint32_t> edges) {
    GraphUnfolding<Words> unfolding(model_);
    std::optional<ContextBound<Words>> available;
    if (ContextBound<Words>::applies(unfolding)) available.emplace(unfolding, scorer_, budget_);
    std::optional<BagBound<Words>> bag;
    if (BagBound<Words>::applies(model_)) bag.emplace(unfolding, scorer_, budget_);
    std::vector<PathBound> path;
    Cut<Words> state = unfolding.initial();
    Arrival arrival{scorer_.start(), Arrival::kNone, Arrival::kNone};
    double score = 0;
    auto record = [&] {
      Scorer::ScoreEstimate completion = unfolding.completion(state);
      double tighter = available ? (*available)(state, arrival).bound : completion.bound;
      path.push_back({score, completion.estimate, completion.bound, tighter, bag ? (*bag)(state, arrival).bound : tighter});
    };
    for (std::uint32_t wanted : edges) {
      record();
      const Cut<Words> from = state;
      const Arrival before = arrival;
      bool allowed = false;
      unfolding.successors(from, [&](const typename GraphUnfolding<Words>::Edge& edge) {
        if (edge.label != wanted) return;
        Scorer::Step step = scorer_.extend(before.context, edge.phrase);
        score += edge.score + step.score;
        state = edge.to;
        arrival = {step.next, edge.label, before.label};
        allowed = true;
      });
      if (!allowed) throw InputError("the derivation takes a step that the expression forbids");
    }
    if (unfolding.is_final(state)) {
      score += scorer_.finish(arrival.context);
      path.push_back({score, 0, 0, 0, 0});
    } else {
      record();
    }
    return path;
  }

  Budget& budget_;
  SentenceWords words_;
  WidlGraph graph_;
  Scorer scorer_;
  GraphModel model_;
  const Weights& weights_;
};

/// Tiles with one probability per choice: it counts for every WIDL weight.
Realization realize_tiles(const Expression& expression, const ScoringModels& models, const Weights& weights,
                          const SearchOptions& options, Budget& budget, const Grammar* grammar) {
  Tiles tiles = Tiles::compile(expression, models.vocabulary());
  const std::size_t own = expression.components(), all = weights.widl.size();
  if (own > 1 || own >= all) return realize(tiles, models, weights, options, budget, grammar);
  validate_weights(weights, models);
  Weights joined = weights;
  joined.widl.assign(own, std::accumulate(weights.widl.begin(), weights.widl.end(), 0.0));
  Realization result = realize(tiles, models, joined, options, budget, grammar);
  for (Derivation& derivation : result.nbest) {
    std::vector<double>& features = derivation.features;
    features.insert(features.begin(), all - own, own == 1 ? features[0] : 0.0);
  }
  return result;
}

}  // namespace

Realization realize(const Expression& expression, const ScoringModels& models, const Weights& weights,
                    const SearchOptions& options, Budget& budget, const Grammar* grammar) {
  if (options.lattice) throw InputError("lattices are of compiled tiles, not of expressions; ask for n-best lists");
  if (expression.kind() == Expression::Kind::tiles)
    return realize_tiles(expression, models, weights, options, budget, grammar);
  validate_weights(weights, models);
  validate_options(options);
  return GraphRealizer(expression, models, weights, budget).realize(options, grammar);
}

std::vector<PathBound> bounds_along(const Expression& expression, const ScoringModels& models,
                                    const Weights& weights, std::span<const std::uint32_t> edges) {
  validate_weights(weights, models);
  Budget budget;
  return GraphRealizer(expression, models, weights, budget).bounds_along(edges);
}

}  // namespace widl
