#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "expression/expression.hpp"
#include "expression/vocabulary.hpp"

namespace widl {

/// The finite-state acceptor of an expression, written out: its unfolding without language models.
///
/// States are numbered from 0, the start, in order of first visit. A state is a cut, or a place
/// between the words of a lock. Each path from 0 to `final` is a derivation, and the product of its arcs' factors is
/// that derivation's probability. States that lead nowhere may be among them.
struct ExpressionAcceptor {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr WordId kEmpty = ~WordId{0};

  struct Arc {
    std::uint32_t from, to;
    WordId word;  ///< or kEmpty, of a derivation without words
  };

  std::vector<Arc> arcs;     ///< grouped by state, and within a state in the expression's order
  std::vector<double> logs;  ///< J an arc: ln of its factor, movement included
  std::size_t components;    ///< J
  std::uint32_t states = 0;
  std::uint32_t final = kNone;  ///< kNone: not reached
  bool complete = true;         ///< whether these are all arcs, not the first `limit`

  /// Maps the node number of an interleave with shuffles (in a NodeTable) to ln of the divisor of their mass. The
  /// divisor replaces the number of shuffles of the current derivation.
  using ShuffleCounts = std::map<std::uint32_t, double>;

  /// @throws InputError if a WidlGraph can't be made
  static ExpressionAcceptor of(const Expression& expression, SentenceWords& words, std::size_t limit,
                               const ShuffleCounts& shuffles);
};

}  // namespace widl
