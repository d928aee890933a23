#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "expression/vocabulary.hpp"

namespace widl {

/// The words of one sentence or expression. Their numbers come from a shared vocabulary; words missing from it get
/// local numbers from vocabulary.size() on.
class SentenceWords {
 public:
  explicit SentenceWords(const Vocabulary& vocabulary) : vocabulary_(&vocabulary), shared_(vocabulary.size()) {}
  SentenceWords(const SentenceWords&) = delete;  // own_ids_ points into own_words_
  SentenceWords& operator=(const SentenceWords&) = delete;
  SentenceWords(SentenceWords&&) = default;
  SentenceWords& operator=(SentenceWords&&) = default;

  /// The number of a word; new words get one.
  WordId id(std::string_view text) {
    // Words that the vocabulary learned after construction are treated as local: their shared numbers would clash with
    // local ones.
    if (auto id = vocabulary_->find(text); id && *id < shared_) return *id;
    if (auto found = own_ids_.find(text); found != own_ids_.end()) return found->second;
    own_words_.emplace_back(text);
    auto id = static_cast<WordId>(shared_ + own_words_.size() - 1);
    own_ids_.emplace(own_words_.back(), id);
    return id;
  }

  bool is_shared(WordId word) const { return word < shared_; }
  std::string_view text(WordId word) const {
    return is_shared(word) ? vocabulary_->word(word) : std::string_view(own_words_[word - shared_]);
  }
  const Vocabulary& vocabulary() const { return *vocabulary_; }

 private:
  const Vocabulary* vocabulary_;
  std::size_t shared_;                 // words of the vocabulary when this was made
  std::deque<std::string> own_words_;  // a deque's strings never move, even when the deque is moved
  std::unordered_map<std::string_view, WordId> own_ids_;
};

}  // namespace widl
