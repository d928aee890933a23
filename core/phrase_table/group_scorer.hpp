#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "phrase_table/occurrences.hpp"
#include "phrase_table/orientation_counts.hpp"
#include "phrase_table/scoring.hpp"
#include "phrase_table/stored_option.hpp"

namespace widl {

/// Data shared by the scoring of all groups of a table.
struct ScoringModel {
  const Bitext& bitext;
  SpanCode code;
  LexicalWeights lexical;
  std::optional<LexicalWeights> in_domain;  // weights that become two more scores
  std::optional<OrientationCounter> orientations;
  std::optional<PhraseSmoothing> smoothing;
};

/// Calls found(pair) with the occurrences of each phrase pair of a group, in the order of the target phrases. Sorts
/// the group.
template <class Found>
void for_each_phrase_pair(std::span<Occurrence> group, Found&& visit) {
  std::sort(group.begin(), group.end());
  for (auto begin = group.begin(); begin != group.end();) {
    const auto end = std::find_if(begin, group.end(), [&](auto& o) { return o.target != begin->target; });
    visit(std::span<const Occurrence>(begin, end));
    begin = end;
  }
}

/// Scores the phrase pairs of each source phrase, and reuses its working memory.
class GroupScorer {
 public:
  GroupScorer(const ScoringModel& model, const PhraseOccurrences& occurrences, PhraseBatch& batch)
      : model_(model), all_(occurrences), batch_(batch) {}

  /// Appends the group of all occurrences of a source phrase to the batch.
  void score(std::span<Occurrence> group);

 private:
  struct Option {
    Occurrence occurrence;  // an occurrence with the chosen alignment
    std::uint32_t joint;
    std::array<Probability, 4> probabilities;
    std::array<Probability, 2> in_domain;
    std::uint32_t number;   // in the group, as described
  };
  struct Alignment {
    std::vector<AlignmentPoint> points;
    std::uint32_t count;
    const Occurrence* first;
  };

  void describe(std::span<const Occurrence> same);
  void count_orientations(std::span<const Occurrence> same);
  void set_probabilities(std::uint32_t source_count);
  void sort();
  const Occurrence& most_frequent_alignment(std::span<const Occurrence> same);
  void read_alignment(const Occurrence& occurrence);
  std::array<Probability, 2> lexical_weights(const LexicalWeights& weights, const Occurrence& occurrence) const;
  std::span<const WordId> target_words(const Occurrence& occurrence) const;
  void write(std::uint32_t source_count);

  const ScoringModel& model_;
  const PhraseOccurrences& all_;
  PhraseBatch& batch_;
  std::vector<Option> scored_;
  std::vector<Alignment> alignments_;
  std::vector<AlignmentPoint> points_;
  std::vector<OrientationCounts> orientations_;  // by number of the pair
  std::vector<Probability> orientation_;
};

}  // namespace widl
