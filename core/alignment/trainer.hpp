#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alignment/expected_counts.hpp"
#include "alignment/lexical_table.hpp"
#include "alignment/model.hpp"

namespace widl {

struct AlignmentTraining {
  int model1_rounds = 3;
  int markov_rounds = 3;
  std::size_t most_pairs = 24'000'000;  ///< that may be linked, see candidate_pairs
};

/// The initial training data, computed from the whole text: number of rounds, words, and linkable pairs.
struct TrainingStart {
  struct Word {
    std::string word;
    std::uint64_t frequency;
  };
  int model1_rounds, markov_rounds;
  std::vector<Word> sources, targets;
  LinkCounts candidates;

  static TrainingStart of(const ParallelText& text, const AlignmentTraining& options, unsigned threads);

  /// For another machine.
  std::string bytes() const;
  /// @throws InputError if they are damaged
  static TrainingStart parse(std::string_view bytes);
};

/// A model in training, between two rounds. A round counts all sentences; then `maximize` makes the next model from the
/// counts.
class TrainingRounds {
 public:
  /// Text that contains only known words.
  struct Text {
    const ParallelText& pairs;
    const TextWords &source, &target;
  };

  /// `split` gives the pieces of a word.
  TrainingRounds(TrainingStart start, const AlignmentModel::Split& split_source,
                 const AlignmentModel::Split& split_target, unsigned threads);

  const Lexicon& lexicon() const { return lexicon_; }
  int rounds() const { return model1_rounds_ + markov_rounds_; }
  /// The number of the current round, from 0.
  int round() const { return round_; }
  /// The current round's counters, which `maximize` reads.
  ExpectedCounts counted() {
    return {lexicon_.table.counts(), unaligned_source_, unaligned_target_, source_jump_counts_, target_jump_counts_};
  }

  /// Adds this round's counts of the sentences [begin, end). The sums depend neither on parts nor on `threads`.
  void expect(const Text& text, std::size_t begin, std::size_t end, unsigned threads,
              const ExpectedCounts& counts) const;
  void maximize(unsigned threads);
  /// Starts a round after the first, given all counts of the previous round.
  void go_to(int round, std::string_view counted_before);

  /// The counts of the last round.
  AlignmentCounts counts() const;

 private:
  void count_sentence(const Text& text, std::size_t sentence, const SentencePosteriors& posteriors,
                      std::vector<float>& free, const ExpectedCounts& counts) const;
  static JumpDistribution jumps_of(const Tally& tally);

  int model1_rounds_, markov_rounds_;
  Lexicon lexicon_;
  JumpDistribution source_jumps_, target_jumps_;
  Tally unaligned_source_, unaligned_target_, source_jump_counts_, target_jump_counts_;
  int round_ = 0;
};

/// Learns to align from parallel text by expectation maximization: IBM Model 1, then a hidden Markov model, both
/// directions at once. Counts are mean link probabilities of both directions, so that they agree on one table of counts
/// (in the spirit of Liang et al. 2006, whose product of probabilities lost rare words here). They are smoothed by
/// pieces of words (`Lexicon`).
///
/// A round is `expect` for all sentences in parts of any size, in any order, then `maximize`. The result does not
/// depend on the parts nor on `threads`: counts are integers. Instead of `expect`, `add` can merge the counts of an
/// `AlignmentShare`.
class AlignmentTrainer {
 public:
  /// `text` must live as long as the trainer, and its sentences must have words on both sides. `shared`: keeps `start`.
  AlignmentTrainer(const ParallelText& text, const AlignmentModel::Split& split_source,
                   const AlignmentModel::Split& split_target, const AlignmentTraining& options, unsigned threads,
                   bool shared = false);

  int rounds() const { return rounds_->rounds(); }
  void expect(std::size_t begin, std::size_t end, unsigned threads);
  void maximize(unsigned threads) { rounds_->maximize(threads); }
  AlignmentCounts counts() const { return rounds_->counts(); }

  /// The initial data of an `AlignmentShare`; can be called once.
  std::string take_start() { return std::move(start_); }
  /// The counts that this round has accumulated.
  std::string counted() { return rounds_->counted().bytes(); }
  /// Adds to these counts. @throws InputError if the bytes are not counts
  void add(std::string_view counts) { rounds_->counted().add(counts); }

 private:
  const ParallelText& text_;
  std::string start_;
  std::optional<TrainingRounds> rounds_;
  std::unique_ptr<TextWords> source_words_, target_words_;
};

/// Training on one of several machines: counts some sentences of a text that no machine needs to hold completely.
class AlignmentShare {
 public:
  /// @throws InputError if the bytes do not come from `AlignmentTrainer::take_start`
  AlignmentShare(std::string_view start, const AlignmentModel::Split& split_source,
                 const AlignmentModel::Split& split_target)
      : rounds_(TrainingStart::parse(start), split_source, split_target, 1) {}

  /// Counts `text`, a part of the trainer's text, for a round. `counted_before` holds the merged counts of all machines
  /// from the previous round; it is empty in round 0. Safe from several threads, which may ask for different rounds.
  std::string expect(int round, std::string_view counted_before, const ParallelText& text);

 private:
  std::string expect_now(const ParallelText& text) const;

  TrainingRounds rounds_;
  std::shared_mutex mutex_;  // locked exclusively to change rounds
};

}  // namespace widl
