#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "expression/tiles.hpp"
#include "expression/vocabulary.hpp"
#include "lm/language_model.hpp"
#include "log_zero.hpp"
#include "search/budget.hpp"
#include "search/tile_bounds/tile_bound.hpp"
#include "search/tile_bounds/tile_space.hpp"
#include "testing/language_models.hpp"
#include "testing/random.hpp"
#include "testing/worked_example.hpp"

namespace widl {
namespace {

constexpr const char* kWords[] = {"a", "b", "c", "d"};
constexpr double kRounding = 1e-9;

/// A trigram model with random probabilities and some n-grams of two and three words.
std::unique_ptr<LanguageModel> random_model(Random& random) {
  std::vector<std::string> pairs, triples;
  const auto number = [&](double low) { return std::to_string(uniform(random, low, -0.05)); };
  const auto add_pair = [&](const std::string& first, const std::string& second) {
    pairs.push_back(number(-3) + "\t" + first + " " + second + (second == "</s>" ? "" : "\t" + number(-1)));
  };
  for (const std::string first : {"<s>", "a", "b", "c", "d"})
    for (const std::string second : {"a", "b", "c", "d", "</s>"}) {
      add_pair(first, second);
      if (second == "</s>") continue;
      for (const std::string third : {"a", "b", "c", "d", "</s>"})
        if (below(random, 3) == 0) triples.push_back(number(-3) + "\t" + first + " " + second + " " + third);
    }
  std::vector<std::string> words = {"-2\t<unk>", "0\t<s>\t" + number(-1), "-1\t</s>"};
  for (const std::string word : kWords) words.push_back(number(-2) + "\t" + word + "\t" + number(-1));
  return model_of({words, pairs, triples});
}

/// Tiles of one and two positions, with one or two alternatives of one to three words.
Tiles random_tiles(Random& random, const Vocabulary& vocabulary, std::uint32_t length) {
  Tiles tiles(vocabulary, length, 1, -1.0);
  for (std::uint32_t begin = 0; begin < length; ++begin)
    for (std::uint32_t end = begin + 1; end <= std::min(length, begin + 2); ++end) {
      if (end > begin + 1 && below(random, 2)) continue;
      for (std::uint32_t alternatives = 1 + below(random, 2); alternatives-- > 0;) {
        std::vector<WordId> words(1 + below(random, 3));
        for (WordId& word : words) word = tiles.word_id(kWords[below(random, 4)]);
        const auto score = static_cast<float>(uniform(random, -2, 0));
        tiles.add(begin, end, words, {&score, 1});
      }
    }
  return tiles;
}

/// A sentence with all parts of a bound.
struct Sentence {
  explicit Sentence(unsigned seed)
      : random(seed),
        language_model(random_model(random)),
        models(vocabulary_of_words(), {language_model.get()}),
        tiles(random_tiles(random, vocabulary, 2 + below(random, 4))),
        weights{{1.0}, {uniform(random, 0.2, 1.5)}, uniform(random, -0.5, 0.5), 0.1, uniform(random, -0.2, 1), 0},
        scorer(models, tiles.sentence_words(), weights.language_models, budget),
        model(tiles, scorer, weights, space(), /*own_contexts=*/false, budget),
        unfolding(model) {
    list(unfolding.initial(), scorer.start(), {}, 0);
  }

  Vocabulary& vocabulary_of_words() {
    for (const char* word : kWords) vocabulary.intern(word);
    return vocabulary;
  }
  SpaceOptions space() {
    SpaceOptions options;
    if (below(random, 2)) options.distortion_limit = below(random, 4);
    return options;
  }
  /// Every derivation: its alternatives and its score.
  void list(const Coverage& state, ContextId context, std::vector<std::uint32_t> labels, double score) {
    if (unfolding.is_final(state)) derivations.emplace_back(labels, score + scorer.finish(context));
    labels.push_back(0);
    unfolding.for_each_step(state, [&](std::span<const TileOption> options, const Coverage& to, double movement) {
      for (const TileOption& option : options) {
        const NGramScorer::Step step = scorer.extend(context, option.phrase);
        labels.back() = option.label;
        list(to, step.next, labels, score + movement + option.score + step.score);
      }
    });
  }
  double best() const {
    double best = kLogZero;
    for (const auto& [labels, score] : derivations) best = std::max(best, score);
    return best;
  }
  std::shared_ptr<LeftContexts> contexts() { return std::make_shared<LeftContexts>(model, nullptr, scorer, budget); }

