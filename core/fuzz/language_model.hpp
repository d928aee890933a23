#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "fuzz.hpp"
#include "lm/language_model.hpp"

namespace widl::fuzz {

inline void check_numbers(const std::vector<double>& scores) {
  for (double score : scores)
    if (std::isnan(score)) std::abort();
}

/// Opens a language model and asks it for known words, for unknown ones, and for each in many contexts.
inline int try_language_model(std::string_view bytes) {
  return try_reading([&] {
    const auto model = LanguageModel::load(file_of(bytes));
    const std::vector<std::string> words = {"a", "b", "c", "unknown", "b", "a", "a", "c", "b", "c", "<unk>", "</s>", "<s>"};
    check_numbers(model->bound_words(words));
    check_numbers(model->score_sentence(words, true, true));
    for (const auto& scored : model->full_score_sentence(words, false, true))
      if (scored.ngram_length > model->order()) std::abort();
  });
}

}  // namespace widl::fuzz
