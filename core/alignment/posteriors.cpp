#include "alignment/posteriors.hpp"

#include <algorithm>

namespace widl {
namespace {

// Every pair may be linked, and every word may have no partner.
constexpr float kMinTranslation = 1e-6f, kMinUnaligned = 1e-7f, kUnalignedNewWord = 1e-6f;
// Words that occur as often as this need no smoothing.
constexpr double kFrequent = 1000;
// Probabilities for two words that are not in the lexicon: names and numbers look alike in both languages.
constexpr float kSameSpelling = 0.5f, kOtherSpelling = 1e-4f;

void unaligned_probabilities(const LexiconSide& lexicon, const SentenceSide& side, std::vector<float>& probabilities) {
  probabilities.resize(side.size());
  for (std::size_t i = 0; i < side.size(); ++i)
    probabilities[i] = side.known(i) == TextWords::kUnknown ? kUnalignedNewWord
                                                            : std::max(lexicon.unaligned[side.known(i)], kMinUnaligned);
}

/// IBM Model 1: words × positions emissions into posteriors.
void model1_posteriors(std::span<const float> emissions, std::span<const float> unaligned, std::size_t positions,
                       float null, std::vector<float>& posteriors) {
  const float share = (1 - null) / static_cast<float>(positions);
  for (std::size_t j = 0; j < unaligned.size(); ++j) {
    float sum = null * unaligned[j];
    for (std::size_t i = 0; i < positions; ++i) sum += share * emissions[j * positions + i];
    for (std::size_t i = 0; i < positions; ++i)
      posteriors[j * positions + i] = share * emissions[j * positions + i] / sum;
  }
}

}  // namespace

TextWords::TextWords(const BitextSide& text, const LexiconSide& lexicon, const Split& split)
    : text_(&text), lexicon_(&lexicon), known_(text.vocabulary.size()) {
  for (WordId word = 0; word < known_.size(); ++word) {
    known_[word] = lexicon.vocabulary().find(text.vocabulary.word(word)).value_or(kUnknown);
    if (known_[word] == kUnknown) new_words_[word] = lexicon.known_pieces(split(text.vocabulary.word(word)));
  }
}

void SentencePosteriors::find_slots(const Lexicon& lexicon, const SentenceSide& source, const SentenceSide& target) {
  slots_.assign(sources_ * targets_, LexicalTable::kAbsent);
  for (std::size_t i = 0; i < sources_; ++i)
    if (const WordId word = source.known(i); word != TextWords::kUnknown)
      for (std::size_t j = 0; j < targets_; ++j) lexicon.table.prefetch(word, target.known(j));
  for (std::size_t i = 0; i < sources_; ++i) {
    const WordId word = source.known(i);
    if (word == TextWords::kUnknown) continue;
    for (std::size_t j = 0; j < targets_; ++j) {
      if (target.known(j) == TextWords::kUnknown) continue;
      const auto slot = lexicon.table.find(word, target.known(j));
      slots_[i * targets_ + j] = slot;
      if (slot != LexicalTable::kAbsent) __builtin_prefetch(&lexicon.table.probabilities(slot));
    }
  }
}

void SentencePosteriors::read_emissions(const Lexicon& lexicon) {
  target_given_source_.resize(sources_ * targets_);
  source_given_target_.resize(sources_ * targets_);
  for (std::size_t i = 0; i < sources_; ++i) {
    for (std::size_t j = 0; j < targets_; ++j) {
      LexicalTable::Probabilities probabilities;
      if (const auto slot = slots_[i * targets_ + j]; slot != LexicalTable::kAbsent)
        probabilities = lexicon.table.probabilities(slot);
      target_given_source_[j * sources_ + i] = probabilities.forward + kMinTranslation;
      source_given_target_[i * targets_ + j] = probabilities.reverse + kMinTranslation;
    }
  }
}

void SentencePosteriors::smooth_rare_words(const Lexicon& lexicon, const SentenceSide& source,
                                           const SentenceSide& target) {
  for (std::size_t i = 0; i < sources_; ++i) {
    const WordId word = source.text[i];
    for (std::size_t j = 0; j < targets_; ++j) {
      const WordId other = target.text[j];
      if (slots_[i * targets_ + j] != LexicalTable::kAbsent) continue;
      const double frequency = source.words->frequency(word), other_frequency = target.words->frequency(other);
      if (std::min(frequency, other_frequency) >= kFrequent) continue;
      float& forward = target_given_source_[j * sources_ + i];
      float& reverse = source_given_target_[i * targets_ + j];
      if (frequency == 0 && other_frequency == 0) {
        forward = reverse =
            source.words->spelling(word) == target.words->spelling(other) ? kSameSpelling : kOtherSpelling;
        continue;
      }
      const auto smoothed =
          lexicon.smoothed(source.words->pieces(word), frequency, target.words->pieces(other), other_frequency);
      forward += smoothed.forward;
      reverse += smoothed.reverse;
    }
  }
}

void SentencePosteriors::compute(const Lexicon& lexicon, const SentenceSide& source, const SentenceSide& target,
                                 AlignmentModelKind kind, const Jumps& jumps, bool smooth_absent) {
  sources_ = source.size();
  targets_ = target.size();
  find_slots(lexicon, source, target);
  read_emissions(lexicon);
  if (smooth_absent) smooth_rare_words(lexicon, source, target);
  unaligned_probabilities(lexicon.source, source, unaligned_source_);
  unaligned_probabilities(lexicon.target, target, unaligned_target_);
  forward_.resize(sources_ * targets_);
  reverse_.resize(sources_ * targets_);
  if (kind == AlignmentModelKind::Model1) {
    model1_posteriors(target_given_source_, unaligned_target_, sources_, null_, forward_);
    model1_posteriors(source_given_target_, unaligned_source_, targets_, null_, reverse_);
    return;
  }
  markov_.posteriors({targets_, sources_, target_given_source_, unaligned_target_}, jumps.source, forward_,
                     jumps.source_counts);
  markov_.posteriors({sources_, targets_, source_given_target_, unaligned_source_}, jumps.target, reverse_,
                     jumps.target_counts);
}

}  // namespace widl
