#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "phrase_table/bitext.hpp"
#include "phrase_table/lexical.hpp"
#include "phrase_table/phrase_index.hpp"
#include "phrase_table/scored_batch.hpp"

namespace widl {

struct ScoringOptions {
  std::uint32_t max_length = 7;  // words of a phrase, on both sides
  unsigned threads = 1;
  // Occurrences of phrase pairs held at once, 12 bytes each; a larger bitext is gone over several
  // times, each time for a range of source phrases. 0 = all at once.
  std::uint64_t max_occurrences = 0;
};

/// Extracts, counts and scores all phrase pairs of a bitext on threads of its own, while the caller
/// writes the batches, in the order of the source phrases' word ids:
///
///   p(f|e) = count(f, e) / count(e)      p(e|f) = count(f, e) / count(f)
///
/// and the lexical weights of the pair's most frequent word alignment, as Moses' score takes them (among
/// equally frequent ones the alignment that is largest when written as the sets of source positions of
/// e's words in turn). The batches do not depend on the number of threads.
///
/// Phrases are numbered once (PhraseIndex). A first pass over the sentences counts them, a second one sorts the
/// occurrences by source phrase, one counting sort; then each source phrase is a group of its own.
class PhraseScorer {
 public:
  /// Freezes the bitext, which must outlive this object.
  PhraseScorer(Bitext& bitext, const ScoringOptions& options);
  ~PhraseScorer();
  PhraseScorer(const PhraseScorer&) = delete;
  PhraseScorer& operator=(const PhraseScorer&) = delete;

  const Bitext& bitext() const { return bitext_; }
  std::uint32_t max_length() const { return options_.max_length; }

  /// The occurrences of all phrase pairs together.
  std::uint64_t occurrences() const { return occurrences_; }

  /// The next batch, waiting for it; nothing after the last.
  std::optional<ScoredBatch> next();

 private:
  struct Occurrence {
    PhraseId target;
    std::uint32_t target_at, source_at;
    friend auto operator<=>(const Occurrence&, const Occurrence&) = default;
  };
  class GroupScorer;
  struct Stopped {};
  using PhraseRange = std::pair<PhraseId, PhraseId>;  // source phrases [first, second)

  void count();
  void produce();
  void collect(PhraseRange range);
  ScoredBatch score(PhraseRange range);
  void hand_out(std::size_t number, ScoredBatch batch);
  template <class Visit>
  void for_each_pair(Visit&& visit) const;

  Bitext& bitext_;
  ScoringOptions options_;
  std::optional<PhraseIndex> sources_, targets_;
  LexicalWeights lexical_;
  // offsets_[i + 1]: where the occurrences of source phrase i begin among all; once they are collected, where
  // they end, so that then [offsets_[i], offsets_[i + 1]) are its own.
  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint32_t> target_counts_;
  std::uint64_t occurrences_ = 0;
  std::vector<Occurrence> collected_;  // of one range of source phrases, grouped by source phrase
  std::uint32_t collected_begin_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::size_t, ScoredBatch> ready_;
  std::size_t taken_ = 0;
  bool stopped_ = false, finished_ = false;
  std::exception_ptr failure_;
  std::jthread producer_;  // last: it uses all of the above
};

}  // namespace widl
