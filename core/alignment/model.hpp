#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alignment/hidden_markov.hpp"
#include "alignment/lexicon.hpp"
#include "alignment/links.hpp"
#include "alignment/posteriors.hpp"
#include "bitext_side.hpp"

namespace widl {

/// A non-negative number as an integer, in steps of a sixteenth of an octave (4.4 %); 0 is below 2^-8.
std::uint32_t encode_count(double count);
double decode_count(std::uint32_t code);

/// The counts learned from a parallel text, in stored form. All numbers are integers, so that a reloaded model gives
/// the same links.
struct AlignmentCounts {
  struct Word {
    std::string word;
    std::uint64_t frequency;
    std::uint32_t unaligned;  ///< code of the expected number of unaligned occurrences
  };
  struct Entry {
    WordId target;
    std::uint32_t count;  ///< code
  };
  std::vector<Word> sources, targets;
  std::vector<std::vector<Entry>> links;                  ///< for each source word, ascending in targets
  std::vector<std::uint32_t> source_jumps, target_jumps;  ///< codes, of jumps -200..200
};

/// Aligns text with the counts learned from another text.
class AlignmentModel {
 public:
  using Split = TextWords::Split;
  static constexpr float kNull = 0.5f;  // probability that a word has no partner, in the HMM

  /// `split_source` and `split_target` give the pieces of a word. @throws InputError for counts that do not fit
  /// together
  AlignmentModel(AlignmentCounts counts, Split split_source, Split split_target, unsigned threads);

  const AlignmentCounts& counts() const { return counts_; }
  const Lexicon& lexicon() const { return lexicon_; }

  /// The links of the sentences [begin, end), which depend neither on each other nor on `threads`. An empty sentence
  /// has no links.
  std::vector<DirectedLinks> align(const ParallelText& text, const TextWords& source, const TextWords& target,
                                   std::size_t begin, std::size_t end, unsigned threads) const;

  /// The link probabilities of one sentence pair with words on both sides.
  SentencePosteriors posteriors(const TextWords& source, const TextWords& target, std::size_t sentence) const;

  const Split& split_source() const { return split_source_; }
  const Split& split_target() const { return split_target_; }

 private:
  void compute(SentencePosteriors& posteriors, const SentenceSide& source, const SentenceSide& target) const;

  AlignmentCounts counts_;
  Split split_source_, split_target_;
  Lexicon lexicon_;
  JumpDistribution source_jumps_, target_jumps_;
};

/// Counts the links of aligned text; each direction counts half. `forward` and `reverse` have an element for each
/// sentence pair and may be the same.
AlignmentCounts count_links(const ParallelText& text, const std::vector<std::vector<Link>>& forward,
                            const std::vector<std::vector<Link>>& reverse);

/// The text form of a model:
///
///     widl alignment model 1
///     jumps in the source, from -200 to 200: CODE CODE …
///     jumps in the target, from -200 to 200: CODE CODE …
///     TARGETS SOURCES                        numbers of words
///     word frequency code                    one line per target word
///     word frequency code  target code …     one line per source word; targets as differences of their numbers
///
/// Codes come from `encode_count`.
std::string write_model(const AlignmentCounts& counts);

/// @throws InputError with the number of the malformed line
AlignmentCounts parse_model(std::string_view text);

}  // namespace widl
