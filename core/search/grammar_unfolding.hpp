#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "expression/grammar.hpp"
#include "expression/sentence_words.hpp"
#include "search/hash_table.hpp"
#include "search/recognizer.hpp"
#include "search/scorer.hpp"
#include "search/search.hpp"
#include "search/unfolding.hpp"

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
  using Option = typename U::Option;
  using Covered = std::remove_cvref_t<decltype(U::covered(std::declval<typename U::State>()))>;

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
  Extent shortest(const State& state) const { return unfolding_->shortest(state.inner); }
  std::uint32_t phrases_of(std::uint32_t label) const { return unfolding_->phrases_of(label); }
  double log_derivations() const requires requires(const U& unfolding) { unfolding.log_derivations(); } {
    return unfolding_->log_derivations();
  }

  /// Calls visit(edge) for every edge that may come next.
  template <class Visit>
  void successors(const State& state, Visit&& visit) const {
    unfolding_->successors(state.inner, [&](const typename U::Edge& inner) {
      if (std::optional<Edge> edge = accepted(state, inner)) visit(*edge);
    });
  }

  // Steps are planned with the unfolding's own states, whatever the chart.
  static const Covered& covered(const State& state) { return U::covered(state.inner); }
  static State moved(const State& from, const Covered& to) { return {to, from.chart}; }
  std::uint32_t progress(const Covered& covered) const { return unfolding_->progress(covered); }
  std::uint32_t length() const { return unfolding_->length(); }
  bool is_complete(const Covered& covered) const { return unfolding_->is_complete(covered); }
  template <class Visit>
  void for_each_step(const Covered& covered, Visit&& visit) const {
    unfolding_->for_each_step(covered, visit);
  }
  std::optional<Edge> edge(const State& from, const Option& option, const Covered& to, double step_score) const {
    const auto inner = unfolding_->edge(from.inner, option, to, step_score);
    return inner ? accepted(from, *inner) : std::nullopt;
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

/// What is known of the unfolding's state holds whatever the grammar accepts.
template <class State, class Inner>
class GrammarEstimator : public Estimator<State> {
 public:
  explicit GrammarEstimator(Estimator<Inner>& inner) : inner_(inner) {}
  ScoreEstimate operator()(const State& state, const Arrival& arrival) override { return inner_(state.inner, arrival); }
  ScoreEstimate of_state(const State& state) override { return inner_.of_state(state.inner); }
  void sharpen() override { inner_.sharpen(); }

 private:
  Estimator<Inner>& inner_;
};

/// Runs the search of the options over the unfolding or, with a grammar, over the part of it that the grammar accepts.
template <Unfolding U>
SearchResult run_filtered(const U& unfolding, Scorer& scorer, Estimator<typename U::State>& estimator,
                          const SearchOptions& options, const SentenceWords& words, const Grammar* grammar,
                          Budget& budget) {
  if (!grammar) return run_search(unfolding, scorer, estimator, options, budget);
  PhraseRecognizer recognizer(*grammar, scorer, words, budget);
  GrammarUnfolding<U> filtered(unfolding, recognizer);
  GrammarEstimator<typename GrammarUnfolding<U>::State, typename U::State> inner(estimator);
  return run_search(filtered, scorer, inner, options, budget);
}

}  // namespace widl
