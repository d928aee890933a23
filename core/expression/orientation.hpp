#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace widl {

/// A model of lexicalised reordering (Koehn et al. 2005): how probable it is that a phrase stands in each *orientation*
/// to the phrase realized before it (backward), and to the one realized after it (forward).
///
/// Orientations are told from source positions: monotone, where the later phrase begins where the earlier one ends;
/// swap, where it ends where the earlier one begins; else discontinuous. Under `mslr` the last are told apart: right,
/// where the later phrase is behind the earlier one in the source, and left. Under `monotonicity` all but monotone are
/// one.
///
/// Under a hierarchical model (Galley & Manning 2008) a neighbour is the largest block of phrases there. Backward that is
/// the top of a stack onto which phrases are shifted, and on which neighbours in the source are reduced to one (BlockStacks).
/// What follows is not known: as in Moses, the next phrase is monotone if it is anywhere behind the earlier one and
/// the position behind that is its own or still free, as what is realized until that is free no more may be one
/// block with it; swap is its mirror image. Blocks of one phrase, and what words are linked to, matter in training only
/// (OrientationCounter).
///
/// A phrase has a score for each orientation, those of backward first, in Moses' order. A phrase without scores
/// costs nothing. The first phrase stands to the start of the sentence as to an empty phrase there; the last one
/// has no forward orientation.
struct OrientationModel {
  enum class Type : std::uint8_t { none = 0, monotonicity = 2, msd = 3, mslr = 4 };
  /// What stands before and behind a phrase.
  enum class Neighbour : std::uint8_t { word = 0, phrase = 1, block = 2 };
  static constexpr std::size_t kMostScores = 8;
  /// Where no phrase begins.
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  Type type = Type::none;
  Neighbour neighbour = Neighbour::word;
  bool backward = false, forward = false;
  bool source_only = false;  ///< estimated for source phrases, not for phrase pairs

  bool operator==(const OrientationModel&) const = default;

  /// The model of a name like Moses' `hier-msd-bidirectional-fe`: neighbours (wbe, which may be missing, phrase or hier),
  /// type, direction (unidirectional is backward), and what phrases are told apart by. An empty name is that of no model.
  /// @throws InputError for another name
  static OrientationModel named(std::string_view name);

  /// The name, or nothing.
  std::string name() const;

  bool hierarchical() const { return neighbour == Neighbour::block; }
  std::size_t orientations() const { return static_cast<std::size_t>(type); }
  /// Of a phrase.
  std::size_t scores() const { return orientations() * (std::size_t{backward} + std::size_t{forward}); }
  /// Where the backward and the forward ones begin among them.
  static constexpr std::size_t backward_scores() { return 0; }
  std::size_t forward_scores() const { return backward ? orientations() : 0; }
  /// Names of the scores' features.
  std::vector<std::string> feature_names() const;

  /// The orientation of a phrase [begin, end) to the phrase or block before it; at the start that ends at 0 and begins
  /// nowhere.
  std::size_t orientation(std::uint32_t previous_begin, std::uint32_t previous_end, std::uint32_t begin,
                          std::uint32_t end) const {
    if (begin == previous_end) return 0;
    if (type == Type::monotonicity || end == previous_begin) return 1;
    return type == Type::mslr && begin < previous_end ? 3 : 2;
  }
  /// The same of a hierarchical model, forward. `free_before`, `free_behind`: whether the positions next to the earlier
  /// phrase were free when it was realized.
  std::size_t forward_orientation(bool free_before, bool free_behind, std::uint32_t previous_end, std::uint32_t begin,
                                  std::uint32_t end) const {
    if (begin < previous_end) return orientation(free_before ? end : kNowhere, previous_end, begin, end);
    return free_behind ? 0 : orientation(kNowhere, previous_end, begin, end);
  }
};

}  // namespace widl
