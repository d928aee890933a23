#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "expression/vocabulary.hpp"
#include "lm/language_model.hpp"
#include "search/ngram_scorer.hpp"
#include "testing/language_models.hpp"
#include "testing/random.hpp"

namespace widl {
namespace {

const std::vector<std::string> kInner = {"a", "b", "c"};

std::string log_prob(Random& random) { return "-" + std::to_string(0.1 + 0.01 * below(random, 200)); }

/// The n-grams of an ARPA file by order: all sequences of a's, and half of the n-grams whose first words and last words
/// exist.
std::vector<std::vector<std::string>> random_ngrams(Random& random, unsigned order) {
  std::vector<std::vector<std::string>> ngrams = {{"<s>", "a", "b", "c", "</s>", "<unk>"}};
  while (ngrams.size() < order) {
    std::vector<std::string> longer;
    for (const std::string& ngram : ngrams.back()) {
      if (ngram.ends_with("</s>") || ngram.ends_with("<unk>")) continue;
      for (const std::string& word : kInner) {
        const std::string one = ngram + " " + word;
        const bool known = std::ranges::count(ngrams.back(), one.substr(one.find(' ') + 1)) > 0;
        const bool of_as = one.find_first_not_of("a ") == std::string::npos;
        if (known && (of_as || below(random, 2))) longer.push_back(one);
      }
    }
    ngrams.push_back(longer);
  }
  return ngrams;
}

/// `raised`: some back-off weights are above 1.
std::unique_ptr<LanguageModel> random_ngram_model(Random& random, unsigned order, bool raised = false) {
  std::vector<std::vector<std::string>> orders;
  for (const auto& ngrams : random_ngrams(random, order)) {
    auto& lines = orders.emplace_back();
    for (const std::string& ngram : ngrams) {
      const bool ends = orders.size() == order || ngram.ends_with("</s>") || ngram == "<unk>";
      const std::string probability = log_prob(random);
      lines.push_back(probability + "\t" + ngram +
                      (ends ? "" : "\t" + (raised && below(random, 2) ? "0.03" : log_prob(random))));
    }
  }
  return model_of(orders);
}

/// Random language models, and a scorer with random phrases.
struct Phrases {
  Phrases(unsigned seed, const std::vector<unsigned>& orders, std::size_t phrases, bool raised = false)
      : random(seed),
        vocabulary(inner_words()),
        models(vocabulary, made_models(orders, raised)),
        words(vocabulary),
        scorer(models, words, weights, budget),
        made(phrases) {
    for (std::vector<WordId>& phrase : made) {
      phrase.resize(below(random, 6));
      for (WordId& word : phrase) word = below(random, 3);
      ids.push_back(scorer.phrase(phrase));
    }
    scorer.settle();
  }

  static Vocabulary inner_words() {
    Vocabulary vocabulary;
    for (const std::string& word : kInner) vocabulary.intern(word);
    return vocabulary;
  }
  std::vector<const LanguageModel*> made_models(const std::vector<unsigned>& orders, bool raised) {
    std::vector<const LanguageModel*> all;
    for (unsigned order : orders) {
      owned.push_back(random_ngram_model(random, order, raised));
      all.push_back(owned.back().get());
      weights.push_back(0.25 * (1 + below(random, 4)));
    }
    return all;
  }

