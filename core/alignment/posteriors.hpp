#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "alignment/hidden_markov.hpp"
#include "alignment/lexicon.hpp"
#include "bitext_side.hpp"

namespace widl {

/// The words of one side of a text, with their numbers in a lexicon.
class TextWords {
 public:
  static constexpr WordId kUnknown = ~WordId{0};
  using Split = std::function<std::vector<std::string>(std::string_view)>;

  /// `split` gives the pieces of a word that the lexicon does not have.
  TextWords(const BitextSide& text, const LexiconSide& lexicon, const Split& split);

  const BitextSide& text() const { return *text_; }
  /// The lexicon number of a word of the text, or kUnknown.
  WordId known(WordId word) const { return known_[word]; }
  double frequency(WordId word) const { return known_[word] == kUnknown ? 0 : lexicon_->frequency(known_[word]); }
  Lexicon::Pieces pieces(WordId word) const {
    return known_[word] == kUnknown ? Lexicon::Pieces(new_words_.at(word)) : lexicon_->pieces_of(known_[word]);
  }
  std::string_view spelling(WordId word) const { return text_->vocabulary.word(word); }

 private:
  const BitextSide* text_;
  const LexiconSide* lexicon_;
  std::vector<WordId> known_;
  std::unordered_map<WordId, std::vector<LexiconSide::PieceId>> new_words_;
};

/// One side of a sentence pair.
struct SentenceSide {
  const TextWords* words;
  std::span<const WordId> text;  ///< numbers in the text's vocabulary

  static SentenceSide of(const TextWords& words, std::size_t sentence) {
    const auto& begins = words.text().begins;
    return {&words, std::span(words.text().words).subspan(begins[sentence], begins[sentence + 1] - begins[sentence])};
  }
  WordId known(std::size_t position) const { return words->known(text[position]); }
  std::size_t size() const { return text.size(); }
};

/// The alignment model.
enum class AlignmentModelKind {
  Model1,        ///< every position equally probable (Brown et al. 1993)
  HiddenMarkov,  ///< depends on the previous word's position (Vogel et al. 1996)
};

/// Link probabilities of one sentence pair in both directions; keeps its memory between calls.
class SentencePosteriors {
 public:
  /// `null` is the probability that a word has no partner.
  explicit SentencePosteriors(float null) : null_(null), markov_(null) {}

  /// Jumps in source positions (of target words' partners) and in target positions; with counts to add to.
  struct Jumps {
    const JumpDistribution& source;
    const JumpDistribution& target;
    JumpDistribution::Counts* source_counts = nullptr;
    JumpDistribution::Counts* target_counts = nullptr;
  };

  /// `smooth_absent`: pairs that the table lacks get the probabilities of their pieces if a word is rare.
  void compute(const Lexicon& lexicon, const SentenceSide& source, const SentenceSide& target, AlignmentModelKind kind,
               const Jumps& jumps, bool smooth_absent);

  std::size_t sources() const { return sources_; }
  std::size_t targets() const { return targets_; }
  /// Probability that target word j comes from source word i.
  float forward(std::size_t i, std::size_t j) const { return forward_[j * sources_ + i]; }
  /// Probability that source word i comes from target word j.
  float reverse(std::size_t i, std::size_t j) const { return reverse_[i * targets_ + j]; }
  /// Mean of both.
  float linked(std::size_t i, std::size_t j) const { return (forward(i, j) + reverse(i, j)) / 2; }
  /// The table's slot of the pair, or LexicalTable::kAbsent.
  LexicalTable::Slot slot(std::size_t i, std::size_t j) const { return slots_[i * targets_ + j]; }

 private:
  void find_slots(const Lexicon& lexicon, const SentenceSide& source, const SentenceSide& target);
  void read_emissions(const Lexicon& lexicon);
  void smooth_rare_words(const Lexicon& lexicon, const SentenceSide& source, const SentenceSide& target);

  float null_;
  HiddenMarkov markov_;
  std::size_t sources_ = 0, targets_ = 0;
  std::vector<LexicalTable::Slot> slots_;   // sources × targets
  std::vector<float> target_given_source_;  // targets × sources
  std::vector<float> source_given_target_;  // sources × targets
  std::vector<float> unaligned_source_, unaligned_target_;
  std::vector<float> forward_, reverse_;  // like these: P(partner of j is i), P(partner of i is j)
};

}  // namespace widl
