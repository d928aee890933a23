#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "search/budget.hpp"
#include "search/claims.hpp"
#include "search/hash_table.hpp"
#include "search/scorer.hpp"
#include "search/tiles_unfolding.hpp"

namespace widl {

/// An upper bound of the derivations of tiles: coverage and movement exact, and of language models what two phrases in a
/// row give.
///
/// A state is what is covered and where the last phrase ended, at e. The step to the next phrase *claims* a tail that
/// some alternative ending at e has, its last words, and scores the phrase's head behind it. Nothing but a price makes
/// claims agree with the alternative that was used: multipliers φ_e(tail), which using an alternative earns and claiming
/// its tail costs, so that they cancel where both agree (Lagrangian relaxation, as Chang & Collins 2011 relax coverage):
///
///   L(φ) = max over coverages Σ steps  max over options o of the step's span, claims a at e of
///            score(o) + head(o | a) - φ_e(a) + φ_end(o)(tail(o))
///
/// Every L(φ) is a bound; subgradient steps lower it. What stands before a tail that is all of its phrase is not known,
/// and at its best for language models: where the best solution has such a short tail, it is told apart by the words
/// that the solution claims before it. A claim of those words then leads to the tail that is known better.
template <std::size_t Words>
class TransitionBound {
 public:
  using State = Coverage<Words>;

  /// @throws OutOfBudget, also where there are too many states
  TransitionBound(const TilesUnfolding<Words>& unfolding, const TileModel& model, const Scorer& scorer, Budget& budget)
      : unfolding_(unfolding), model_(model), scorer_(scorer), budget_(budget) {
    number_ends();
    list_states();
    score_heads();
  }

  /// Lowers the bound by up to so many steps, until it is `enough` or steps hardly lower it; `floor`: a score that is
  /// reached. @throws OutOfBudget, what is lowered until then remains
  void tighten(unsigned steps, double floor, double enough) {
    double at_look = bound_;
    unsigned higher = 0;  // steps that did not lower it
    for (unsigned i = 1; i <= steps; ++i) {
      const double now = solve();
      if (now >= bound_) ++higher;
      bound_ = std::min(bound_, now);
      if (bound_ <= enough) return;
      follow_choices();
      const bool refined = refine();
      if (!move((now - floor) / (1 + kDamping * higher)) && !refined) return;
      if (i % kStepsPerLook) continue;
      if (at_look - bound_ < kLeastGain * (bound_ - floor)) return;
      at_look = bound_;
    }
  }
  double bound() const { return bound_; }

 private:
  static constexpr std::size_t kMostStates = 300'000;
  static constexpr std::size_t kWorkPerScore = 10, kWorkPerArc = 8;
  static constexpr double kDamping = 0.02;
  static constexpr unsigned kStepsPerLook = 100;
  static constexpr double kLeastGain = 0.02;  // of the gap, between two looks

  /// A short alternative behind some of the tails at an end: there it leaves a tail that is told apart.
  struct Refinement {
    std::uint32_t claimed, tail;
  };
  /// A step of the best solution.
  struct Choice {
    std::size_t slot;
    std::uint32_t option, claimed;
  };
  struct Arc {
    std::uint32_t slot, to;
    double movement;
  };

  void number_ends() {
    const std::vector<TileOption>& options = model_.options();
    ends_.assign(model_.length() + 1, ClaimEnd(budget_));
    heads_.resize(model_.length() + 1);
    std::vector<std::map<std::vector<WordId>, std::uint32_t>> tails(ends_.size());
    std::vector<std::map<std::uint32_t, std::uint32_t>> heads(ends_.size());
    const Scorer::Known nothing = scorer_.known({}, false);
    for (const TileOption& option : options) {
      budget_.work(2 * kWorkPerScore);
      own_.push_back(option.score + scorer_.estimate_of(option.phrase).bound -
                     scorer_.head_bound_after(nothing, option.phrase));
      const auto words = scorer_.words(option.phrase);
      const auto last = words.last(std::min<std::size_t>(words.size(), scorer_.reach()));
      ClaimEnd& end = ends_[option.end];
      const auto [tail, new_tail] =
          tails[option.end].try_emplace({last.begin(), last.end()}, static_cast<std::uint32_t>(end.tails.size()));
      if (new_tail) end.tails.push_back({{option.phrase}, false});
      ClaimHeads& begin = heads_[option.begin];
      const auto [head, new_head] =
          heads[option.begin].try_emplace(scorer_.head(option.phrase), static_cast<std::uint32_t>(begin.size()));
      if (new_head) begin.push_back(option.phrase);
      tail_of_.push_back(tail->second);
      head_of_.push_back(head->second);
      if (span_of_.empty() || options[span_of_.size() - 1].begin != option.begin ||
          options[span_of_.size() - 1].end != option.end)
        spans_.push_back(static_cast<std::uint32_t>(span_of_.size()));
      span_of_.push_back(static_cast<std::uint32_t>(spans_.size() - 1));
    }
    spans_.push_back(static_cast<std::uint32_t>(options.size()));
    ends_[0].tails.push_back({{}, true});
    refinements_.resize(options.size());
    for (ClaimEnd& end : ends_) {
      end.prices.assign(std::max<std::size_t>(1, (end.tails.size() + ClaimEnd::kLanes - 1) / ClaimEnd::kLanes) * ClaimEnd::kLanes, 0.0);
      end.finishes.assign(end.prices.size(), kNeverClaimed);
      end.changes.assign(end.prices.size(), 0);
    }
  }

