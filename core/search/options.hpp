#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "expression/vocabulary.hpp"

namespace widl {

enum class Algorithm { astar, astar_k };

struct SearchOptions {
  static constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

  Algorithm algorithm = Algorithm::astar_k;
  /// A*_k: unfold only states at most this many words shorter than the longest one unfolded.
  std::uint32_t lookback = 2;
  /// Largest jump between phrases that are realized one after the other.
  std::uint32_t distortion_limit = kNoLimit;
  /// Of each span only so many alternatives, best estimates first, take part. 0: all.
  std::uint32_t alternatives_per_span = 0;
  std::size_t max_states = 0;  ///< 0: no limit
  double max_seconds = 0;      ///< 0: no limit
};

/// A phrase of a derivation, in the order realized.
struct RealizedPhrase {
  std::uint32_t begin, end;         ///< source positions [begin, end)
  std::uint32_t alternative;        ///< number in the Tiles
};

struct SearchStatistics {
  std::size_t states = 0;           ///< made
  std::size_t unfolded = 0;         ///< whose successors were made
  std::size_t edges = 0;
  std::size_t peak_queue = 0;
  double seconds = 0;
};

struct Realization {
  std::vector<WordId> words;
  std::vector<RealizedPhrase> derivation;
  double score = 0;                 ///< Σ λ h
  double bound = 0;                 ///< no derivation scores more
  bool optimal = false;             ///< score reaches bound, up to 1e-6 relative
  std::string stopped;              ///< the budget that ran out, or empty
  std::vector<double> features;     ///< h, in the order of Weights
  SearchStatistics statistics;
};

}  // namespace widl
