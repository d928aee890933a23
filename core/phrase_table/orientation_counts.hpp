#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "expression/orientation.hpp"
#include "phrase_table/bitext.hpp"
#include "phrase_table/extraction.hpp"
#include "phrase_table/probability.hpp"

namespace widl {

/// How often phrases occurred in each orientation, in the order of their scores.
using OrientationCounts = std::array<std::uint32_t, OrientationModel::kMostScores>;

/// The orientations of an occurrence of a phrase pair, by their numbers among those of each direction; 0 for a direction
/// that a model lacks.
struct Orientations {
  std::uint8_t backward = 0, forward = 0;
};

/// Tells the orientations of occurrences of phrase pairs from the links of the words next to them, as Moses' `extract`
/// does ("wbe"): towards the target word in front of the phrase (backward) or behind it (forward),
///
///   monotone       if that word is linked to the source word at the same side of the phrase, and not to that
///                  at the other side,
///   swap           if it is the other way round,
///   discontinuous  else; to the left if it is linked only to words further away on the side of a swap, else
///                  to the right.
///
/// The start of a sentence is linked to its start, the end to its end.
///
/// Under models of phrases ("phrase") and of blocks ("hier") it also is monotone, or else swap, if a phrase pair begins or
/// ends at that corner of the phrase: one that could be extracted, or one of any length (Galley & Manning 2008). Else
/// mslr asks on which side such a pair ends with the target word. (Moses' `extract` asks the same of what is in front; of
/// what is behind, it asks for pairs that end with the next target word where they should begin with it, and for
/// discontinuous ones it leaves out the last source word.)
class OrientationCounter {
 public:
  /// `max_length`: of the phrases that are extracted.
  OrientationCounter(const Bitext& bitext, const OrientationModel& model, std::uint32_t max_length,
                     const ScratchSpace& space);
  /// For a text of which they are known already: those of the occurrence whose source phrase begins there, by position.
  OrientationCounter(const Bitext& bitext, const OrientationModel& model, std::vector<Orientations> known)
      : bitext_(bitext), model_(model), max_length_(0), known_(std::move(known)) {}

  Orientations orientations(const PhrasePairSpan& pair) const;
  void count(const PhrasePairSpan& pair, OrientationCounts& counts) const;

  /// The scores of a phrase: p(o) = (count(o) + 0.5) / Σ_o' (count(o') + 0.5), as Moses smooths by default.
  void score(const OrientationCounts& counts, std::vector<Probability>& scores) const;

  const OrientationModel& model() const { return model_; }

 private:
  /// A source word next to the phrase, and those beyond it.
  enum class Side { before, behind };
  /// Source positions [source_begin, source_end) and target positions; empty where begins are not below ends.
  struct Block {
    std::uint32_t source_begin = ~std::uint32_t{0}, source_end = 0, target_begin = ~std::uint32_t{0}, target_end = 0;
  };
  struct Range {
    std::uint32_t first = ~std::uint32_t{0}, last = 0;
    bool empty() const { return first > last; }
  };

  std::uint8_t orientation(std::uint32_t target, bool is_outside, bool at_edge, const PhrasePairSpan& pair,
                          Side monotone) const;
  /// Whether a phrase pair beyond the pair's target words, on the side `onward`, ends with `target` and has its source
  /// words on a side of the pair's; `adjacent`: right next to them.
  bool has_neighbour(std::uint32_t target, Side onward, const PhrasePairSpan& pair, Side side, bool adjacent) const;
  /// Grows a block until no link leaves it; whether it stays within limits.
  bool closes(Block block, const Block& limits) const;
  /// Takes a position and those before or behind it up to the next one with links; false if the sentence has none there.
  bool reach_links(std::uint32_t position, Side onward, bool source, Block& block) const;

  const Bitext& bitext_;
  OrientationModel model_;
  std::uint32_t max_length_;
  std::vector<bool> source_edges_, target_edges_;  // by position: whether a sentence begins there, or the last one ends
  LargeArray<Range> targets_;                      // by source position, those linked to it; only where blocks are asked for
  std::vector<Orientations> known_;
};

}  // namespace widl
