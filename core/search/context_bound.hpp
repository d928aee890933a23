#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "log_zero.hpp"
#include "search/budget.hpp"
#include "search/constants.hpp"
#include "search/graph_unfolding.hpp"
#include "search/mix.hpp"

namespace widl {

/// Bit sets of the words that may still be realized at least once, and at least twice.
struct Availability {
  std::uint64_t once = 0, twice = 0;
  bool of_all_branches = false;  ///< alternatives count like parts: all their labels, with repetitions
};
/// Words of both parts, which are both realized.
inline Availability operator+(const Availability& a, const Availability& b) {
  return {a.once | b.once, a.twice | b.twice | (a.once & b.once), a.of_all_branches || b.of_all_branches};
}
/// The words of two alternatives; one of them is realized.
inline Availability better(const Availability& a, const Availability& b) {
  if (a.of_all_branches || b.of_all_branches) return a + b;
  return {a.once | b.once, a.twice | b.twice};
}

inline Availability nothing(const Availability*) { return {}; }

/// Bounds that relax the order of the remaining words. Each word chooses its best context among the available ones,
/// independently of the others (Soricut & Marcu 2005, Eq. 2):
///
///   bound(state) = Σ over words w to come  max over contexts c of w  ln p(w | c)  +  max over c  ln p(</s> | c)
///   contexts of w: the history h; the last word of h and one word to come; two words to come
///
/// The best branch of a disjunction counts, while contexts come from all branches. (The paper could be read as adding
/// up the words of all branches; that would not be a bound.) Models beyond trigrams score words further left at their
/// best.
///
/// Impossible contexts are excluded: a word is not its own context, realized words precede the remaining words, and the
/// words of a locked phrase follow each other. `as_written` gives the paper's equation: each word is an event, also
/// within a phrase. Its context is any two of the remaining words and the last two labels, <s> among them, each as
/// often as it is written.
///
/// Three words a, b, c with bigrams <s> a: -1, a b: -1, a c: -1, b c: -3, c b: -3, b </s> and c </s>: -1. After a, both
/// b and c choose a: the bound is -1 - 1 - 1 = -3, but the best completion b c </s> scores -1 - 3 - 1 = -5.
/// (tests/decoder/test_worked_bounds.py repeats it.)
template <std::size_t Words>
class ContextBound : public Estimator<Cut<Words>> {
 public:
  using State = Cut<Words>;

  /// Whether the graph is small enough: its words fit into a set of bits, their contexts fit into memory and, if each
  /// state needs the value of all edges, the edges are few. For the paper's equation only the budget limits contexts.
  static bool applies(const GraphUnfolding<Words>& unfolding, bool as_written) {
    std::size_t types = unfolding.model().types().size(), edges = unfolding.model().graph().edges().size();
    return types > 0 && (as_written || types * types * edges <= constants::kMaxContexts) &&
           (unfolding.is_flat() || edges <= constants::kMaxContextEdges);
  }

  /// @throws OutOfBudget
  ContextBound(const GraphUnfolding<Words>& unfolding, NGramScorer& scorer, Budget& budget, bool as_written = false)
      : as_written_(as_written),
        unfolding_(unfolding),
        model_(unfolding.model()),
        scorer_(scorer),
        budget_(budget),
        state_work_(unfolding.model().graph().edges().size() * (unfolding.is_flat() ? 2 : 8)) {
    describe_edges();
    rank_pairs();
    edge_values_.closings = model_.estimates().closings;
    edge_values_.movements = model_.estimates().movements;
    available_.closings.resize(model_.graph().interleaves().size());
    model_.fill(
        available_,
        [&](std::uint32_t e) {
          return Availability{model_.types_of(e), repeated_[e], as_written_};
        },
        [](std::uint32_t) { return Availability{}; });
  }

  ScoreEstimate operator()(const State& state, const Arrival& arrival) override {
    budget_.work(state_work_);
    const ContextId context = arrival.context;
    Availability available = unfolding_.rest(state, available_);
    if (as_written_) available = available + history(arrival);
    const std::uint32_t group = group_of(context);
    begins_ = as_written_ && records_begin(arrival);
    double sum = best_finish(state, available, context, group);
    if (unfolding_.is_flat()) {
      unfolding_.for_each_open_step(state, [&](std::span<const WidlGraph::Edge> edges) {
        double best = kLogZero;
        for (const WidlGraph::Edge& edge : edges) best = std::max(best, value(edge, available, context, group));
        sum += best;
      });
      sum += unfolding_.flat_frame(state);
    } else {
      model_.fill(
          edge_values_,
          [&](std::uint32_t e) {
            double best = value(model_.graph().edges()[e], available, context, group);
            return ScoreEstimate{best, best};
          },
          [&](std::uint32_t row) {
            return ScoreEstimate{model_.row_score(row), model_.row_score(row)};
          });
      sum += unfolding_.rest(state, edge_values_).bound;
    }
    return {sum, sum};
  }
  ScoreEstimate of_state(const State& state) override {
    budget_.work(model_.graph().nodes().size() / 8);
    return unfolding_.completion(state);
  }

