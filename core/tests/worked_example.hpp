#pragma once

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "expression/vocabulary.hpp"
#include "lm/language_model.hpp"
#include "search/scorer.hpp"
#include "search/weights.hpp"

namespace widl {

/// A bigram model of an example in a header: natural log-probabilities of pairs of words. All other pairs score
/// ln 10 · -9, and the end of the sentence 0 after every word.
inline std::unique_ptr<LanguageModel> bigram_model(const std::vector<std::string>& words,
                                                   const std::vector<std::pair<std::string, double>>& pairs) {
  const auto path = std::filesystem::temp_directory_path() / ("widl-example-" + std::to_string(getpid()) + ".arpa");
  {
    std::ofstream file(path);
    file << "\\data\\\nngram 1=" << words.size() + 3 << "\nngram 2=" << pairs.size() + words.size()
         << "\n\n\\1-grams:\n-9\t<unk>\n0\t<s>\t0\n-9\t</s>\n";
    for (const std::string& word : words) file << "-9\t" << word << "\t0\n";
    file << "\n\\2-grams:\n";
    for (const auto& [both, ln] : pairs) file << std::to_string(ln / std::log(10.0)) << "\t" << both << "\n";
    for (const std::string& word : words) file << "0\t" << word << " </s>\n";
    file << "\n\\end\\\n";
  }
  auto model = LanguageModel::load(path.string());
  std::filesystem::remove(path);
  return model;
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
  Weights weights{.widl = {1.0}, .language_models = {1.0}};
};

}  // namespace widl
