#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "ordered_queue.hpp"
#include "phrase_table/bitext.hpp"
#include "phrase_table/phrase_smoothing.hpp"
#include "phrase_table/lexical.hpp"
#include "phrase_table/phrase_index.hpp"
#include "phrase_table/stored_option.hpp"

namespace widl {

struct ScoringOptions {
  std::uint32_t max_length = 7;  // words of a phrase, on both sides
  unsigned threads = 1;
  bool reordering = false;  // also scores of a reordering model
  bool smoothed = false;    // p(f|e) and p(e|f) by Kneser-Ney
};

class GroupScorer;
struct PhraseOccurrences;
struct ScoringModel;
struct ShardToScore;

/// Extracts, counts and scores all phrase pairs of a bitext on separate threads, while the caller writes the batches.
/// Batches are in the order of the source phrases' word ids. The scores are p(f|e) = c(f,e) / c(e), p(e|f) = c(f,e) /
/// c(f), or both smoothed (PhraseSmoothing), and the lexical weights of the pair's most frequent word alignment, like
/// Moses' score (ties go to the alignment that is largest when written as the sets of source positions of e's words in
/// turn). Optional scores are the scores of a reordering model (OrientationCounter), and in-domain lexical weights if
/// some of the text is in-domain. All batches together do not depend on the number of threads.
///
/// The occurrences are collected by source phrase (PhraseOccurrences); then each source phrase forms one group.
/// Smoothing needs an additional pass over all groups first.
class PhraseScorer {
 public:
  /// Freezes the bitext, which must outlive this object.
  /// @throws InputError when the bitext is too large
  PhraseScorer(Bitext& bitext, const ScoringOptions& options);
  /// Scores a shard of a larger text's phrase pairs, of the same length and reordering model.
  PhraseScorer(std::unique_ptr<ShardToScore> shard, const ScoringOptions& options);
  ~PhraseScorer();
  PhraseScorer(const PhraseScorer&) = delete;
  PhraseScorer& operator=(const PhraseScorer&) = delete;

  const Bitext& bitext() const { return bitext_; }
  const ScoringOptions& options() const { return options_; }

  /// Whether phrase pairs have in-domain lexical weights as further scores.
  bool has_in_domain() const;

  /// The occurrences of all phrase pairs together.
  std::uint64_t occurrences() const;

  /// Waits for the next batch and returns it; none after the last.
  std::optional<PhraseBatch> next() { return batches_.next(); }

 private:
  using GroupRange = std::pair<std::size_t, std::size_t>;  // source phrases [first, second)

  void start();
  void run();
  void produce();
  PairsByCount count_pairs(const std::vector<GroupRange>& tasks);
  PhraseBatch score(GroupRange range);

  std::unique_ptr<ShardToScore> shard_;
  Bitext& bitext_;
  ScoringOptions options_;
  std::unique_ptr<ScoringModel> model_;
  std::unique_ptr<PhraseOccurrences> occurrences_;
  OrderedQueue<PhraseBatch> batches_;
  std::jthread producer_;  // last, because it uses all members above
};

}  // namespace widl