 private:
  /// A context and the score of an event in it; `types` are the words it takes.
  struct Ranked {
    double score;
    std::uint64_t types;
    bool same;  ///< one word twice
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kWorkPerScore = 20;

  std::size_t types() const { return model_.types().size(); }
  std::size_t events() const { return phrases_.size() + 1; }  // and </s>

  void describe_edges() {
    std::unordered_map<PhraseId, std::uint32_t> events;
    for (std::uint32_t e = 0; e < model_.graph().edges().size(); ++e) {
      auto words = model_.graph().words(model_.graph().edges()[e]);
      first_event_.push_back(static_cast<std::uint32_t>(events_.size()));
      for (std::size_t w = 0; w < (as_written_ ? words.size() : 1); ++w) {
        const PhraseId phrase = as_written_ ? scorer_.phrase(words.subspan(w, 1)) : model_.phrase(e);
        auto [entry, added] = events.try_emplace(phrase, static_cast<std::uint32_t>(phrases_.size()));
        if (added) phrases_.push_back(phrase);
        events_.push_back(entry->second);
      }
      // Detects words that occur twice in a phrase. Counting suffices, because phrases are short.
      bool repeats = static_cast<std::size_t>(std::popcount(model_.types_of(e))) < words.size();
      repeated_.push_back(repeats ? model_.types_of(e) : 0);
    }
    first_event_.push_back(static_cast<std::uint32_t>(events_.size()));
  }

  /// For each event, the pairs of words that may precede it, best first.
  void rank_pairs() {
    pairs_.resize(events(), MeteredVector<Ranked>(budget_));
    for (std::size_t u = 0; u < types(); ++u)
      for (std::size_t v = 0; v < types(); ++v) {
        budget_.work(kWorkPerScore * events());
        PhraseId before[] = {model_.types()[u], model_.types()[v]};
        NGramScorer::Known context = scorer_.known(before, false);
        std::uint64_t both = std::uint64_t{1} << u | std::uint64_t{1} << v;
        for (std::size_t i = 0; i < phrases_.size(); ++i)
          pairs_[i].push_back({scorer_.bound_after(context, phrases_[i]), both, u == v});
        pairs_.back().push_back({scorer_.finish_bound_after(context), both, u == v});
      }
    for (auto& ranked : pairs_) {
      budget_.work(4 * ranked.size());
      sort(ranked);
    }
  }

  static void sort(MeteredVector<Ranked>& ranked) {
    std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
  }

  static double first(const MeteredVector<Ranked>& ranked, const Availability& available) {
    for (const Ranked& phrase : ranked)
      if ((phrase.types & ~available.once) == 0 && (!phrase.same || (phrase.types & available.twice)))
        return phrase.score;
    return kLogZero;
  }

  /// Upper bound of an edge's score.
  double value(const WidlGraph::Edge& edge, const Availability& all, ContextId context, std::uint32_t group) {
    std::uint32_t number = model_.graph().number_of(edge);
    // Words that occur only in this edge don't come before it.
    const std::uint64_t types = as_written_ ? 0 : model_.types_of(number) & ~all.twice;
    Availability others{all.once & ~types, all.twice};
    double sum = model_.edge_score(number);
    for (std::uint32_t i = first_event_[number]; i < first_event_[number + 1]; ++i) {
      const std::uint32_t event = events_[i];
      double best = scorer_.extend(context, phrases_[event]).score;
      if (others.once) {
        // Pairs include the history's words, except <s>.
        if (begins_) best = std::max(best, first(after_one(group_of(scorer_.start()), event), others));
        if (!as_written_) best = std::max(best, first(after_one(group, event), others));
        best = std::max(best, first(pairs_[event], others));
      }
      sum += best;
    }
    return sum;
  }

  double best_finish(const State& state, const Availability& available, ContextId context, std::uint32_t group) {
    if (available.once == 0) return scorer_.finish(context);
    auto end = static_cast<std::uint32_t>(phrases_.size());
    bool several = available.twice || std::popcount(available.once) > 1;
    double best = as_written_ ? scorer_.finish(context) : kLogZero;
    if (begins_) best = std::max(best, first(after_one(group_of(scorer_.start()), end), available));
    if (!as_written_ && (!several || may_end_after_one(state)))
      best = std::max(best, first(after_one(group, end), available));
    return several ? std::max(best, first(pairs_[end], available)) : best;
  }