  /// Lists the states that can be reached, by the number of positions covered, with the steps between them.
  void list_states() {
    std::vector<Counted<std::uint32_t>> layers(model_.length() + 1, Counted<std::uint32_t>(budget_));
    slots_.assign(ends_.size() * (spans_.size() - 1), kNeverClaimed);
    const State initial = unfolding_.initial();
    layers[0].push_back(states_.intern(initial, initial.hash()));
    for (const auto& layer : layers)
      for (std::size_t i = 0; i < layer.size(); ++i) {
        const State state = states_[layer[i]];
        order_.push_back(layer[i]);
        first_arc_.push_back(arcs_.size());
        unfolding_.for_each_step(state, [&](std::span<const TileOption> options, const State& to, double movement) {
          budget_.work(kWorkPerArc);
          const std::size_t known = states_.size();
          const std::uint32_t number = states_.intern(to, to.hash());
          if (number >= known) layers[to.count()].push_back(number);
          const auto span = span_of_[static_cast<std::size_t>(options.data() - model_.options().data())];
          const std::size_t slot = state.last_end * (spans_.size() - 1) + span;
          slots_[slot] = 0;  // is used
          arcs_.push_back({static_cast<std::uint32_t>(slot), number, movement});
        });
        if (states_.size() > kMostStates) throw OutOfBudget{"max_memory"};
      }
    first_arc_.push_back(arcs_.size());
    values_.resize(states_.size());
    choices_.resize(states_.size());
  }

  /// What language models give at most each head behind each tail, and </s>.
  void score_heads() {
    blocks_.assign(ends_.size() * ends_.size(), kNone);
    const std::size_t spans = spans_.size() - 1;
    for (std::uint32_t e = 0; e < ends_.size(); ++e) {
      for (std::size_t s = 0; s < spans; ++s) {
        const std::uint32_t begin = model_.options()[spans_[s]].begin;
        if (slots_[e * spans + s] == kNeverClaimed || blocks_[e * ends_.size() + begin] != kNone) continue;
        blocks_[e * ends_.size() + begin] = static_cast<std::uint32_t>(block_list_.size());
        ClaimBlock block{e, begin, Counted<double>(budget_), Counted<double>(budget_)};
        block.scores.assign(heads_[begin].size() * ends_[e].prices.size(), kNeverClaimed);
        block.values.assign(heads_[begin].size(), kNeverClaimed);
        block_list_.push_back(std::move(block));
      }
      for (std::uint32_t t = 0; t < ends_[e].tails.size(); ++t) score_behind(e, t);
    }
  }

  void score_behind(std::uint32_t e, std::uint32_t tail) {
    ClaimEnd& end = ends_[e];
    const Scorer::Known known = scorer_.known(end.tails[tail].phrases, end.tails[tail].from_start);
    end.finishes[tail] = scorer_.finish_bound_after(known);
    for (std::uint32_t begin = 0; begin < ends_.size(); ++begin) {
      const std::uint32_t number = blocks_[e * ends_.size() + begin];
      if (number == kNone) continue;
      const ClaimHeads& heads = heads_[begin];
      budget_.work(kWorkPerScore * heads.size());
      for (std::size_t h = 0; h < heads.size(); ++h)
        block_list_[number].scores[h * end.prices.size() + tail] = scorer_.head_bound_after(known, heads[h]);
    }
  }