  Random random;
  Budget budget;
  Vocabulary vocabulary;
  std::unique_ptr<LanguageModel> language_model;
  ScoringModels models;
  Tiles tiles;
  WeightVector weights;
  NGramScorer scorer;
  TileModel model;
  TilesUnfolding unfolding;
  std::vector<std::pair<std::vector<std::uint32_t>, double>> derivations;
};

/// Slow reference: the maximum of Σ steps after a state, by definition, at the multipliers of `contexts`.
double value_at_multipliers(Sentence& sentence, const LeftContexts& contexts, const Coverage& state) {
  const LeftContextsAt& end = contexts.end(state.last_end);
  double best = kLogZero;
  const auto known = [&](LeftContexts::LeftContext left_context) {
    return sentence.scorer.known(end.left_contexts[left_context], end.from_start[left_context]);
  };
  if (sentence.unfolding.is_final(state))
    for (LeftContexts::LeftContext t = 0; t < end.left_contexts.size(); ++t)
      best = std::max(best, sentence.scorer.finish_bound_after(known(t)) - end.multipliers[t]);
  sentence.unfolding.for_each_step(
      state, [&](std::span<const TileOption> options, const Coverage& to, double movement) {
        const double rest = value_at_multipliers(sentence, contexts, to);
        for (const TileOption& option : options)
          for (LeftContexts::LeftContext t = 0; t < end.left_contexts.size(); ++t) {
            const double earned =
                contexts.end(to.last_end).multipliers[contexts.left_context_after(option.label, state.last_end, t)];
            const double words = sentence.scorer.bound_after(known(t), option.phrase);
            best = std::max(best, movement + option.score + words - end.multipliers[t] + earned + rest);
          }
      });
  return best;
}

/// Checks that the bound keeps a derivation and, from each of its states on, allows its remaining gain.
void check_along(Sentence& sentence, const TileBound& bound, const std::vector<std::uint32_t>& labels, double score) {
  Coverage state = sentence.unfolding.initial();
  ContextId context = sentence.scorer.start();
  LeftContexts::LeftContext left_context = 0;
  double so_far = 0;
  for (std::size_t step = 0; step <= labels.size(); ++step) {
    const auto number = bound.find(state);
    REQUIRE(number != TileBound::kNoState);
    const double multiplier = bound.contexts().end(state.last_end).multipliers[left_context];
    CHECK(so_far + multiplier + bound.completion(number) >= score - kRounding);
    if (step == labels.size()) break;
    const TileOption& option = sentence.model.option(labels[step]);
    const Coverage to = state.with(option.begin, option.end);
    const bool kept = std::ranges::any_of(bound.arcs(number), [&](const auto& arc) {
      return bound.state(arc.to) == to &&
             std::ranges::any_of(bound.options(arc), [&](const LiveOption& one) { return one.option == option.label; });
    });
    CHECK(kept);
    const NGramScorer::Step next = sentence.scorer.extend(context, option.phrase);
    so_far += option.score + next.score + sentence.unfolding.movement(state, option.begin);
    left_context = bound.contexts().left_context_after(option.label, state.last_end, left_context);
    context = next.next;
    state = to;
  }
}

}  // namespace

TEST_CASE("the bound of transitions is what its definition says at its multipliers") {
  for (unsigned seed = 0; seed < 150; ++seed) {
    Sentence sentence(seed);
    if (sentence.derivations.empty()) continue;
    INFO("seed " << seed);
    constexpr double kNothingIsLeftOut = -1e6;
    TileBound bound(TileSpace(sentence.model), sentence.contexts(), kNothingIsLeftOut, 1000, sentence.budget);
    bound.tighten(seed % 8, -std::numeric_limits<double>::infinity());
    const double twin = value_at_multipliers(sentence, std::as_const(bound).contexts(), sentence.unfolding.initial());
    CHECK(bound.completion(bound.find(sentence.unfolding.initial())) == doctest::Approx(twin).epsilon(1e-9));
    CHECK(twin >= sentence.best() - kRounding);
  }
}

TEST_CASE("no derivation above the floor is bounded below its score, whatever is left out") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Sentence sentence(seed);
    if (sentence.derivations.empty()) continue;
    INFO("seed " << seed);
    const double floor = sentence.best() - uniform(sentence.random, 0, 3);
    TileBound bound(TileSpace(sentence.model), sentence.contexts(), floor, 1000, sentence.budget);
    bound.tighten(below(sentence.random, 40), floor);
    CHECK(bound.bound() >= sentence.best() - kRounding);
    for (const auto& [labels, score] : sentence.derivations)
      if (score >= floor) check_along(sentence, bound, labels, score);
  }
}

