#include "expression/packing.hpp"

#include <cmath>
#include <string>

#include "errors.hpp"

namespace widl {

void Packing::add(std::uint64_t items, std::span<const std::string_view> words, std::span<const float> log_scores) {
  if (items == 0) throw InputError("a phrase of a packing serves no item");
  if (words.empty()) throw InputError("a phrase of a packing has no words");
  if (log_scores.size() != components_)
    throw InputError("a phrase of a packing has " + std::to_string(log_scores.size()) + " scores, but should have " +
                     std::to_string(components_));
  for (float score : log_scores)
    if (!std::isfinite(score)) throw InputError("a score of a packing's phrase is not a number");
  alternatives_.push_back({items, static_cast<std::uint32_t>(words_.size()), static_cast<std::uint32_t>(words.size()),
                           static_cast<std::uint32_t>(scores_.size())});
  for (std::string_view word : words) words_.push_back(sentence_words_.id(word));
  scores_.insert(scores_.end(), log_scores.begin(), log_scores.end());
}

}  // namespace widl
