#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "expression/vocabulary.hpp"
#include "search/budget.hpp"
#include "search/constraint.hpp"
#include "search/hash_index.hpp"
#include "search/mix.hpp"
#include "search/ngram_scorer.hpp"
#include "search/printed_length.hpp"
#include "search/search.hpp"
#include "search/unfolding.hpp"

namespace widl {

/// A Constraint that reads the phrases of an NGramScorer. Its states are created and numbered as a search reaches them,
/// because their number may be the product of the automata's sizes; the budget counts them.
class PhraseConstraint {
 public:
  using State = std::uint32_t;
  static constexpr State kStart = 0, kDead = ~State{0};

  PhraseConstraint(const Constraint& constraint, const NGramScorer& scorer, const SentenceWords& words, Budget& budget)
      : constraint_(&constraint),
        scorer_(&scorer),
        words_(&words),
        states_(budget),
        index_(budget),
        now_(constraint.size(), 0) {
    const Budget::Grace grace(budget);
    number_of_now();
  }

  bool accepts(State state) const { return constraint_->accepts(parts(state)); }

  /// The state after a phrase. @throws OutOfBudget
  State next(State state, PhraseId phrase) {
    if (phrases_.size() <= phrase) phrases_.resize(scorer_->phrases());
    Phrase& entry = phrases_[phrase];
    if (!entry.numbered) {
      for (WordId word : scorer_->words(phrase)) entry.words.push_back(constraint_->number(words_->text(word)));
      entry.numbered = true;
    }
    if (entry.words.empty()) return state;
    std::ranges::copy(parts(state), now_.begin());
    for (std::uint32_t word : entry.words)
      if (!constraint_->read(word, now_)) return kDead;
    return std::ranges::equal(parts(state), now_) ? state : number_of_now();
  }

 private:
  struct Phrase {
    std::vector<std::uint32_t> words;  // in the constraint's numbering
    bool numbered = false;
  };

  std::span<const Constraint::State> parts(State state) const {
    return std::span(states_).subspan(state * now_.size(), now_.size());
  }

  State number_of_now() {
    std::uint64_t hash = 0;
    for (const Constraint::State part : now_) hash = mix(hash + part + 0x9e3779b97f4a7c15ULL);
    const State state = index_.find(hash, [&](State id) { return std::ranges::equal(parts(id), now_); });
    if (state != index_.kNone) return state;
    index_.make_room();
    if (states_.size() + now_.size() > states_.capacity())
      states_.reserve(std::max(8 * now_.size(), 2 * states_.size()));
    const auto number = made_++;
    states_.insert(states_.end(), now_.begin(), now_.end());
    index_.insert(hash, number);
    return number;
  }

  const Constraint* constraint_;
  const NGramScorer* scorer_;
  const SentenceWords* words_;
  std::vector<Phrase> phrases_;
  MeteredVector<Constraint::State> states_;  // of each automaton, state by state
  HashIndex<BudgetAllocator> index_;
  State made_ = 0;
  std::vector<Constraint::State> now_;
};

/// An unfolding whose edges are words with positions in an expression as written.
template <class U>
concept HasPositions = Unfolding<U> && requires(const U& unfolding, std::uint32_t label) { unfolding.position(label); };

/// The part of an unfolding whose strings a constraint accepts, with the printed length of their words as edge length:
/// the intersection of up to three automata.
///
/// A state combines the states of the unfolding and of the constraint. An edge is omitted if the constraint reaches a
/// dead state or, at the end, does not accept. Whatever bounds the completions of the unfolding's state bounds those
/// here.
template <Unfolding U>
class ConstrainedUnfolding {
 public:
  struct State {
    typename U::State inner;
    PhraseConstraint::State words;
    PrintedLength::State printed;
    bool operator==(const State&) const = default;
  };
  using Edge = UnfoldedEdge<State>;
  using Option = typename U::Option;
  using Covered = std::remove_cvref_t<decltype(U::covered(std::declval<typename U::State>()))>;

  /// Paths may lead into dead ends, which are only found by following them.
  static constexpr bool has_dead_ends = true;

  /// Without a constraint, all strings are accepted. Without `printed`, lengths in bytes come from the unfolding.
  ConstrainedUnfolding(const U& unfolding, PhraseConstraint* constraint, const PrintedLength* printed)
      : unfolding_(&unfolding), constraint_(constraint), printed_(printed) {}

