#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "alignment/candidates.hpp"
#include "alignment/model.hpp"

namespace widl {

struct AlignmentTraining {
  int model1_rounds = 3;
  int markov_rounds = 3;
  CandidateOptions candidates;
};

/// Learns to align from parallel text by expectation maximisation: IBM Model 1, then a hidden Markov model, both directions at
/// once. What is counted are mean link probabilities of both directions, so that they agree on one table of counts (in the
/// spirit of Liang et al. 2006, whose product of them lost rare words here), smoothed by pieces of words (`Lexicon`).
///
/// A round is `expect` for all sentences in parts of any size, in any order, then `maximize`. The result does not depend on the
/// parts nor on `threads`: counts are integers.
class AlignmentTrainer {
 public:
  /// `text` must live as long as the trainer, and its sentences must have words on both sides.
  AlignmentTrainer(const ParallelText& text, AlignmentModel::Split split_source, AlignmentModel::Split split_target,
                   const AlignmentTraining& options, unsigned threads);

  int rounds() const { return options_.model1_rounds + options_.markov_rounds; }
  void expect(std::size_t begin, std::size_t end, unsigned threads);
  void maximize(unsigned threads);

  /// What the last round counted.
  AlignmentCounts counts() const;

 private:
  /// Expected numbers in units of 2^-20, added in any order.
  class Tally {
   public:
    explicit Tally(std::size_t size) : size_(size), values_(std::make_unique<std::atomic<std::uint64_t>[]>(size)) {}
    void add(std::size_t index, double value) {
      values_[index].fetch_add(static_cast<std::uint64_t>(value * LexicalTable::kUnits), std::memory_order_relaxed);
    }
    double value(std::size_t index) const { return static_cast<double>(values_[index].load()) / LexicalTable::kUnits; }
    void clear() {
      for (std::size_t i = 0; i < size_; ++i) values_[i] = 0;
    }
    std::size_t size() const { return size_; }

   private:
    std::size_t size_;
    std::unique_ptr<std::atomic<std::uint64_t>[]> values_;
  };

  void count_sentence(const SentencePosteriors& posteriors, std::size_t sentence, std::vector<float>& free);
  void set_unaligned(LexiconSide& side, Tally& tally);
  static JumpDistribution::Counts jump_counts(const Tally& tally);

  const ParallelText& text_;
  AlignmentTraining options_;
  Lexicon lexicon_;
  std::unique_ptr<TextWords> source_words_, target_words_;
  JumpDistribution source_jumps_, target_jumps_;
  Tally unaligned_source_, unaligned_target_, source_jump_counts_, target_jump_counts_;
  int round_ = 0;
};

}  // namespace widl
