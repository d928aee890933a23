#include "search/context_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "lm/language_model.hpp"
#include "search/budget.hpp"
#include "testing/random.hpp"

namespace widl {
namespace {

/// A state of up to two words of a few, with equal back-off weights for equal words, as in a model.
LanguageModel::State random_state(Random& random) {
  LanguageModel::State state{};
  state.length = static_cast<unsigned char>(below(random, 3));
  for (unsigned i = 0; i < state.length; ++i) {
    state.words[i] = 1 + below(random, 3);
    state.backoff[i] = -0.5f * static_cast<float>(state.words[i]);
  }
  return state;
}

}  // namespace

TEST_CASE("contexts: a table of contexts is a map from the words of all states to numbers") {
  Random random(7);
  Budget budget;
  constexpr std::size_t kModels = 2;
  ContextTable table(kModels, budget);
  std::map<std::vector<std::vector<std::uint32_t>>, ContextId> twin;
  for (int i = 0; i < 20000; ++i) {
    std::vector<LanguageModel::State> states;
    std::vector<std::vector<std::uint32_t>> words;
    for (std::size_t m = 0; m < kModels; ++m) {
      states.push_back(random_state(random));
      words.emplace_back(states.back().words, states.back().words + states.back().length);
    }
    const std::uint64_t hash = ContextTable::hash(states);
    const ContextId existing = table.find(states, hash);
    const auto known = twin.find(words);
    REQUIRE((existing == ContextTable::kNone) == (known == twin.end()));
    const ContextId context = existing == ContextTable::kNone ? table.add(states, hash) : existing;
    REQUIRE(twin.try_emplace(words, context).first->second == context);
    REQUIRE(std::ranges::equal(table.states(context), states));
  }
  CHECK(table.size() == twin.size());
  CHECK(twin.size() == 13 * 13);  // of at most two of three words
}

TEST_CASE("contexts: states of different models do not run into one another") {
  Budget budget;
  ContextTable table(2, budget);
  LanguageModel::State none{}, one{};
  one.length = 1;
  one.words[0] = 5;
  const std::vector<LanguageModel::State> first = {one, none}, second = {none, one};
  const ContextId context = table.add(first, ContextTable::hash(first));
  CHECK(table.find(second, ContextTable::hash(second)) == ContextTable::kNone);
  CHECK(table.find(first, ContextTable::hash(first)) == context);
}

}  // namespace widl
