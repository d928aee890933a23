#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "expression/vocabulary.hpp"
#include "lm/language_model.hpp"
#include "search/ngram_scorer.hpp"
#include "search/weight_vector.hpp"
#include "testing/language_models.hpp"

namespace widl {

/// A bigram model of an example in a header: natural log-probabilities of pairs of words. All other pairs score
/// ln 10 · -9, and the end of the sentence 0 after every word.
inline std::unique_ptr<LanguageModel> bigram_model(const std::vector<std::string>& words,
                                                   const std::vector<std::pair<std::string, double>>& pairs) {
  std::vector<std::string> unigrams = {"-9\t<unk>", "0\t<s>\t0", "-9\t</s>"}, bigrams;
  for (const std::string& word : words) unigrams.push_back("-9\t" + word + "\t0");
  for (const auto& [both, ln] : pairs) bigrams.push_back(std::to_string(ln / std::log(10.0)) + "\t" + both);
  for (const std::string& word : words) bigrams.push_back("0\t" + word + " </s>");
  return model_of({unigrams, bigrams});
}

/// A vocabulary and a bigram model of an example, with all weights 1.
struct WorkedExample {
  WorkedExample(const std::vector<std::string>& words, const std::vector<std::pair<std::string, double>>& pairs)
      : language_model(bigram_model(words, pairs)), models(intern_all(words), {language_model.get()}) {}

  Vocabulary& intern_all(const std::vector<std::string>& words) {
    for (const std::string& word : words) vocabulary.intern(word);
    return vocabulary;
  }

  Vocabulary vocabulary;
  std::unique_ptr<LanguageModel> language_model;
  ScoringModels models;
  WeightVector weights{.widl = {1.0}, .language_models = {1.0}};
};

}  // namespace widl
