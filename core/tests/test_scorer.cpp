#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "expression/sentence_words.hpp"
#include "expression/vocabulary.hpp"
#include "lm/language_model.hpp"
#include "search/scorer.hpp"
#include "tests/random.hpp"

namespace widl {
namespace {

const std::vector<std::string> kInner = {"a", "b", "c"};

std::string log_prob(Random& random) { return "-" + std::to_string(0.1 + 0.01 * below(random, 200)); }

/// An ARPA file's n-grams of each order: a's, and half of those whose first words and last words are there.
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

std::unique_ptr<LanguageModel> random_ngram_model(Random& random, unsigned order) {
  const auto ngrams = random_ngrams(random, order);
  const auto path = std::filesystem::temp_directory_path() / ("widl-scorer-" + std::to_string(getpid()) + ".arpa");
  {
    std::ofstream file(path);
    file << "\\data\\\n";
    for (std::size_t n = 0; n < order; ++n) file << "ngram " << n + 1 << "=" << ngrams[n].size() << "\n";
    for (std::size_t n = 0; n < order; ++n) {
      file << "\n\\" << n + 1 << "-grams:\n";
      for (const std::string& ngram : ngrams[n]) {
        const bool ends = n + 1 == order || ngram.ends_with("</s>") || ngram == "<unk>";
        file << log_prob(random) << "\t" << ngram << (ends ? "" : "\t" + log_prob(random)) << "\n";
      }
    }
    file << "\n\\end\\\n";
  }
  auto model = LanguageModel::load(path.string());
  std::filesystem::remove(path);
  return model;
}

/// Phrases one after the other, many with equal heads, against their words scored from the left.
void compare_with_words(unsigned seed, const std::vector<unsigned>& orders, std::size_t phrases) {
  Random random(seed);
  Vocabulary vocabulary;
  for (const std::string& word : kInner) vocabulary.intern(word);
  std::vector<std::unique_ptr<LanguageModel>> owned;
  std::vector<const LanguageModel*> models;
  std::vector<double> weights;
  for (unsigned order : orders) {
    owned.push_back(random_ngram_model(random, order));
    models.push_back(owned.back().get());
    weights.push_back(0.25 * (1 + below(random, 4)));
  }
  const ScoringModels scoring(vocabulary, models);
  const SentenceWords words(vocabulary);
  Scorer scorer(scoring, words, weights);
  std::vector<std::vector<WordId>> made(phrases);
  std::vector<PhraseId> ids;
  for (std::vector<WordId>& phrase : made) {
    phrase.resize(below(random, 6));
    for (WordId& word : phrase) word = below(random, 3);
    ids.push_back(scorer.phrase(phrase));
  }
  scorer.settle();
  for (int sentence = 0; sentence < 200; ++sentence) {
    std::vector<WordId> all;
    ContextId context = scorer.start();
    double score = 0;
    for (std::uint32_t length = below(random, 5); length-- > 0;) {
      const std::uint32_t p = below(random, static_cast<std::uint32_t>(phrases));
      scorer.expect(context, ids[p]);
      const Scorer::Step step = scorer.extend(context, ids[p]);
      const Scorer::Step again = scorer.extend(context, ids[p]);
      CHECK(again.score == step.score);
      CHECK(again.next == step.next);
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

}  // namespace

TEST_CASE("phrases in their contexts score as their words do") {
  const std::vector<std::vector<unsigned>> orders = {{}, {2}, {3}, {4}, {2, 3}, {4, 2}, {2, 3, 4}};
  for (unsigned seed = 0; seed < 5; ++seed)
    for (const auto& some : orders) {
      compare_with_words(seed, some, 300);  // too many for rows
      compare_with_words(seed, some, 20);
    }
}

}  // namespace widl
