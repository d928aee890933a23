#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <variant>

#include "search/budget.hpp"
#include "search/explored_graph.hpp"
#include "search/printed_length.hpp"
#include "search/search_record.hpp"

namespace widl {

/// The unit of path length.
enum class LengthUnit {
  words,      ///< target words
  positions,  ///< progress: source positions of tiles, arguments of a bag
};

/// The term added to a path's score to order states: the bound of the completion, or its estimate.
enum class Order { bound, estimate };

/// Best first by the bound: exact (Soricut & Marcu 2005, Fig. 5; 2006, Fig. 3).
struct AStar {};

/// Best first, and only states at most `k` shorter than the longest unfolded state (2005, §4).
struct AStarK {
  std::uint32_t k = 2;
  LengthUnit unit = LengthUnit::words;
  Order order = Order::bound;
};

/// Layers of equal length: all states (2005, Fig. 4), or the best of each layer (Fig. 6). Layers of equal progress are
/// Pharaoh's stacks (Koehn 2004). Without limits, as by default, it is exact; limits are the caller's choice.
struct BeamSearch {
  LengthUnit unit = LengthUnit::words;
  double beam = 0;             ///< states need this share of the best one's probability. 0: none
  std::size_t stack_size = 0;  ///< maximum number of states of a layer. 0: all
};

/// Layers that create only their most promising states (cube pruning, Huang & Chiang 2007).
struct CubePruning {
  std::size_t pop_limit = 1500;  ///< states generated per layer. 0: all
  double beam = 0;               ///< and kept, as in BeamSearch
  std::size_t stack_size = 0;
};

using Search = std::variant<AStar, AStarK, BeamSearch, CubePruning>;

/// The bound of the words still to be realized (of expressions; tiles have other bounds).
enum class Bound {
  loose,       ///< each word in its best context of all
  context,     ///< each word in its best context among those still available (Soricut & Marcu 2005, Eq. 2); as `loose`
               ///< for expressions of more than 64 different words
  eq2,         ///< the same, but impossible contexts count too, as in the literal equation; refused where it does not
               ///< apply, and `loose` if half of the budget does not suffice for it
  lagrangian,  ///< bags: all orders of as many words, a multiplier for each word (SequenceBound); else as `context`
};

/// The search space, and the bound and the estimate used in it.
struct SpaceOptions {
  static constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

  /// Tiles: largest jump between consecutively realized phrases. Even without a limit, searches unfold no phrase that
  /// ends more than 64 positions after the first free position, unless it begins there; the bound covers them.
  std::uint32_t distortion_limit = kNoLimit;
  /// Tiles: maximum number of alternatives per span, best estimates first. 0: all.
  std::uint32_t table_limit = 0;
  /// Tiles: whether the estimate that orders inexact searches includes the minimum remaining movement. Pharaoh's future
  /// cost does not.
  bool estimate_movement = true;
  Bound bound = Bound::lagrangian;
  /// Expressions other than tiles: whether the last n - 1 words split states (2005, §3.1), or only the part of them
  /// that language models distinguish, which gives fewer states.
  bool whole_contexts = false;
  /// Hard limits on the output: words, and bytes of UTF-8. 0: none.
  std::uint32_t max_words = 0;
  std::uint32_t max_bytes = 0;
  /// Expressions other than tiles: what counts as bytes. Null: the bytes of the words, plus a space between words.
  std::shared_ptr<const PrintedLength> printed;
};

/// The contents of a result.
struct OutputOptions {
  /// Number of derivations to return, best first; with `distinct`, only the best of equal strings.
  std::size_t nbest = 1;
  bool distinct = false;
  /// Maximum number of search events to record. If set, exact search over tiles is always best-first.
  std::size_t record = 0;
  /// Whether the result has the explored derivations as a lattice. It contains the arcs whose best path is at most
  /// `lattice_beam` worse than the best of all, and only the `lattice_arcs` best of them (0: all); see GraphPruning.
  bool lattice = false;
  double lattice_beam = std::numeric_limits<double>::infinity();
  std::size_t lattice_arcs = 0;

  bool needs_arcs() const { return nbest > 1 || lattice; }
};

/// Facts that a driver knows before a search begins.
struct KnownFacts {
  /// Derivations with a lower score need not be found. A score known to be reachable saves A* most of its work.
  double floor = -std::numeric_limits<double>::infinity();
  /// A complete path: the answer if a search ends without interruption and finds no better one.
  const RankedPath* path = nullptr;
  /// Whether bounds hold only for the best path to a node, and must be recomputed when it improves.
  bool reestimates = false;
};

struct SearchOptions {
  Search search = {};
  SpaceOptions space = {};
  Budget::Limits limits = {};  ///< of a sentence's search, including bounds, tables and the completion of an answer
  OutputOptions output = {};
  /// Tiles: after a search has ended, its bound is lowered until it is at most this much above the score (nats), or
  /// can't be lowered further (TileBound). Infinity: the bound is not lowered.
  double gap = std::numeric_limits<double>::infinity();
  KnownFacts known = {};
  SearchRecorder* recorder = nullptr;  ///< of this search only, or none
};

/// Whether bounds of tiles give a phrase's first word its best context among the sentence's own words (2005, Eq. 2).
/// This takes time and pays off when bounds alone order a search without a floor.
inline bool needs_own_contexts(const Search& search) {
  const AStarK* const k = std::get_if<AStarK>(&search);
  return k && k->order == Order::bound;
}

}  // namespace widl