  State initial() const { return {unfolding_->initial(), PhraseConstraint::kStart, 0}; }
  bool is_final(const State& state) const { return unfolding_->is_final(state.inner) && accepts(state.words); }
  static std::uint64_t hash(const State& state) {
    return mix(U::hash(state.inner) + (std::uint64_t{state.printed} << 32 | state.words) * 0x9e3779b97f4a7c15ULL);
  }
  std::size_t edge_work() const
    requires requires(const U& unfolding) { unfolding.edge_work(); }
  {
    return unfolding_->edge_work();
  }
  Extent shortest(const State& state) const { return unfolding_->shortest(state.inner); }

  /// Calls visit(edge) for every possible next edge.
  template <class Visit>
  void successors(const State& state, Visit&& visit) const {
    unfolding_->successors(state.inner, [&](const typename U::Edge& inner) {
      if (std::optional<Edge> edge = accepted(state, inner)) visit(*edge);
    });
  }

  // Steps depend only on the unfolding's own states, not on the words of the path.
  static const Covered& covered(const State& state) { return U::covered(state.inner); }
  static State moved(const State& from, const Covered& to) { return {to, from.words, from.printed}; }
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
  bool accepts(PhraseConstraint::State words) const { return !constraint_ || constraint_->accepts(words); }

  std::optional<Edge> accepted(const State& from, const typename U::Edge& edge) const {
    Edge result{
        {edge.to, PhraseConstraint::kStart, 0}, edge.phrase, edge.score, edge.label, edge.word_count, edge.bytes};
    if (constraint_) {
      result.to.words = constraint_->next(from.words, edge.phrase);
      if (result.to.words == PhraseConstraint::kDead || (unfolding_->is_final(edge.to) && !accepts(result.to.words)))
        return {};
    }
    if constexpr (HasPositions<U>)
      if (printed_) write(from.printed, result);
    return result;
  }

  /// Sets the bytes of an edge, and the state after it.
  void write(PrintedLength::State state, Edge& edge) const
    requires HasPositions<U>
  {
    const std::uint32_t position = unfolding_->position(edge.label);
    edge.bytes = 0;
    for (std::uint32_t word = 0; word < edge.word_count; ++word) {
      const PrintedLength::Step step = printed_->step(state, position + word);
      edge.bytes += step.bytes;
      state = step.to;
    }
    edge.to.printed = state;
  }

  const U* unfolding_;
  PhraseConstraint* constraint_;
  const PrintedLength* printed_;
};

/// Estimates and bounds of the unfolding's states remain valid under the constraint.
template <class State, class OfStates>
class ConstrainedEstimator final : public Estimator<State> {
 public:
  explicit ConstrainedEstimator(OfStates& inner) : inner_(inner) {}
  ScoreEstimate operator()(const State& state, const Arrival& arrival) override { return inner_(state.inner, arrival); }
  ScoreEstimate of_state(const State& state) override { return inner_.of_state(state.inner); }
  void solve_coverages()
    requires requires(OfStates& inner) { inner.solve_coverages(); }
  {
    inner_.solve_coverages();
  }

 private:
  OfStates& inner_;
};

/// Runs the search of the options over the unfolding or, with a constraint or a printed length, over the part of it
/// that is accepted. @throws InputError if words have no positions in the expression as written
template <Unfolding U, class OfStates>
SearchResult run_constrained(const U& unfolding, NGramScorer& scorer, OfStates& estimator, const SearchOptions& options,
                             const SentenceWords& words, const Constraint* constraint, Budget& budget) {
  const PrintedLength* printed = options.space.printed.get();
  if (printed && !HasPositions<U>)
    throw InputError("the printed length is known for expressions other than tiles only");
  if (!constraint && !printed) return run_search(unfolding, scorer, estimator, options, budget);
  std::optional<PhraseConstraint> of_phrases;
  if (constraint) of_phrases.emplace(*constraint, scorer, words, budget);
  ConstrainedUnfolding<U> part(unfolding, of_phrases ? &*of_phrases : nullptr, printed);
  ConstrainedEstimator<typename ConstrainedUnfolding<U>::State, OfStates> of_part(estimator);
  return run_search(part, scorer, of_part, options, budget);
}

}  // namespace widl
