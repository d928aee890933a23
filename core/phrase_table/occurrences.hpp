#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "phrase_table/bitext.hpp"
#include "phrase_table/phrase_index.hpp"

namespace widl {

/// An occurrence of a phrase pair; the source phrase is what it is grouped by. Spans are SpanCode's.
struct Occurrence {
  PhraseNumber target;
  std::uint32_t target_span, source_span;
  friend auto operator<=>(const Occurrence&, const Occurrence&) = default;
};

/// What is known of target phrases: of all, or of those in `ids`.
struct TargetPhrases {
  std::vector<PhraseNumber> ids;           // ascending; none: all, by their numbers
  std::vector<std::uint32_t> counts;   // of their occurrences in phrase pairs

  std::size_t slot(PhraseNumber id) const;
};

/// How occurrences are to be kept.
struct OccurrenceOptions {
  std::uint32_t max_length = 7;
  unsigned threads = 1;
  std::uint64_t memory = 0;    // bytes for occurrences, indexes and target phrases; 0 = no limit
  std::string temporary_directory;  // to spill to
};

/// All occurrences of the phrase pairs of a bitext, grouped by source phrase, in one or several parts: ranges of
/// source phrases in ascending order, each to be loaded before it is used.
class PhraseOccurrences {
 public:
  virtual ~PhraseOccurrences() = default;

  /// Of all parts together.
  std::uint64_t size() const { return size_; }
  virtual std::size_t parts() const = 0;
  /// Makes the members below those of a part.
  virtual void load(std::size_t part) = 0;

  std::vector<std::uint32_t> offsets;    // where the occurrences of each source phrase begin; and the end
  std::vector<Occurrence> occurrences;
  TargetPhrases targets;

 protected:
  std::uint64_t size_ = 0;
};

/// In memory where they fit, else in a temporary file: the two give the same groups, and equal target numbers.
///
/// In memory: both sides' phrases are numbered (PhraseIndex); one pass over the sentences counts the
/// occurrences, a second one sorts them by source phrase, one counting sort.
///
/// Spilled, a distribution sort: first words divide the phrases of either side into ranges that fit. For each range
/// of target phrases in turn, its phrases are numbered, and a pass over the sentences appends their
/// occurrences to the file, by ranges of source phrases. Each of these is later read and sorted on its own. What is
/// known of target phrases lies in files in the order of their numbers, and is joined in by one scan.
///
/// @throws InputError when a single word's phrases take more than the memory, there are too many occurrences, or the
///         folder can't be written to
std::unique_ptr<PhraseOccurrences> collect_occurrences(const Bitext& bitext, const OccurrenceOptions& options);

}  // namespace widl