  Random random;
  Vocabulary vocabulary;
  std::vector<std::unique_ptr<LanguageModel>> owned;
  std::vector<double> weights;
  ScoringModels models;
  SentenceWords words;
  Budget budget;
  NGramScorer scorer;
  std::vector<std::vector<WordId>> made;
  std::vector<PhraseId> ids;
};

/// Consecutive phrases, many with equal prefixes, compared with their words scored from left to right.
void compare_with_words(unsigned seed, const std::vector<unsigned>& orders, std::size_t phrases) {
  Phrases all_phrases(seed, orders, phrases);
  auto& [random, vocabulary, owned, weights, models, words, budget, scorer, made, ids] = all_phrases;
  for (int sentence = 0; sentence < 200; ++sentence) {
    std::vector<WordId> all;
    ContextId context = scorer.start();
    double score = 0;
    for (std::uint32_t length = below(random, 5); length-- > 0;) {
      const std::uint32_t p = below(random, static_cast<std::uint32_t>(phrases));
      scorer.prefetch(context, ids[p]);
      const NGramScorer::Step step = scorer.extend(context, ids[p]);
      const NGramScorer::Step again = scorer.extend(context, ids[p]);
      CHECK(again.score == step.score);
      CHECK(again.next == step.next);
      CHECK(scorer.end_after(context, ids[p]) == step.next);
      CHECK(scorer.end_after(context, ids[p]) == step.next);
      const double whole = scorer.prefix_score(context, ids[p]) + scorer.inner_score(ids[p]);
      CHECK(whole == doctest::Approx(step.score).epsilon(1e-9));
      CHECK(NGramScorer::Prefixes::at(scorer.prefix_row(context), scorer.prefix(ids[p])) + scorer.inner_score(ids[p]) ==
            whole);
      score += step.score;
      context = step.next;
      all.insert(all.end(), made[p].begin(), made[p].end());
    }
    const std::vector<double> logs = scorer.features(all);
    double expected = 0;
    for (std::size_t m = 0; m < logs.size(); ++m) expected += weights[m] * logs[m];
    CHECK(score + scorer.finish(context) == doctest::Approx(expected).epsilon(1e-9));
  }
}

/// Checks that bounds of many prefixes at once are bit-identical to bounds computed one by one.
void compare_prefix_bounds(unsigned seed, const std::vector<unsigned>& orders, bool raised) {
  constexpr std::size_t kStride = 3;
  Phrases some(seed, orders, 60, raised);
  std::ranges::sort(some.ids, [&](PhraseId a, PhraseId b) {
    return std::ranges::lexicographical_compare(some.scorer.words(a), some.scorer.words(b));
  });
  for (int context = 0; context < 60; ++context) {
    std::vector<PhraseId> before;
    for (std::uint32_t length = below(some.random, 3); length-- > 0;)
      before.push_back(some.ids[below(some.random, 60)]);
    const NGramScorer::Known known = some.scorer.known(before, below(some.random, 2) == 0);
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t i = 0; i < some.ids.size(); ++i)
      if (below(some.random, 3)) chosen.push_back(i);
    std::vector<double> bounds(some.ids.size() * kStride, 1);
    some.scorer.prefix_bounds_after(known, some.ids, chosen, bounds.data() + 1, kStride);
    for (std::uint32_t i = 0; i < some.ids.size(); ++i) {
      const bool asked = std::ranges::count(chosen, i) > 0;
      CHECK(bounds[i * kStride + 1] == (asked ? some.scorer.prefix_bound_after(known, some.ids[i]) : 1));
      CHECK(bounds[i * kStride] == 1);
    }
  }
}

}  // namespace

TEST_CASE("phrases in their contexts score as their words do") {
  const std::vector<std::vector<unsigned>> orders = {{}, {2}, {3}, {4}, {2, 3}, {4, 2}, {2, 3, 4}};
  for (unsigned seed = 0; seed < 5; ++seed)
    for (const auto& some : orders) {
      compare_with_words(seed, some, 300);  // too many for rows
      compare_with_words(seed, some, 20);
    }
}

TEST_CASE("bounds of many prefixes are those of each") {
  const std::vector<std::vector<unsigned>> orders = {{}, {2}, {3}, {4}, {2, 3}, {4, 2}};
  for (unsigned seed = 0; seed < 5; ++seed)
    for (const auto& some : orders)
      for (const bool raised : {false, true}) compare_prefix_bounds(seed, some, raised);
}

}  // namespace widl
