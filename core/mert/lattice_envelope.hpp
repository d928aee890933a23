#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "mert/upper_envelope.hpp"
#include "search/lattice.hpp"

namespace widl {

/// The upper envelope of all paths of a lattice (Macherey et al. 2008): the paths that are best at some point λ + γ ·
/// d. Each path is a line λ · h + γ · d · h in γ.
///
/// An arc adds its line to each line of its start node. A node keeps only the upper envelope of all lines that reach
/// it. There are at most |arcs| - |nodes| + 2 of them. Keeps its scratch space from call to call.
class LatticeEnvelope {
 public:
  struct Line {
    double from;  ///< the point where it becomes the highest
    double slope, intercept;
    std::uint32_t arc;       ///< the last one of the path
    std::uint32_t previous;  ///< number of the line of the path before it
  };

  /// The lines that are highest somewhere in [lowest, highest], from left to right; at least one. `slopes` and
  /// `intercepts` are indexed by arc.
  std::span<const Line> find(const Lattice& lattice, std::span<const double> slopes, std::span<const double> intercepts,
                             double lowest = -std::numeric_limits<double>::infinity(),
                             double highest = std::numeric_limits<double>::infinity());

  /// The arcs of a line's path, for lines of the last call.
  std::vector<std::uint32_t> path(const Line& line) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  void arrive_at(const Lattice& lattice, std::uint32_t node, std::span<const double> slopes,
                 std::span<const double> intercepts, double lowest, double highest);

  UpperEnvelope envelope_;
  std::vector<Line> lines_;         // of all nodes
  std::vector<std::size_t> first_;  // by node
  std::vector<double> slopes_, intercepts_;
  std::vector<Line> arriving_;
};

/// The lattices of a tuning set, and the paths that were already taken from them.
class LatticeSet {
 public:
  /// @throws InputError for no lattices, different numbers of features, or features that are too large.
  explicit LatticeSet(std::vector<std::shared_ptr<const Lattice>> lattices);

  std::size_t size() const { return lattices_.size(); }
  std::size_t features() const { return lattices_.front()->width(); }
  const Lattice& operator[](std::size_t sentence) const { return *lattices_[sentence]; }

  using Path = std::vector<std::uint32_t>;
  /// For each sentence, the paths that are best somewhere on one of the lines, with weights between `lower` and `upper`
  /// and a step of at most `reach`. Paths returned by earlier calls are omitted. They do not depend on the number of
  /// threads.
  std::vector<std::vector<Path>> take(std::span<const double> weights,
                                      const std::vector<std::vector<double>>& directions, std::span<const double> lower,
                                      std::span<const double> upper, double reach, unsigned threads);

  /// The best path of each sentence; ties go to the first.
  std::vector<Path> best(std::span<const double> weights, unsigned threads) const;

 private:
  std::vector<std::shared_ptr<const Lattice>> lattices_;
  std::vector<std::set<Path>> taken_;
};

}  // namespace widl
