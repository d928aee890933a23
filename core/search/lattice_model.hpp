#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "expression/vocabulary.hpp"
#include "search/budget.hpp"
#include "search/lattice.hpp"
#include "search/ngram_scorer.hpp"
#include "search/unfolding.hpp"
#include "search/weight_vector.hpp"

namespace widl {

/// A scored arc of a lattice.
struct LatticeOption : StepOption {
  std::uint32_t from, to;
  std::uint32_t arc;  ///< its number in the lattice
};

/// A lattice joined with weights and language models. Labels are numbers of options, which are sorted by the begin,
/// then the end of their arcs; the options of one step are sorted best first.
class LatticeModel {
 public:
  LatticeModel(const Lattice& lattice, SentenceWords& words, NGramScorer& scorer, const WeightVector& weights,
               Budget& budget);

  const Lattice& lattice() const { return *lattice_; }
  const LatticeOption& option(std::uint32_t label) const { return options_[label]; }
  std::span<const LatticeOption> options_from(std::uint32_t node) const {
    return std::span(options_).subspan(first_from_[node], first_from_[node + 1] - first_from_[node]);
  }
  std::uint32_t last() const { return lattice_->nodes() - 1; }
  /// Maximum number of arcs on a path from the node to the last node.
  std::uint32_t most_arcs(std::uint32_t node) const { return most_arcs_[node]; }
  Extent shortest(std::uint32_t node) const { return shortest_[node]; }
  bool has_empty_phrases() const { return has_empty_phrases_; }

  /// Upper bound on the scores of paths from the node to the end; the same after the arc of a label.
  double rest(std::uint32_t node) const { return rest_[node]; }
  double rest_after(std::uint32_t label) const {
    return history_of_.empty() ? rest_[options_[label].to] : histories_[history_of_[label]].rest;
  }

 private:
  /// Arcs into a node after which language models see the same context, so that one bound covers the rest.
  struct History {
    std::uint32_t label;
    double rest;
  };

  void make_options(SentenceWords& words, NGramScorer& scorer, const WeightVector& weights);
  void measure();
  void bound_without_history(const NGramScorer& scorer);
  void bound_by_history(const NGramScorer& scorer);
  void find_histories(const NGramScorer& scorer);

  const Lattice* lattice_;
  Budget& budget_;
  std::vector<LatticeOption> options_;
  std::vector<std::uint32_t> first_from_, label_of_arc_, most_arcs_;
  std::vector<Extent> shortest_;
  std::vector<double> rest_;
  bool has_empty_phrases_ = false;
  MeteredVector<History> histories_{budget_};            // the histories of a node are adjacent, in node order
  MeteredVector<std::uint32_t> first_history_{budget_};  // by node
  MeteredVector<std::uint32_t> history_of_{budget_};     // by label; empty if the budget had no room for it
};

}  // namespace widl