  /// Whether <s> is one of the last two labels of the path.
  bool records_begin(const Arrival& arrival) const {
    if (arrival.label == Arrival::kNone) return true;
    return arrival.previous == Arrival::kNone &&
           model_.graph().words(model_.graph().edges()[arrival.label]).size() == 1;
  }

  /// The last two words of the path.
  Availability history(const Arrival& arrival) const {
    Availability availability;
    std::size_t left = 2;
    for (std::uint32_t edge : {arrival.label, arrival.previous}) {
      if (edge == Arrival::kNone) break;
      auto words = model_.graph().words(model_.graph().edges()[edge]);
      for (; left > 0 && !words.empty(); --left, words = words.first(words.size() - 1))
        availability = availability + Availability{type_bit(words.back()), 0};
    }
    return availability;
  }
  std::uint64_t type_bit(WordId word) const {
    const auto type =
        std::ranges::find_if(model_.types(), [&](PhraseId t) { return scorer_.words(t).front() == word; });
    return std::uint64_t{1} << (type - model_.types().begin());
  }

  /// Whether a single word may complete the sentence. Assumed for graphs that are not flat.
  bool may_end_after_one(const State& state) const {
    if (!unfolding_.is_flat()) return true;
    std::size_t open = 0;
    std::span<const WidlGraph::Edge> last;
    unfolding_.for_each_open_step(state, [&](std::span<const WidlGraph::Edge> edges) {
      ++open;
      last = edges;
    });
    return open == 1 && std::any_of(last.begin(), last.end(), [](const auto& edge) { return edge.word_count == 1; });
  }

  /// Contexts that become equal after one more word form a group: for a trigram model, contexts with equal last words.
  std::uint32_t group_of(ContextId context) {
    if (group_of_context_.size() <= context) group_of_context_.resize(context + context / 2 + 16, kNone);
    if (group_of_context_[context] != kNone) return group_of_context_[context];
    budget_.work(kWorkPerScore * types());
    MeteredVector<ContextId> next(budget_);
    std::uint64_t hash = 0;
    for (PhraseId type : model_.types()) {
      next.push_back(scorer_.extend(context, type).next);
      hash = mix(hash + next.back());
    }
    auto [first, last] = groups_by_hash_.equal_range(hash);
    for (; first != last; ++first)
      if (groups_[first->second] == next) return group_of_context_[context] = first->second;
    auto group = static_cast<std::uint32_t>(groups_.size());
    after_one_.resize((groups_.size() + 1) * events(), MeteredVector<Ranked>(budget_));
    make_room(groups_);
    groups_by_hash_.emplace(hash, group);
    groups_.push_back(std::move(next));
    return group_of_context_[context] = group;
  }

  /// For an event, the words that may occur between a context of the group and the event, best first.
  const MeteredVector<Ranked>& after_one(std::uint32_t group, std::uint32_t event) {
    MeteredVector<Ranked>& ranked = after_one_[group * events() + event];
    if (!ranked.empty()) return ranked;
    budget_.work(kWorkPerScore * types());
    ranked.reserve(types());
    for (std::size_t v = 0; v < types(); ++v) {
      ContextId between = groups_[group][v];
      double score = event < phrases_.size() ? scorer_.extend(between, phrases_[event]).score : scorer_.finish(between);
      ranked.push_back({score, std::uint64_t{1} << v, false});
    }
    sort(ranked);
    return ranked;
  }

  bool as_written_;
  bool begins_ = false;  // <s> is one of the last two labels of the state that is looked at
  const GraphUnfolding<Words>& unfolding_;
  const GraphModel& model_;
  NGramScorer& scorer_;
  Budget& budget_;
  std::size_t state_work_;
  std::vector<PhraseId> phrases_;                            // by event
  std::vector<std::uint32_t> events_, first_event_;          // of all edges, and by edge where its own begin
  std::vector<std::uint64_t> repeated_;                      // by edge: its words, if one occurs twice
  std::vector<MeteredVector<Ranked>> pairs_;                 // by event
  MeteredVector<MeteredVector<ContextId>> groups_{budget_};  // by group: the context after each type
  std::unordered_multimap<std::uint64_t, std::uint32_t, std::hash<std::uint64_t>, std::equal_to<std::uint64_t>,
                          BudgetAllocator<std::pair<const std::uint64_t, std::uint32_t>>>
      groups_by_hash_{budget_};
  MeteredVector<std::uint32_t> group_of_context_{budget_};
  MeteredVector<MeteredVector<Ranked>> after_one_{budget_};  // by group and event
  RestTables<Availability> available_;
  RestTables<ScoreEstimate> edge_values_;
};

}  // namespace widl
