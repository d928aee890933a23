#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "expression/sentence_words.hpp"

namespace widl {

/// Phrases that each serve a set of items (keywords), no item to be served twice: what a headline is made of.
///
/// Short for the expression  ∨ over every family of phrases with disjoint sets of  ∥ of the family's phrases,  each
/// locked, which grows exponentially; the ∨ of Soricut & Marcu 2006, §4, where each phrase serves one keyword, is
/// the case of sets of one item. A derivation is a non-empty family in some order; it has the product of its phrases'
/// J scores.
class Packing {
 public:
  static constexpr std::uint32_t kMostItems = 64;

  struct Alternative {
    std::uint64_t items;        ///< a bit each; never none
    std::uint32_t first_word;   ///< into words
    std::uint32_t word_count;   ///< at least 1
    std::uint32_t first_score;  ///< into scores; J of them
  };

  Packing(const Vocabulary& vocabulary, std::uint32_t components)
      : sentence_words_(vocabulary), components_(components) {}

  /// @throws InputError for a phrase without words or items, or with another number of scores or not finite ones.
  void add(std::uint64_t items, std::span<const std::string_view> words, std::span<const float> log_scores);

  std::uint32_t components() const { return components_; }
  const std::vector<Alternative>& alternatives() const { return alternatives_; }
  std::span<const WordId> words(const Alternative& a) const { return {words_.data() + a.first_word, a.word_count}; }
  std::span<const float> log_scores(const Alternative& a) const {
    return {scores_.data() + a.first_score, components_};
  }
  std::string_view text(WordId word) const { return sentence_words_.text(word); }
  const SentenceWords& sentence_words() const { return sentence_words_; }

 private:
  SentenceWords sentence_words_;
  std::uint32_t components_;
  std::vector<Alternative> alternatives_;
  std::vector<WordId> words_;
  std::vector<float> scores_;
};

}  // namespace widl
