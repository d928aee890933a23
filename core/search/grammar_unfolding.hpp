#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "expression/grammar.hpp"
#include "expression/sentence_words.hpp"
#include "search/edge.hpp"
#include "search/hash_table.hpp"
#include "search/recognizer.hpp"
#include "search/scorer.hpp"
#include "search/search.hpp"

namespace widl {

/// A Recognizer that reads the phrases of a Scorer.
class PhraseRecognizer {
 public:
  PhraseRecognizer(const Grammar& grammar, const Scorer& scorer, const SentenceWords& words, Budget& budget)
      : recognizer_(grammar, budget), scorer_(&scorer), words_(&words) {}

  ChartId start() const { return recognizer_.start(); }
  bool accepts(ChartId chart) const { return recognizer_.accepts(chart); }

  /// The chart after a phrase; Recognizer::kDead if no string of the grammar goes on so.
  ChartId scan(ChartId chart, PhraseId phrase) {
    if (phrases_.size() <= phrase) phrases_.resize(scorer_->phrases());
    Phrase& known = phrases_[phrase];
    if (!known.numbered) {
      for (WordId word : scorer_->words(phrase))
        known.words.push_back(recognizer_.grammar().word(words_->text(word)));
      known.numbered = true;
    }
    for (std::uint32_t word : known.words) {
      if (chart == Recognizer::kDead) break;
      chart = recognizer_.scan(chart, word);
    }
    return chart;
  }

 private:
  struct Phrase {
    std::vector<std::uint32_t> words;  // as the grammar numbers them
    bool numbered = false;
  };

  Recognizer recognizer_;
  const Scorer* scorer_;
  const SentenceWords* words_;
  std::vector<Phrase> phrases_;
};

/// The part of an unfolding whose strings a context-free grammar accepts (after Nederhof & Satta 2004, who
/// intersect the other way round: parsing items over the unfolding's states).
///
/// A state is the unfolding's and the chart of the words so far; no edge leads to where the grammar could not go on
/// or, at the end, does not accept. Whatever bounds the completions of the unfolding's state bounds those here.
template <Unfolding U>
class GrammarUnfolding {
 public:
  struct State {
    typename U::State inner;
    ChartId chart;
    bool operator==(const State&) const = default;
  };
  using Edge = UnfoldedEdge<State>;

  /// Paths may lead into dead ends, which are only found by following them.
  static constexpr bool has_dead_ends = true;

  GrammarUnfolding(const U& unfolding, PhraseRecognizer& recognizer)
      : unfolding_(&unfolding), recognizer_(&recognizer) {}

  State initial() const { return {unfolding_->initial(), recognizer_->start()}; }
  bool is_final(const State& state) const {
    return unfolding_->is_final(state.inner) && recognizer_->accepts(state.chart);
  }
  static std::uint64_t hash(const State& state) {
    return mix(U::hash(state.inner) + state.chart * 0x9e3779b97f4a7c15ULL);
  }
  std::size_t edge_work() const requires requires(const U& unfolding) { unfolding.edge_work(); } {
    return unfolding_->edge_work();
  }
  auto shortest(const State& state) const { return unfolding_->shortest(state.inner); }

  /// Calls visit(edge) for every edge that may come next.
  template <class Visit>
  void successors(const State& state, Visit&& visit) const {
    unfolding_->successors(state.inner, [&](const typename U::Edge& inner) {
      if (std::optional<Edge> edge = accepted(state, inner)) visit(*edge);
    });
  }

  // Of tiles also what stacks and cubes need: they plan with coverages, whatever the chart.
  static const auto& covered(const State& state) requires CoversTiles<U> { return U::covered(state.inner); }
  std::uint32_t length() const requires CoversTiles<U> { return unfolding_->length(); }
  std::uint32_t progress(const State& state) const requires CoversTiles<U> { return unfolding_->progress(state.inner); }
  template <class Covered>
  static State moved(const State& from, const Covered& to) { return {to, from.chart}; }
  template <class Covered, class Visit>
  void for_each_span(const Covered& covered, Visit&& visit) const requires CoversTiles<U> {
    unfolding_->for_each_span(covered, visit);
  }
  template <class Option, class Covered>
  std::optional<Edge> edge(const State& from, const Option& option, const Covered& to, double movement) const
      requires CoversTiles<U> {
    return accepted(from, *unfolding_->edge(from.inner, option, to, movement));
  }

 private:
  std::optional<Edge> accepted(const State& from, const typename U::Edge& edge) const {
    ChartId chart = recognizer_->scan(from.chart, edge.phrase);
    if (chart == Recognizer::kDead || (unfolding_->is_final(edge.to) && !recognizer_->accepts(chart))) return {};
    return Edge{{edge.to, chart}, edge.phrase, edge.score, edge.label, edge.word_count, edge.bytes};
  }

  const U* unfolding_;
  PhraseRecognizer* recognizer_;
};

/// Runs the search of the options over the unfolding or, with a grammar, over the part of it that the grammar accepts.
template <Unfolding U, class Estimator>
SearchResult run_filtered(const U& unfolding, Scorer& scorer, Estimator& estimator, const SearchOptions& options,
                          const SentenceWords& words, const Grammar* grammar, Budget& budget) {
  if (!grammar) return run_search(unfolding, scorer, estimator, options, budget);
  PhraseRecognizer recognizer(*grammar, scorer, words, budget);
  GrammarUnfolding<U> filtered(unfolding, recognizer);
  using State = typename GrammarUnfolding<U>::State;
  // Of one type whatever the estimator, so that the searches are compiled once for all of them.
  std::function<Scorer::ScoreEstimate(const State&, const Arrival&)> inner =
      [&](const State& state, const Arrival& arrival) { return estimator(state.inner, arrival); };
  return run_search(filtered, scorer, inner, options, budget);
}

}  // namespace widl