  /// Adds a tail, priced as another one.
  std::uint32_t add_tail(std::uint32_t e, const ClaimTail& tail, double price) {
    ClaimEnd& end = ends_[e];
    if (end.tails.size() == end.prices.size()) lengthen_rows(e);
    const auto number = static_cast<std::uint32_t>(end.tails.size());
    end.tails.push_back(tail);
    end.prices[number] = price;
    end.is_stale = true;
    score_behind(e, number);
    return number;
  }

  void lengthen_rows(std::uint32_t e) {
    ClaimEnd& end = ends_[e];
    const std::size_t old = end.prices.size(), now = 2 * old;
    for (ClaimBlock& block : block_list_) {
      if (block.end != e) continue;
      Counted<double> longer(block.values.size() * now, kNeverClaimed, budget_);
      for (std::size_t h = 0; h < block.values.size(); ++h)
        std::copy_n(&block.scores[h * old], old, &longer[h * now]);
      block.scores = std::move(longer);
    }
    end.finishes.resize(now, kNeverClaimed);
    end.changes.resize(now, 0);
    end.prices.resize(now, 0.0);
  }

  /// The prices of claims before an option: those that lead to another tail than its own are worth so much more.
  const Counted<double>& prices_before(const ClaimBlock& block, std::uint32_t o) {
    const Counted<double>& prices = ends_[block.end].prices;
    const auto refined = refinements_[o].find(block.end);
    if (refined == refinements_[o].end()) return prices;
    scratch_ = prices;
    const Counted<double>& behind = ends_[model_.options()[o].end].prices;
    for (const Refinement& one : refined->second) scratch_[one.claimed] -= behind[one.tail] - behind[tail_of_[o]];
    return scratch_;
  }
  const double* scores_of(const ClaimBlock& block, std::uint32_t o) const {
    return &block.scores[head_of_[o] * ends_[block.end].prices.size()];
  }

  /// An option with its best claim.
  double value(const ClaimBlock& block, std::uint32_t o) {
    const TileOption& option = model_.options()[o];
    const double head = refinements_[o].contains(block.end) ? best_claim(scores_of(block, o), prices_before(block, o))
                                                            : block.values[head_of_[o]];
    return own_[o] + ends_[option.end].prices[tail_of_[o]] + head;
  }
  const ClaimBlock& block_of(std::size_t slot) const {
    const std::size_t spans = spans_.size() - 1;
    return block_list_[blocks_[slot / spans * ends_.size() + model_.options()[spans_[slot % spans]].begin]];
  }

