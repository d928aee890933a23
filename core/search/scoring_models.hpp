#pragma once

#include <cstddef>
#include <vector>

#include "expression/vocabulary.hpp"
#include "lm/language_model.hpp"
#include "search/budget.hpp"

namespace widl {

/// Language models that share a vocabulary with the expressions they score.
///
/// Looks every word of the vocabulary up once in every model. Several threads may read it while one refreshes it.
class ScoringModels {
 public:
  ScoringModels(const Vocabulary& vocabulary, std::vector<const LanguageModel*> models);
  /// Looks up the words that were interned since.
  void refresh();

  const Vocabulary& vocabulary() const { return *vocabulary_; }
  std::size_t size() const { return models_.size(); }
  const LanguageModel& model(std::size_t m) const { return *models_[m]; }
  /// Number of vocabulary words looked up.
  std::size_t words() const { return models_.empty() ? 0 : indices_.size() / models_.size(); }
  LanguageModel::Word index(std::size_t m, WordId word) const { return indices_[word * models_.size() + m]; }

 private:
  const Vocabulary* vocabulary_;
  std::vector<const LanguageModel*> models_;
  StableArray<LanguageModel::Word> indices_;  // [word][model]
};

}  // namespace widl
