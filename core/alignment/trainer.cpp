#include "alignment/trainer.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include "alignment/candidate_pairs.hpp"
#include "byte_reader.hpp"
#include "errors.hpp"
#include "parallel.hpp"

namespace widl {

namespace {

std::vector<TrainingStart::Word> words_of(const BitextSide& side) {
  std::vector<TrainingStart::Word> words;
  for (WordId word = 0; word < side.vocabulary.size(); ++word)
    words.push_back({std::string(side.vocabulary.word(word)), 0});
  for (WordId word : side.words) ++words[word].frequency;
  return words;
}

std::vector<TrainingStart::Word> read_words(ByteReader& reader) {
  std::vector<TrainingStart::Word> words;
  for (std::uint64_t left = reader.number(); left > 0; --left) {
    std::string word(reader.text());
    words.push_back({std::move(word), reader.number()});
  }
  return words;
}

void append_real(std::string& bytes, float value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }

}  // namespace

TrainingStart TrainingStart::of(const ParallelText& text, const AlignmentTraining& options, unsigned threads) {
  return {options.model1_rounds, options.markov_rounds, words_of(text.source), words_of(text.target),
          candidate_pairs(text, options.most_pairs, threads)};
}

std::string TrainingStart::bytes() const {
  std::string bytes;
  append_varint(bytes, static_cast<std::uint64_t>(model1_rounds));
  append_varint(bytes, static_cast<std::uint64_t>(markov_rounds));
  for (const auto* words : {&sources, &targets}) {
    append_varint(bytes, words->size());
    for (const Word& word : *words) {
      append_text(bytes, word.word);
      append_varint(bytes, word.frequency);
    }
  }
  for (const auto& row : candidates) {
    append_varint(bytes, row.size());
    WordId next = 0;
    for (const LinkCount& entry : row) {
      append_varint(bytes, entry.target - next);
      append_real(bytes, entry.count);
      next = entry.target + 1;
    }
  }
  return bytes;
}

TrainingStart TrainingStart::parse(std::string_view bytes) {
  constexpr int kMaxRounds = std::numeric_limits<int>::max() / 2;
  ByteReader reader(bytes);
  TrainingStart start;
  start.model1_rounds = static_cast<int>(reader.number(kMaxRounds));
  start.markov_rounds = static_cast<int>(reader.number(kMaxRounds));
  start.sources = read_words(reader);
  start.targets = read_words(reader);
  for (std::size_t source = 0; source < start.sources.size(); ++source) {
    auto& row = start.candidates.emplace_back();
    std::uint64_t next = 0;
    for (std::uint64_t left = reader.number(start.targets.size()); left > 0; --left) {
      next += reader.number(start.targets.size());
      if (next >= start.targets.size()) throw InputError("damaged: a pair with an unknown word");
      const float count = reader.real();
      if (!(count >= 0 && count < 1e12f)) throw InputError("damaged: a count that is not a number");
      row.push_back({static_cast<WordId>(next++), count});
    }
  }
  if (!reader.at_end()) throw InputError("damaged: extra data at the end");
  return start;
}

namespace {

constexpr float kModel1Null = 0.2f;       // probability that a word has no partner, in Model 1
constexpr float kMinProbability = 1e-4f;  // smaller link probabilities are not counted
constexpr double kMinCount = 0.01;        // smaller counts are not kept

void fill_side(LexiconSide& side, const std::vector<TrainingStart::Word>& words, const AlignmentModel::Split& split) {
  double tokens = 0;
  for (const auto& word : words) tokens += static_cast<double>(word.frequency);
  for (const auto& word : words) {
    side.add(word.word, static_cast<double>(word.frequency), split(word.word));
    side.unaligned.push_back(static_cast<float>(static_cast<double>(word.frequency) / tokens));
  }
  if (side.vocabulary().size() != words.size()) throw InputError("damaged: a word is listed twice");
}

std::vector<std::string> no_pieces(std::string_view) { return {}; }

void set_unaligned(LexiconSide& side, Tally& tally) {
  std::vector<double> counts(side.words());
  for (WordId word = 0; word < side.words(); ++word) counts[word] = tally.value(word);
  side.estimate_unaligned(counts);
  tally.clear();
}

void check_all_known(const TextWords& words) {
  for (WordId word = 0; word < words.text().vocabulary.size(); ++word)
    if (words.known(word) == TextWords::kUnknown) throw InputError("a part of another text");
}

}  // namespace

TrainingRounds::TrainingRounds(TrainingStart start, const AlignmentModel::Split& split_source,
                               const AlignmentModel::Split& split_target, unsigned threads)
    : model1_rounds_(start.model1_rounds),
      markov_rounds_(start.markov_rounds),
      unaligned_source_(start.sources.size()),
      unaligned_target_(start.targets.size()),
      source_jump_counts_(2 * JumpDistribution::kWidth + 1),
      target_jump_counts_(2 * JumpDistribution::kWidth + 1) {
  fill_side(lexicon_.source, start.sources, split_source);
  fill_side(lexicon_.target, start.targets, split_target);
  lexicon_.table = LexicalTable(std::exchange(start.candidates, {}));  // frees their memory
  lexicon_.estimate(threads);
  lexicon_.table.counts().clear();
}

void TrainingRounds::count_sentence(const Text& text, std::size_t sentence, const SentencePosteriors& posteriors,
                                    std::vector<float>& free, const ExpectedCounts& counts) const {
  const std::size_t sources = posteriors.sources(), targets = posteriors.targets();
  free.assign(sources + targets, 1);
  for (std::size_t i = 0; i < sources; ++i) {
    for (std::size_t j = 0; j < targets; ++j) {
      const float p = posteriors.linked(i, j);
      if (p < kMinProbability) continue;
      free[i] -= p;
      free[sources + j] -= p;
      if (const auto slot = posteriors.slot(i, j); slot != LexicalTable::kAbsent) counts.links.add(slot, p);
    }
  }
  const auto source = SentenceSide::of(text.source, sentence), target = SentenceSide::of(text.target, sentence);
  for (std::size_t i = 0; i < sources; ++i) counts.unaligned_source.add(source.known(i), std::max(0.0f, free[i]));
  for (std::size_t j = 0; j < targets; ++j)
    counts.unaligned_target.add(target.known(j), std::max(0.0f, free[sources + j]));
}

void TrainingRounds::expect(const Text& text, std::size_t begin, std::size_t end, unsigned threads,
                            const ExpectedCounts& counts) const {
  static constexpr std::size_t kBlock = 256;
  if (begin > end || end > text.pairs.sentences()) throw InternalError("sentences outside of the text");
  const auto kind = round_ < model1_rounds_ ? AlignmentModelKind::Model1 : AlignmentModelKind::HiddenMarkov;
  parallel_for((end - begin + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
    SentencePosteriors posteriors(kind == AlignmentModelKind::Model1 ? kModel1Null : AlignmentModel::kNull);
    std::vector<float> free;
    for (std::size_t sentence = begin + block * kBlock; sentence < std::min(end, begin + (block + 1) * kBlock);
         ++sentence) {
      JumpDistribution::Counts source_counts{}, target_counts{};
      posteriors.compute(lexicon_, SentenceSide::of(text.source, sentence), SentenceSide::of(text.target, sentence),
                         kind, {source_jumps_, target_jumps_, &source_counts, &target_counts}, false);
      count_sentence(text, sentence, posteriors, free, counts);
      if (kind == AlignmentModelKind::Model1) continue;
      for (std::size_t i = 0; i < source_counts.size(); ++i) {
        if (source_counts[i] > 0) counts.source_jumps.add(i, source_counts[i]);
        if (target_counts[i] > 0) counts.target_jumps.add(i, target_counts[i]);
      }
    }
  });
}

JumpDistribution TrainingRounds::jumps_of(const Tally& tally) {
  JumpDistribution::Counts counts;
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = tally.value(i);
  return JumpDistribution(counts);
}

void TrainingRounds::maximize(unsigned threads) {
  if (++round_ == rounds()) return;  // the model made from the counts handles the rest
  lexicon_.estimate(threads);
  lexicon_.table.counts().clear();
  set_unaligned(lexicon_.source, unaligned_source_);
  set_unaligned(lexicon_.target, unaligned_target_);
  if (round_ <= model1_rounds_) return;
  source_jumps_ = jumps_of(source_jump_counts_);
  target_jumps_ = jumps_of(target_jump_counts_);
  source_jump_counts_.clear();
  target_jump_counts_.clear();
}

void TrainingRounds::go_to(int round, std::string_view counted_before) {
  if (round < 1 || round >= rounds()) throw InternalError("no such round");
  const ExpectedCounts counts = counted();
  for (Tally* tally :
       {&counts.links, &counts.unaligned_source, &counts.unaligned_target, &counts.source_jumps, &counts.target_jumps})
    tally->clear();
  source_jumps_ = target_jumps_ = JumpDistribution();
  round_ = round - 1;
  try {
    counts.add(counted_before);
  } catch (...) {
    round_ = rounds();  // none
    throw;
  }
  maximize(1);
}

AlignmentCounts TrainingRounds::counts() const {
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
  for (const auto& row : lexicon_.table.rows(kMinCount)) {
    counts.links.emplace_back();
    for (const LinkCount& entry : row) counts.links.back().push_back({entry.target, encode_count(entry.count)});
  }
  for (std::size_t i = 0; i < source_jump_counts_.size(); ++i) {
    counts.source_jumps.push_back(encode_count(source_jump_counts_.value(i)));
    counts.target_jumps.push_back(encode_count(target_jump_counts_.value(i)));
  }
  return counts;
}

AlignmentTrainer::AlignmentTrainer(const ParallelText& text, const AlignmentModel::Split& split_source,
                                   const AlignmentModel::Split& split_target, const AlignmentTraining& options,
                                   unsigned threads, bool shared)
    : text_(text) {
  TrainingStart start = TrainingStart::of(text, options, threads);
  if (shared) start_ = start.bytes();
  rounds_.emplace(std::move(start), split_source, split_target, threads);
  source_words_ = std::make_unique<TextWords>(text.source, rounds_->lexicon().source, no_pieces);
  target_words_ = std::make_unique<TextWords>(text.target, rounds_->lexicon().target, no_pieces);
}

void AlignmentTrainer::expect(std::size_t begin, std::size_t end, unsigned threads) {
  rounds_->expect({text_, *source_words_, *target_words_}, begin, end, threads, rounds_->counted());
}

std::string AlignmentShare::expect(int round, std::string_view counted_before, const ParallelText& text) {
  for (;;) {
    {
      std::shared_lock hold(mutex_);
      if (rounds_.round() == round) return expect_now(text);
    }
    std::unique_lock hold(mutex_);
    if (rounds_.round() != round) rounds_.go_to(round, counted_before);
  }
}

std::string AlignmentShare::expect_now(const ParallelText& text) const {
  const Lexicon& lexicon = rounds_.lexicon();
  const TextWords source(text.source, lexicon.source, no_pieces), target(text.target, lexicon.target, no_pieces);
  check_all_known(source);
  check_all_known(target);
  Tally links(lexicon.table.slots()), unaligned_source(lexicon.source.words()),
      unaligned_target(lexicon.target.words());
  Tally source_jumps(2 * JumpDistribution::kWidth + 1), target_jumps(2 * JumpDistribution::kWidth + 1);
  const ExpectedCounts counts{links, unaligned_source, unaligned_target, source_jumps, target_jumps};
  rounds_.expect({text, source, target}, 0, text.sentences(), 1, counts);
  return counts.bytes();
}

}  // namespace widl