  /// L(φ), with the choices that lead to it.
  double solve() {
    for (ClaimBlock& block : block_list_) {
      if (!ends_[block.end].is_stale) continue;
      const Counted<double>& prices = ends_[block.end].prices;
      budget_.work(1 + block.scores.size() / 8);
      for (std::size_t h = 0; h < block.values.size(); ++h)
        block.values[h] = best_claim(&block.scores[h * prices.size()], prices);
    }
    const std::size_t spans = spans_.size() - 1;
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      if (slots_[slot] == kNeverClaimed) continue;
      const ClaimBlock& block = block_of(slot);
      const std::size_t span = slot % spans;
      if (!ends_[block.end].is_stale && !ends_[model_.options()[spans_[span]].end].is_stale) continue;
      budget_.work(spans_[span + 1] - spans_[span]);
      double best = std::numeric_limits<double>::lowest();
      for (std::uint32_t o = spans_[span]; o < spans_[span + 1]; ++o) best = std::max(best, value(block, o));
      slots_[slot] = best;
    }
    for (ClaimEnd& end : ends_) end.is_stale = false;
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::uint32_t number = order_[i];
      budget_.work(1 + (first_arc_[i + 1] - first_arc_[i]) / 4);
      double best = kNeverClaimed;
      if (unfolding_.is_final(states_[number])) {
        const std::uint32_t e = states_[number].last_end;
        best = best_claim(ends_[e].finishes.data(), ends_[e].prices);
      }
      std::size_t choice = arcs_.size();
      for (std::size_t a = first_arc_[i]; a < first_arc_[i + 1]; ++a) {
        const double through = slots_[arcs_[a].slot] + arcs_[a].movement + values_[arcs_[a].to];
        if (through > best) {
          best = through;
          choice = a;
        }
      }
      values_[number] = best;
      choices_[number] = choice;
    }
    return values_[order_[0]];
  }

  /// Finds the steps of the best solution.
  void follow_choices() {
    solution_.clear();
    last_ = order_[0];
    for (; choices_[last_] < arcs_.size(); last_ = arcs_[choices_[last_]].to) {
      budget_.work(1);
      const std::size_t slot = arcs_[choices_[last_]].slot, span = slot % (spans_.size() - 1);
      const ClaimBlock& block = block_of(slot);
      std::uint32_t best = spans_[span];
      for (std::uint32_t o = best + 1; o < spans_[span + 1]; ++o)
        if (value(block, o) > value(block, best)) best = o;
      solution_.push_back({slot, best, claimed(scores_of(block, best), prices_before(block, best))});
    }
  }

  /// The tail that an option leaves behind a claim.
  std::uint32_t tail_behind(const Choice& choice) const {
    const auto refined = refinements_[choice.option].find(block_of(choice.slot).end);
    if (refined != refinements_[choice.option].end())
      for (const Refinement& one : refined->second)
        if (one.claimed == choice.claimed) return one.tail;
    return tail_of_[choice.option];
  }

  /// Tells the short tails of the solution apart by what it claims before them; whether there was one to tell apart.
  bool refine() {
    bool refined = false;
    for (const Choice& choice : solution_) {
      const TileOption& option = model_.options()[choice.option];
      const ClaimEnd& before = ends_[block_of(choice.slot).end];
      if (option.word_count >= scorer_.reach() || tail_behind(choice) != tail_of_[choice.option]) continue;
      ClaimTail tail = before.tails[choice.claimed];
      tail.phrases.push_back(option.phrase);
      const double price = ends_[option.end].prices[tail_of_[choice.option]];
      auto& known = refinements_[choice.option][block_of(choice.slot).end];
      known.push_back({choice.claimed, add_tail(option.end, tail, price)});
      refined = true;
    }
    return refined;
  }

  /// A subgradient step that should lower L by `gap`; false where all claims of the solution agree with what it used.
  bool move(double gap) {
    changed_.clear();
    const auto count = [&](std::uint32_t end, std::uint32_t tail, int by) {
      if (end == 0) return;
      ends_[end].changes[tail] += by;
      changed_.emplace_back(end, tail);
    };
    for (const Choice& choice : solution_) {
      count(block_of(choice.slot).end, choice.claimed, -1);
      count(model_.options()[choice.option].end, tail_behind(choice), 1);
    }
    const std::uint32_t last = states_[last_].last_end;
    count(last, claimed(ends_[last].finishes.data(), ends_[last].prices), -1);
    double norm = 0;
    for (const auto& [end, tail] : changed_) norm += ends_[end].changes[tail] != 0;
    const double step = norm > 0 ? gap / norm : 0;
    for (const auto& [end, tail] : changed_) {
      int& change = ends_[end].changes[tail];
      if (change == 0) continue;
      ends_[end].prices[tail] -= step * change;
      ends_[end].is_stale = true;
      change = 0;
    }
    return norm > 0;
  }

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  const TilesUnfolding<Words>& unfolding_;
  const TileModel& model_;
  const Scorer& scorer_;
  Budget& budget_;
  Account account_{budget_};
  std::vector<ClaimEnd> ends_;                            // by position
  std::vector<ClaimHeads> heads_;                         // by position
  std::vector<double> own_;                          // by option: its score without that of its head
  std::vector<std::uint32_t> tail_of_, head_of_;     // by option, among those of its end or begin
  std::vector<std::uint32_t> span_of_, spans_;       // by option; the first option of each, and their number
  StateStore<State> states_{account_};
  Counted<std::uint32_t> order_{budget_};            // states by positions covered
  Counted<Arc> arcs_{budget_};
  Counted<std::size_t> first_arc_{budget_};          // by place in the order
  Counted<double> values_{budget_};                  // of the completion, by state
  Counted<std::size_t> choices_{budget_};            // the arc that gives it
  Counted<double> slots_{budget_};                   // [end][span]: the best option of a span behind an end
  std::vector<std::uint32_t> blocks_;                // [end][begin]
  std::vector<ClaimBlock> block_list_;
  std::vector<std::map<std::uint32_t, std::vector<Refinement>>> refinements_;  // by option, by end
  Counted<double> scratch_{budget_};
  std::vector<Choice> solution_;
  std::uint32_t last_ = 0;                           // the state where it ends
  std::vector<std::pair<std::uint32_t, std::uint32_t>> changed_;
  double bound_ = std::numeric_limits<double>::infinity();
};

/// Lowers the bound of a search's result until it is at most `gap` above the score or steps hardly lower it.
template <std::size_t Words>
void lower_bound(const TilesUnfolding<Words>& unfolding, const TileModel& model, const Scorer& scorer, double gap,
                 Budget& budget, Realization& result);

}  // namespace widl
