#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/expression.hpp"
#include "expression/tiles.hpp"
#include "expression/vocabulary.hpp"
#include "search/bag_bound.hpp"
#include "search/budget.hpp"
#include "search/graph_model.hpp"
#include "search/graph_unfolding.hpp"
#include "search/row_loops.hpp"
#include "search/sweep.hpp"
#include "search/tile_bounds/coverage_bound.hpp"
#include "search/tile_bounds/left_contexts.hpp"
#include "search/tile_bounds/tile_contexts.hpp"
#include "search/tile_orientations.hpp"
#include "search/tiles_unfolding.hpp"
#include "testing/worked_example.hpp"

// The examples at the top of the bounds' headers. Each test repeats the numbers of one example.
namespace widl::worked_examples_test {
namespace {

/// The graph of an expression, and its unfolding under the models of an example.
struct WorkedGraph {
  WorkedGraph(const WorkedExample& example, const Expression& expression)
      : words(example.vocabulary),
        graph(expression, 1, words),
        scorer(example.models, words, example.weights.language_models, budget),
        model(graph, scorer, example.weights),
        unfolding(model) {}

  Budget budget;
  SentenceWords words;
  WidlGraph graph;
  NGramScorer scorer;
  GraphModel model;
  GraphUnfolding<1> unfolding;
};

/// Tiles of one position each, in order, every alternative with score 0.
Tiles single_tiles(const Vocabulary& vocabulary, const std::vector<std::vector<std::string>>& alternatives,
                   std::span<const float> orientation = {}) {
  Tiles tiles(vocabulary, static_cast<std::uint32_t>(alternatives.size()), 1, 0.0, !orientation.empty());
  const float nothing = 0;
  for (std::uint32_t position = 0; position < alternatives.size(); ++position)
    for (const std::string& word : alternatives[position]) {
      const WordId id = tiles.word_id(word);
      tiles.add(position, position + 1, {&id, 1}, {&nothing, 1}, /*unknown=*/false, orientation);
    }
  return tiles;
}

}  // namespace

/// Three positions in order, the second with two translations: a b d and a c d.
struct TwoTranslations {
  WorkedExample example{{"a", "b", "c", "d"}, {{"<s> a", 0}, {"a b", -1}, {"a c", -2}, {"b d", -3}, {"c d", -0.5}}};
  Tiles tiles = single_tiles(example.vocabulary, {{"a"}, {"b", "c"}, {"d"}});
  Budget budget;
  NGramScorer scorer{example.models, tiles.sentence_words(), example.weights.language_models, budget};
};

TEST_CASE("tile_contexts.hpp: with no distortion, y has only the context x") {
  const WorkedExample example({"x", "y", "z"}, {{"<s> y", -0.5}, {"x y", -1}, {"z y", 0}, {"<s> x", 0}, {"y z", 0}});
  const Tiles tiles = single_tiles(example.vocabulary, {{"x"}, {"y"}, {"z"}});
  // y's bound in any context is 0, its value after z.
  for (const auto& [limit, slack] : {std::pair(0u, 1.0), std::pair(1u, 0.5)}) {
    CAPTURE(limit);
    Budget budget;
    NGramScorer scorer(example.models, tiles.sentence_words(), example.weights.language_models, budget);
    SpaceOptions options;
    options.distortion_limit = limit;
    const TileModel model(tiles, scorer, example.weights, options, /*own_contexts=*/false, budget);
    const TileContexts contexts(model.options(), model.length(), limit, scorer, budget);
    CHECK(contexts.slack()[1] == doctest::Approx(slack).epsilon(1e-4));
  }
}

TEST_CASE("tile_orientations.hpp: promises of three phrases in order") {
  const WorkedExample example({"x", "y", "z"}, {{"<s> x", 0}, {"x y", 0}, {"y z", 0}});
  const std::array<float, kReorderingScores> scores = {0, 0, 0, -1, -0.5, -2};
  const Tiles tiles = single_tiles(example.vocabulary, {{"x"}, {"y"}, {"z"}}, scores);
  WeightVector weights = example.weights;
  weights.reordering.assign(kReorderingScores, 1.0);
  Budget budget;
  NGramScorer scorer(example.models, tiles.sentence_words(), weights.language_models, budget);
  TileOrientations orientations(tiles, weights, /*estimates=*/true);
  const TileModel model(tiles, scorer, weights, SpaceOptions{}, /*own_contexts=*/false, budget, &orientations);
  orientations.rank(model, budget);

  double path = 0;
  Coverage covered;
  TileOrientations::LastPhraseId last_phrase = TileOrientations::kStart;
  for (const TileOption& option : model.options()) {
    CHECK(orientations.promise_of(option.label) == -0.5);
    const std::size_t orientation = orientations.orientation(last_phrase, covered, option.begin, option.end);
    CHECK(orientation == 0);
    if (option.begin > 0) {
      CHECK(orientations.settle(last_phrase, orientation) == -0.5);
    }
    const double promise = option.end == 3 ? 0 : orientations.promise_of(option.label);
    path += orientations.backward(option.label, orientation) + promise + orientations.settle(last_phrase, orientation);
    covered = covered.with(option.begin, option.end);
    last_phrase = orientations.last_phrase(option, covered);
  }
  CHECK(path == -2);
}

TEST_CASE("left_contexts.hpp: left contexts and prefix scores after a word with two translations") {
  TwoTranslations two;
  auto& [example, tiles, budget, scorer] = two;
  SpaceOptions in_order;
  in_order.distortion_limit = 0;
  const TileModel model(tiles, scorer, example.weights, in_order, /*own_contexts=*/false, budget);
  LeftContexts contexts(model, nullptr, scorer, budget);
  contexts.add_block(2, 2);
  CHECK(contexts.end(2).left_contexts.size() == 2);
  const PrefixBlock& block = contexts.block(2, 2);
  const auto last = static_cast<LeftContexts::OptionId>(model.options().size() - 1);
  std::vector<double> scores(contexts.scores(block, last), contexts.scores(block, last) + 2);
  std::ranges::sort(scores);
  CHECK(scores[0] == doctest::Approx(-3).epsilon(1e-4));
  CHECK(scores[1] == doctest::Approx(-0.5).epsilon(1e-4));
}

TEST_CASE("bag_bound.hpp: a bag of three is exact after its first word") {
  const WorkedExample example({"a", "b", "c"}, {{"<s> a", 0}, {"a b", -1}, {"a c", -2}, {"b c", -3}, {"c b", -0.5}});
  const ExpressionPtr bag = Expression::interleave(
      {Expression::word("a"), Expression::word("b"), Expression::word("c")}, InterleaveDistribution::uniform());
  WorkedGraph worked(example, *bag);
  REQUIRE(BagBound<1>::applies(worked.model));
  BagBound<1> bound(worked.unfolding, worked.scorer, worked.budget);

  std::optional<GraphUnfolding<1>::Edge> first;
  worked.unfolding.moves(worked.unfolding.initial(), [&](std::uint32_t edge) {
    const std::string_view word = worked.words.text(worked.graph.words(worked.graph.edges()[edge])[0]);
    if (word == "a") first = worked.unfolding.step(worked.unfolding.initial(), edge);
  });
  REQUIRE(first);
  const Arrival arrival{worked.scorer.start(), first->label, Arrival::kNone};
  // a b c ends with -1 - 3, a c b with -2 - 0.5; all six orders have the probability 1/6.
  const double frame = worked.unfolding.flat_frame(first->to);
  CHECK(bound(first->to, arrival).bound == doctest::Approx(-2.5 + frame).epsilon(1e-4));
}

TEST_CASE("graph_unfolding.hpp: the cuts of b a c, and its probability") {
  const WorkedExample example({"a", "b", "c"}, {});
  const ExpressionPtr expression = Expression::interleave(
      {Expression::word("a"), Expression::precedence({Expression::word("b"), Expression::word("c")})},
      InterleaveDistribution::uniform());
  WorkedGraph worked(example, *expression);
  GraphUnfolding<1>::State state = worked.unfolding.initial();
  const auto follow = [&](const char* word) {
    std::optional<GraphUnfolding<1>::Edge> taken;
    worked.unfolding.successors(state, [&](const auto& edge) {
      if (worked.words.text(worked.scorer.words(edge.phrase)[0]) == word) taken = edge;
    });
    REQUIRE(taken);
    state = taken->to;
    return std::pair(state.bits[0], taken->score);
  };
  CHECK(follow("b") == std::pair(std::uint64_t{0b100}, 0.0));
  CHECK(follow("a") == std::pair(std::uint64_t{0b101}, 0.0));
  const auto [cut, score] = follow("c");
  CHECK(cut == 0b011);
  CHECK(score == doctest::Approx(-std::log(3)));
  CHECK(worked.unfolding.is_final(state));
}

TEST_CASE("sweep.hpp: paths that can reach the floor") {
  TwoTranslations two;
  auto& [example, tiles, budget, scorer] = two;
  SearchOptions in_order;
  in_order.space.distortion_limit = 0;
  in_order.known.floor = -2.5 - 1e-4;
  const TileModel model(tiles, scorer, example.weights, in_order.space, /*own_contexts=*/false, budget);
  const TilesUnfolding unfolding(model);
  TilesEstimator<TilesUnfolding> estimator(unfolding, model, budget);
  FreeSteps<TilesUnfolding> steps(unfolding, estimator, budget);
  const SearchResult result =
      SweepRun<TilesUnfolding, FreeSteps<TilesUnfolding>>(unfolding, scorer, steps, in_order, budget).run();
  REQUIRE(result.nbest.paths.size() == 1);
  CHECK(result.nbest.paths[0].score == doctest::Approx(-2.5).epsilon(1e-4));
  CHECK(result.statistics.states == 5);  // the start, a, a b, a c, and the goal
  CHECK(result.statistics.edges == 4);   // d follows only c
}

TEST_CASE("row_loops.hpp: the best difference") {
  constexpr double kNothing = -std::numeric_limits<double>::infinity();
  const std::array<double, 4> scores = {-1, -3, -2, kNothing}, multipliers = {0, -3, 1, 0};
  CHECK(row_loops::best_difference(scores.data(), multipliers.data(), scores.size()) == 0);
}

}  // namespace widl::worked_examples_test
