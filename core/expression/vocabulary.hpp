#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace widl {

/// A word's number in a Vocabulary, from 0 in the order of first appearance.
using WordId = std::uint32_t;

/// Words and their numbers, both ways. Reading is safe from several threads; interning is not.
class Vocabulary {
 public:
  Vocabulary() = default;
  Vocabulary(const Vocabulary&) = delete;  // ids_ points into words_
  Vocabulary& operator=(const Vocabulary&) = delete;
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  /// The word's number, given to it now if it has none.
  WordId intern(std::string_view word) {
    if (auto found = ids_.find(word); found != ids_.end()) return found->second;
    words_.emplace_back(word);
    auto id = static_cast<WordId>(words_.size() - 1);
    ids_.emplace(words_.back(), id);
    return id;
  }

  std::optional<WordId> find(std::string_view word) const {
    auto found = ids_.find(word);
    if (found == ids_.end()) return std::nullopt;
    return found->second;
  }

  std::string_view word(WordId id) const { return words_[id]; }
  std::size_t size() const { return words_.size(); }

 private:
  std::deque<std::string> words_;  // a deque never moves its strings
  std::unordered_map<std::string_view, WordId> ids_;
};

}  // namespace widl
