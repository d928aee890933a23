#include "alignment/trainer.hpp"

#include <algorithm>
#include <utility>

#include "errors.hpp"
#include "parallel.hpp"

namespace widl {
namespace {

constexpr float kModel1Null = 0.2f;        // probability that a word has no partner, in Model 1
constexpr float kLeastProbability = 1e-4f; // smaller link probabilities are not counted
constexpr double kLeastCount = 0.01;       // smaller counts are not kept

void fill_side(LexiconSide& lexicon, const BitextSide& text, const AlignmentModel::Split& split) {
  std::vector<double> frequency(text.vocabulary.size());
  for (WordId word : text.words) ++frequency[word];
  for (WordId word = 0; word < frequency.size(); ++word) {
    lexicon.add(text.vocabulary.word(word), frequency[word], split(text.vocabulary.word(word)));
    lexicon.unaligned.push_back(static_cast<float>(frequency[word] / static_cast<double>(text.words.size())));
  }
}

std::vector<std::string> no_pieces(std::string_view) { return {}; }

}  // namespace

AlignmentTrainer::AlignmentTrainer(const ParallelText& text, AlignmentModel::Split split_source,
                                   AlignmentModel::Split split_target, const AlignmentTraining& options, unsigned threads)
    : text_(text), options_(options), unaligned_source_(text.source.vocabulary.size()),
      unaligned_target_(text.target.vocabulary.size()), source_jump_counts_(2 * JumpDistribution::kWidth + 1),
      target_jump_counts_(2 * JumpDistribution::kWidth + 1) {
  fill_side(lexicon_.source, text.source, split_source);
  fill_side(lexicon_.target, text.target, split_target);
  lexicon_.table = LexicalTable(candidate_pairs(text, options.candidates, threads));
  lexicon_.estimate(threads);
  source_words_ = std::make_unique<TextWords>(text.source, lexicon_.source, no_pieces);
  target_words_ = std::make_unique<TextWords>(text.target, lexicon_.target, no_pieces);
  lexicon_.table.clear_counts();
}

void AlignmentTrainer::count_sentence(const SentencePosteriors& posteriors, std::size_t sentence, std::vector<float>& free) {
  const std::size_t sources = posteriors.sources(), targets = posteriors.targets();
  free.assign(sources + targets, 1);
  for (std::size_t i = 0; i < sources; ++i) {
    for (std::size_t j = 0; j < targets; ++j) {
      const float p = posteriors.linked(i, j);
      if (p < kLeastProbability) continue;
      free[i] -= p;
      free[sources + j] -= p;
      if (const auto slot = posteriors.slot(i, j); slot != LexicalTable::kAbsent) lexicon_.table.add(slot, p);
    }
  }
  const WordId* source = &text_.source.words[text_.source.begins[sentence]];
  const WordId* target = &text_.target.words[text_.target.begins[sentence]];
  for (std::size_t i = 0; i < sources; ++i) unaligned_source_.add(source[i], std::max(0.0f, free[i]));
  for (std::size_t j = 0; j < targets; ++j) unaligned_target_.add(target[j], std::max(0.0f, free[sources + j]));
}

void AlignmentTrainer::expect(std::size_t begin, std::size_t end, unsigned threads) {
  static constexpr std::size_t kBlock = 256;
  if (begin > end || end > text_.sentences()) throw InternalError("sentences outside of the text");
  const auto kind = round_ < options_.model1_rounds ? AlignmentModelKind::Model1 : AlignmentModelKind::HiddenMarkov;
  parallel_for((end - begin + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
    SentencePosteriors posteriors(kind == AlignmentModelKind::Model1 ? kModel1Null : AlignmentModel::kNull);
    std::vector<float> free;
    for (std::size_t sentence = begin + block * kBlock; sentence < std::min(end, begin + (block + 1) * kBlock); ++sentence) {
      JumpDistribution::Counts source_counts{}, target_counts{};
      posteriors.compute(lexicon_, SentenceSide::of(*source_words_, sentence), SentenceSide::of(*target_words_, sentence), kind,
                         {source_jumps_, target_jumps_, &source_counts, &target_counts}, false);
      count_sentence(posteriors, sentence, free);
      if (kind == AlignmentModelKind::Model1) continue;
      for (std::size_t i = 0; i < source_counts.size(); ++i) {
        if (source_counts[i] > 0) source_jump_counts_.add(i, source_counts[i]);
        if (target_counts[i] > 0) target_jump_counts_.add(i, target_counts[i]);
      }
    }
  });
}

void AlignmentTrainer::set_unaligned(LexiconSide& side, Tally& tally) {
  std::vector<double> counts(side.words());
  for (WordId word = 0; word < side.words(); ++word) counts[word] = tally.value(word);
  side.estimate_unaligned(counts);
  tally.clear();
}

JumpDistribution::Counts AlignmentTrainer::jump_counts(const Tally& tally) {
  JumpDistribution::Counts counts;
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = tally.value(i);
  return counts;
}

void AlignmentTrainer::maximize(unsigned threads) {
  if (++round_ == rounds()) return;  // the model that is made of the counts does the rest
  lexicon_.estimate(threads);
  lexicon_.table.clear_counts();
  set_unaligned(lexicon_.source, unaligned_source_);
  set_unaligned(lexicon_.target, unaligned_target_);
  if (round_ <= options_.model1_rounds) return;
  source_jumps_ = JumpDistribution(jump_counts(source_jump_counts_));
  target_jumps_ = JumpDistribution(jump_counts(target_jump_counts_));
  source_jump_counts_.clear();
  target_jump_counts_.clear();
}

AlignmentCounts AlignmentTrainer::counts() const {
  if (round_ != rounds()) throw InternalError("training is not at its end");
  AlignmentCounts counts;
  auto words = [](const LexiconSide& side, const Tally& tally) {
    std::vector<AlignmentCounts::Word> words;
    for (WordId word = 0; word < side.words(); ++word)
      words.push_back({std::string(side.vocabulary().word(word)), static_cast<std::uint64_t>(side.frequency(word)),
                       encode_count(tally.value(word))});
    return words;
  };
  counts.sources = words(lexicon_.source, unaligned_source_);
  counts.targets = words(lexicon_.target, unaligned_target_);
  for (const auto& row : lexicon_.table.rows(kLeastCount)) {
    counts.links.emplace_back();
    for (const LinkCount& entry : row) counts.links.back().push_back({entry.target, encode_count(entry.count)});
  }
  for (std::size_t i = 0; i < source_jump_counts_.size(); ++i) {
    counts.source_jumps.push_back(encode_count(source_jump_counts_.value(i)));
    counts.target_jumps.push_back(encode_count(target_jump_counts_.value(i)));
  }
  return counts;
}

}  // namespace widl
