#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "search/lattice.hpp"

namespace widl {

enum class Algorithm {
  bfs,
  astar,
  astar_k,
  beam,
  stack,  ///< tiles: layers of equally many source positions, Pharaoh's stacks (Koehn 2004)
  cube,   ///< tiles: the same, of each layer's successors only the most promising (cube pruning, Huang & Chiang 2007)
};

/// The bound of the words still to be realized (of expressions; tiles have other bounds).
enum class Bound {
  fixed,    ///< each word in its best context of all
  context,  ///< each word in its best context among those still available (Soricut & Marcu 2005, Eq. 2); as `fixed`
            ///< for expressions of more than 64 different words
  lagrangian,  ///< bags: all orders of as many words, a multiplier for each word (SequenceBound); else as `context`
};

/// Solving all coverages beforehand pays for exact search over tiles as long as there are few of them.
inline constexpr std::uint32_t kSolvableDistortionLimit = 8;

struct SearchOptions {
  static constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

  Algorithm algorithm = Algorithm::astar_k;
  /// A*_k: unfold only states at most this many words shorter than the longest one unfolded.
  std::uint32_t lookback = 2;
  /// A*_k: once there is a complete derivation, unfold what promises at least its score less this (nats): the estimate
  /// that orders states is no bound, and what it puts behind may be better.
  double margin = 0;
  /// Beam, stack, cube: drop states less probable than this share of the best one of their layer. 0: none.
  double beam = 0.1;
  /// And keep only so many of them. 0: all.
  std::size_t beam_size = 0;
  /// Cube: make only so many states of a layer. 0: all.
  std::size_t pop_limit = 0;
  /// Tiles: whether the estimate that orders inexact searches counts the movement that is left at least. Pharaoh's
  /// future cost does not.
  bool estimate_movement = true;
  Bound bound = Bound::lagrangian;
  /// How many derivations to return, best first; of equal strings only the best with `distinct`.
  std::size_t nbest = 1;
  bool distinct = false;
  /// Hard limits on the output: words, and bytes of UTF-8 with a space between words. 0: none.
  std::uint32_t max_words = 0;
  std::uint32_t max_bytes = 0;
  /// Largest jump between phrases that are realized one after the other.
  std::uint32_t distortion_limit = kNoLimit;
  /// Of each span only so many alternatives, best estimates first, take part. 0: all.
  std::uint32_t alternatives_per_span = 0;
  /// Derivations with a score below this need not be found: a score that is known to be reached saves A* most of
  /// its work.
  double floor = -std::numeric_limits<double>::infinity();
  // Budget of a sentence: bounds, tables and the completion of an answer included. See Budget.
  std::size_t max_states = 0;  ///< 0: no limit
  double max_seconds = 0;      ///< 0: no limit
  std::size_t max_memory = 0;  ///< bytes of states and tables. 0: no limit
  std::size_t max_readings = 0;  ///< for tests: the time is up when the clock has been read so often. 0: no limit
  std::size_t trace = 0;       ///< so many of the states reached, with their edges, are told in the result
  /// Tiles: whether the result has the explored derivations as a lattice, and what of it: arcs whose best path is worse
  /// than the best of all by at most `lattice_beam`, and of them the `lattice_arcs` best (0: all); see GraphPruning.
  bool lattice = false;
  double lattice_beam = std::numeric_limits<double>::infinity();
  std::size_t lattice_arcs = 0;
};

/// A phrase of a derivation, in the order realized.
struct RealizedPhrase {
  /// Tiles: source positions [begin, end). Else: its words are words [begin, end) of the expression as written.
  std::uint32_t begin, end;
  std::uint32_t word_count;
  std::uint32_t alternative;        ///< number in the Tiles, or of the WIDL-graph's edge
};

struct SearchStatistics {
  std::size_t states = 0;           ///< made
  std::size_t unfolded = 0;         ///< whose successors were made
  std::size_t edges = 0;
  std::size_t peak_queue = 0;
  std::size_t memory = 0;           ///< bytes of states and tables at the end
  double seconds = 0;               ///< since the sentence began
  // For tests of budgets, see Budget: bytes, units of work, and readings of the clock.
  std::size_t peak_memory = 0, readings = 0, most_unread = 0, overdue = 0;
};

/// One derivation.
struct Derivation {
  std::vector<std::string> words;
  std::vector<RealizedPhrase> phrases;
  double score = 0;                 ///< Σ λ h
  std::vector<double> features;     ///< h, in the order of Weights
};

/// The states that search reached, in this order, and the steps between them, for drawings.
struct Trace {
  struct State {
    std::vector<std::string> words;  ///< of the best path here
    double score;                    ///< of that path
    double bound;                    ///< no derivation through here scores more
    bool unfolded;                   ///< its successors were made; else it was left aside
    bool is_goal;
    bool is_best;                    ///< on the best path found
  };
  struct Edge {
    std::uint32_t from, to;          ///< numbers of states
    std::vector<std::string> words;
    double score;
  };
  std::vector<State> states;
  std::vector<Edge> edges;
  std::size_t left_out = 0;          ///< states that are not told
};

/// The result of a search.
struct Realization {
  std::vector<Derivation> nbest;    ///< best first; at least one
  double bound = 0;                 ///< no derivation scores more
  bool optimal = false;             ///< the first one's score reaches bound, up to 1e-6 relative
  std::string stopped;              ///< the budget that ran out, or empty
  SearchStatistics statistics;
  Trace trace;                      ///< empty unless asked for
  std::shared_ptr<const Lattice> lattice;  ///< none unless asked for; features h in the order of Weights
};

}  // namespace widl
