#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "phrase_table/bitext.hpp"
#include "phrase_table/suffix_order.hpp"

namespace widl {

/// -ln of the p-value of a phrase pair under Fisher's exact test (Johnson et al. 2007): the probability that two
/// phrases that occur in `source` and `target` of `sentences` sentence pairs have at least `joint` of these in
/// common by chance,
///
///   p = sum over k >= joint of h(k),  h(k) = C(source, k) C(sentences - source, target - k) / C(sentences, target)
///
/// Phrases with joint = source = target = 1 get ln(sentences), the paper's alpha.
double negative_log_p(std::uint32_t joint, std::uint32_t source, std::uint32_t target, std::uint32_t sentences);

/// Finds phrases in one side of a bitext, by its sorted suffixes.
class SuffixArray {
 public:
  /// For phrases of up to `max_length` words.
  SuffixArray(const BitextSide& side, std::uint32_t max_length);

  /// The suffixes that begin with a phrase: [begin, end) of them.
  struct Range {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t size() const { return end - begin; }
  };
  /// Of any phrase; empty where the text doesn't have it. @throws InputError when it is too long
  Range find(std::span<const WordId> phrase) const;

  std::uint32_t position(std::uint32_t suffix) const { return order_[suffix]; }
  std::uint32_t sentence(std::uint32_t suffix) const { return sentences_[order_[suffix]]; }
  const BitextSide& side() const { return side_; }

 private:
  /// -1, 0 or 1 as the suffix is before, among or after those that begin with the phrase.
  int compare(std::uint32_t suffix, std::span<const WordId> phrase) const;

  const BitextSide& side_;
  std::vector<std::uint8_t> room_;
  std::vector<std::uint32_t> order_;      // positions
  std::vector<std::uint32_t> sentences_;  // of positions
};

/// Both sides of a bitext, to count the sentence pairs in which phrases occur.
struct SearchableBitext {
  SearchableBitext(const Bitext& bitext, std::uint32_t max_length, unsigned threads);

  std::uint32_t sentences;
  std::vector<SuffixArray> sides;  // source, target
};

/// Tests the phrase pairs of one source phrase after the other. For one thread.
class SignificanceTest {
 public:
  /// A pair passes with -ln p >= threshold.
  SignificanceTest(const SearchableBitext& bitext, double threshold);

  void set_source(SuffixArray::Range source);
  /// `target` gives the target phrase's range; where the source phrase alone decides it isn't asked.
  template <class Target>
  bool passes(Target&& target, std::uint32_t target_length) {
    if (hopeless_) return false;
    return passes_range(target(), target_length);
  }

 private:
  bool passes_range(SuffixArray::Range target, std::uint32_t target_length);
  std::uint32_t count_target(SuffixArray::Range target, std::uint32_t length);
  std::uint32_t count_joint(SuffixArray::Range target, std::uint32_t length);
  bool sentence_has(std::uint32_t sentence, std::uint32_t phrase_at, std::uint32_t length) const;

  const SearchableBitext& bitext_;
  double threshold_;
  double alpha_;          // ln of the number of sentences
  bool hopeless_ = false;  // no pair of the source phrase can pass
  std::vector<std::uint32_t> source_sentences_;  // of the source phrase, distinct
  // A sentence is marked when it has the number of the current source phrase (of the current visit).
  std::vector<std::uint32_t> source_marks_, marks_;
  std::uint32_t source_mark_ = 0, mark_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> frequent_;  // sentences of frequent target phrases
};

}  // namespace widl
