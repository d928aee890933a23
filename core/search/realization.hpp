#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "search/budget.hpp"
#include "search/certificate.hpp"
#include "search/lattice.hpp"
#include "search/search_record.hpp"

namespace widl {

/// A phrase of a derivation, in realization order.
struct RealizedPhrase {
  /// Tiles: source positions [begin, end). Other expressions: the phrase consists of words [begin, end) of the
  /// expression as written.
  std::uint32_t begin, end;
  std::uint32_t word_count;
  std::uint32_t number;  ///< of the alternative in the Tiles, or number of the WIDL-graph's edge
};

struct SearchStatistics {
  std::size_t states = 0;    ///< made
  std::size_t unfolded = 0;  ///< whose successors were made
  std::size_t edges = 0;
  std::size_t memory = 0;                 ///< bytes of states and tables at the end
  double seconds = 0;                     ///< since the sentence began
  std::size_t peak_memory = 0, work = 0;  // for tests of budgets, see Budget: bytes and ticks
};

/// One derivation.
struct Derivation {
  std::vector<std::string> words;
  std::vector<RealizedPhrase> phrases;  ///< of edges; a phrase of the expression may need several
  /// For each edge, the number of the expression's phrase that it belongs to, in the order in which the phrases begin.
  /// Their number is `phrase_count`.
  std::vector<std::uint32_t> phrase_numbers;
  double score = 0;              ///< Σ λ h
  std::vector<double> features;  ///< h, in the order of FeatureLayout
};

/// The events of a search, with their words.
struct SearchRecord {
  std::vector<SearchEvent> events;
  std::size_t left_out = 0;  ///< further events
  /// By label: the phrase of its edges, and its words.
  std::vector<RealizedPhrase> phrases;
  std::vector<std::vector<std::string>> words;
};

/// The outcome of a search. The outcome does not say what stopped it: a search that found derivations may have
/// been interrupted, too, and then proves less.
enum class Outcome {
  found,          ///< with at least one derivation
  proved_empty,   ///< it proved that no derivation fits the constraint and the limits of length
  out_of_budget,  ///< a budget ran out before a derivation was found; one may exist
  undecided,      ///< what the search pruned, or tiles that move past 64 positions, may hold one
};

/// The result of a search.
struct Realization {
  Outcome outcome = Outcome::found;
  std::string failure;                ///< a one-line reason if no derivation was found; otherwise empty
  std::vector<Derivation> nbest;      ///< best first; empty if no derivation was found
  Certificate certificate;            ///< of the first derivation; without one, only a bound
  Resource stopped = Resource::none;  ///< what ran out, in the search or while lists were made
  bool nbest_complete = true;         ///< neither a budget nor the window of tiles has truncated the list
  bool lattice_complete = true;       ///< likewise for the lattice
  SearchStatistics statistics;
  std::shared_ptr<const SearchRecord> record;  ///< none unless requested
  std::shared_ptr<const Lattice> lattice;      ///< none unless requested; features h in the order of FeatureLayout
};

}  // namespace widl
