#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace widl {

/// Derivations as paths of an acyclic graph from node 0 to the last node. Every arc leads to a larger number, and is on
/// some path from the first to the last node. The features of a derivation are the sum of its arcs' features.
class Lattice {
 public:
  struct Arc {
    std::uint32_t from, to;
    std::uint32_t begin, end;   ///< source positions
    std::uint32_t alternative;  ///< number in the Tiles
    std::uint32_t phrase;       ///< number of its words here
  };
  using Phrase = std::vector<std::string>;

  Lattice() = default;
  /// `features` holds a row for each arc.
  /// @throws InputError for arcs not sorted by `to`, then `from`, or not leading to larger numbers; for a node without
  /// a path to it or from it; for a wrong number of features.
  Lattice(std::vector<Arc> arcs, std::vector<Phrase> phrases, std::vector<double> features);

  /// The lattice of an acyclic acceptor. State numbers and the order of arcs are arbitrary. States and arcs that are on
  /// no path from the start to a final state are removed. `finals`: final states and the features of ending there,
  /// which become arcs without words to the last node unless they are 0 and the only final state has no arcs.
  /// @throws InputError for a cycle, or if no path leads to a final state
  static Lattice of_acceptor(std::uint32_t start, std::vector<Arc> arcs, std::vector<Phrase> phrases,
                             std::vector<double> features,
                             const std::vector<std::pair<std::uint32_t, std::vector<double>>>& finals);

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(first_in_.size() - 1); }
  const std::vector<Arc>& arcs() const { return arcs_; }
  const Phrase& words(const Arc& arc) const { return phrases_[arc.phrase]; }
  const std::vector<Phrase>& phrases() const { return phrases_; }
  /// Features of an arc.
  std::size_t width() const { return arcs_.empty() ? 0 : features_.size() / arcs_.size(); }
  std::span<const double> features(std::size_t arc) const {
    return std::span(features_).subspan(arc * width(), width());
  }
  const std::vector<double>& features() const { return features_; }
  /// Numbers [first, last) of the arcs into a node.
  std::size_t first_in(std::uint32_t node) const { return first_in_[node]; }
  std::size_t last_in(std::uint32_t node) const { return first_in_[node + 1]; }

  /// Sums along a path.
  std::vector<double> features_of(std::span<const std::uint32_t> path) const;
  Phrase words_of(std::span<const std::uint32_t> path) const;

  /// weights · h of every arc.
  void dot(std::span<const double> weights, std::vector<double>& scores) const;

  /// The same paths with a subset of the features.
  Lattice selected(std::span<const std::size_t> columns) const;

  /// The concatenated derivations of several lattices; each lattice's source positions count from its value in
  /// `starts`.
  static Lattice joined(std::span<const Lattice* const> lattices, std::span<const std::uint32_t> starts);

 private:
  void check() const;

  std::vector<Arc> arcs_;
  std::vector<Phrase> phrases_;
  std::vector<double> features_;
  std::vector<std::size_t> first_in_ = {0, 0};
};

}  // namespace widl
