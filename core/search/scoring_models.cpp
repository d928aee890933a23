#include "search/scoring_models.hpp"

#include <utility>

namespace widl {

ScoringModels::ScoringModels(const Vocabulary& vocabulary, std::vector<const LanguageModel*> models)
    : vocabulary_(&vocabulary), models_(std::move(models)) {
  refresh();
}

void ScoringModels::refresh() {
  for (auto word = static_cast<WordId>(words()), end = static_cast<WordId>(vocabulary_->size()); word < end; ++word)
    for (const LanguageModel* model : models_) indices_.push_back(model->index(vocabulary_->word(word)));
}

}  // namespace widl