TEST_CASE("nor where coverages are listed in stages") {
  for (unsigned seed = 0; seed < 600; ++seed) {
    Sentence sentence(seed);
    if (sentence.derivations.empty()) continue;
    INFO("seed " << seed);
    Random& random = sentence.random;
    const double floor = sentence.best() - uniform(random, 0, 3);
    std::uint64_t tracked = 0;
    auto stage =
        std::make_unique<TileBound>(TileSpace(sentence.model, 0), sentence.contexts(), floor, 1000, sentence.budget);
    for (std::uint32_t more = below(random, 4); more-- > 0;) {
      stage->tighten(below(random, 30), floor);
      CHECK(stage->bound() >= sentence.best() - kRounding);
      tracked |= TileSpace::bits(0, sentence.model.length()) & random();
      stage = std::make_unique<TileBound>(TileSpace(sentence.model, tracked), *stage, 1000, sentence.budget);
    }
    stage->tighten(below(random, 30), floor);
    CHECK(stage->bound() >= sentence.best() - kRounding);
    TileBound bound(TileSpace(sentence.model), *stage, 1000, sentence.budget);
    bound.tighten(below(random, 30), floor);
    CHECK(bound.bound() >= sentence.best() - kRounding);
    for (const auto& [labels, score] : sentence.derivations)
      if (score >= floor) check_along(sentence, bound, labels, score);
  }
}

/// The example of README.md: three words in order; the second word has two alternatives.
TEST_CASE("the worked example") {
  const WorkedExample example({"a", "b", "c", "d"},
                              {{"<s> a", 0}, {"a b", -1}, {"a c", -2}, {"b d", -3}, {"c d", -0.5}});
  Tiles tiles(example.vocabulary, 3, 1, -1.0);
  const float nothing = 0;
  for (const auto& [position, word] :
       {std::pair(0u, "a"), std::pair(1u, "b"), std::pair(1u, "c"), std::pair(2u, "d")}) {
    const WordId id = tiles.word_id(word);
    tiles.add(position, position + 1, {&id, 1}, {&nothing, 1});
  }
  Budget budget;
  SpaceOptions in_order;
  in_order.distortion_limit = 0;
  NGramScorer scorer(example.models, tiles.sentence_words(), example.weights.language_models, budget);
  const TileModel model(tiles, scorer, example.weights, in_order, /*own_contexts=*/false, budget);
  for (const auto& [rounds, expected] : {std::pair(0u, -1.5), std::pair(1u, -2.375)}) {
    const auto contexts = std::make_shared<LeftContexts>(model, nullptr, scorer, budget);
    TileBound bound(TileSpace(model), contexts, -1e6, 1000, budget);
    bound.tighten(rounds, -std::numeric_limits<double>::infinity());
    CHECK(bound.completion(bound.find({})) == doctest::Approx(expected).epsilon(1e-5));
  }
  TileBound bound(TileSpace(model), std::make_shared<LeftContexts>(model, nullptr, scorer, budget), -2.6, 1000, budget);
  bound.tighten(200, -2.5);
  CHECK(bound.bound() == doctest::Approx(-2.5).epsilon(1e-2));
}

}  // namespace widl
