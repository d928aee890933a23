#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <tuple>
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
/// Every L(φ) is a bound. A derivation ends at most one phrase at e, and claims at most one tail there; so a price may
/// move by half of the difference between the best that leaves the tail and the best that claims it (max-product linear
/// programming, Globerson & Jaakkola 2007), at all ends by a part of that at once. What stands before a tail that is all
/// of its phrase is not known, and at its best for language models: where good derivations have such a short tail, it is
/// told apart by what they claim before it. Nothing below `floor` is of interest: steps and alternatives that no
/// derivation above it can have are left out, and bounds are those of the others.
template <class Space>
class TransitionBound {
 public:
  using State = typename Space::State;
  using StateId = std::uint32_t;
  struct Arc {
    std::uint32_t slot;
    StateId to;
    double movement;
  };
  /// An alternative that a derivation above the floor may have, with its best claim.
  struct Live {
    Claims::Option option;
    double value;
  };
  static constexpr StateId kNoState = StateStore<State>::kNone;

  /// @throws OutOfBudget, also where there are more states than `most`
  TransitionBound(const Space& space, std::shared_ptr<Claims> claims, double floor, std::size_t most, Budget& budget)
      : space_(space), model_(space.model()), budget_(budget), floor_(floor), claims_(std::move(claims)) {
    tolls_.resize(model_.length());
    list_states(most, [&](std::span<const TileOption> options, const State& from, const State&, double) {
      return slot_of(options, from.last_end, [&](Slot& slot) {
        this->claims().add_block(slot.end, slot.begin);
        for (const TileOption& option : options) live_.push_back({option.label, 0});
      });
    });
  }
  /// The same without what a coarser space's bound leaves out. That must be solved, and lends its prices.
  /// @throws OutOfBudget, also where there are more states than `most`
  template <class Coarse>
  TransitionBound(const Space& space, const TransitionBound<Coarse>& coarse, std::size_t most, Budget& budget)
      : space_(space),
        model_(space.model()),
        budget_(budget),
        floor_(coarse.floor_),
        claims_(coarse.claims_),
        bound_(coarse.bound_) {
    tolls_ = Space::kHasTolls ? coarse.tolls_ : std::vector<double>(model_.length());
    list_states(most, [&](std::span<const TileOption> options, const State& from, const State& to, double before) {
      const std::uint32_t* known = coarse.slots_by_key_.find(key(options, from.last_end));
      if (!known) return kNoSlot;
      const auto& same = coarse.slots_[*known];
      const double value = same.value + (Space::kHasTolls ? 0 : same.toll);
      if (!(before + value + coarse.completion_behind(to) >= floor_)) return kNoSlot;
      return slot_of(options, from.last_end, [&](Slot& slot) {
        slot.value = value;
        slot.toll = Space::kHasTolls ? same.toll : 0;
        for (std::uint32_t i = same.first; i < same.last; ++i) live_.push_back({coarse.live_[i].option, coarse.live_[i].value});
      });
    });
  }

  /// Lowers the bound in so many rounds, fewer where it is `enough` or hardly gets lower.
  /// @throws OutOfBudget, what is lowered until then remains
  void tighten(unsigned rounds, double enough) {
    double at_look = std::numeric_limits<double>::infinity();
    for (unsigned i = 0; i < rounds; ++i) {
      const double now = solve();
      bound_ = std::min(bound_, now);
      if (bound_ <= enough || order_.empty()) return;
      look_forward();
      leave_out_steps();
      leave_out_options();
      if (i % kRoundsPerLook == 0) {
        if (at_look - bound_ < kLeastGain * (bound_ - floor_)) return;
        at_look = bound_;
      }
      find_marginals();
      if (i >= kRoundsToRefine) find_unclear(now);
      if constexpr (Space::kHasTolls) charge(now);
      balance();
      refine();
    }
    solve();
  }
  double bound() const { return std::max(bound_, floor_); }

  /// What positions the best derivation realizes, how often each.
  std::vector<int> visits() const {
    std::vector<int> counts(model_.length());
    StateId state = order_[0];
    while (true) {
      const Arc* next = nullptr;
      for (const Arc& arc : arcs(state))
        if (!next || worth(arc) > worth(*next)) next = &arc;
      if (!next || worth(*next) == kNeverClaimed) return counts;
      for (std::uint32_t p = slots_[next->slot].begin; p < slots_[next->slot].to; ++p) ++counts[p];
      state = next->to;
    }
  }
  std::size_t states() const { return order_.size(); }
  std::size_t all_arcs() const { return arcs_.size(); }
  double floor() const { return floor_; }

  /// What search asks, after the last round: bounds hold of derivations above the floor.
  StateId find(const State& state) const { return states_.find(state, state.hash()); }
  const State& state(StateId number) const { return states_[number]; }
  /// Of the completion of a state, the price of the last tail aside; minus infinity where there is none.
  double completion(StateId number) const { return places_[number] == kNoPlace ? kNeverClaimed : values_[number]; }
  std::span<const Arc> arcs(StateId number) const {
    const std::size_t place = places_[number];
    if (place == kNoPlace) return {};
    return {arcs_.data() + first_arc_[place], arcs_.data() + first_arc_[place + 1]};
  }
  std::span<const Live> options(const Arc& arc) const {
    const Slot& slot = slots_[arc.slot];
    return {live_.data() + slot.first, live_.data() + slot.last};
  }
  double best(const Arc& arc) const { return slots_[arc.slot].value; }
  const Claims& claims() const { return *claims_; }

 private:
  template <class> friend class TransitionBound;
  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};
  static constexpr double kTollStep = 0.5;
  Claims& claims() { return *claims_; }

  static constexpr std::size_t kWorkPerArc = 8;
  static constexpr std::uint32_t kNoPlace = ~std::uint32_t{0};
  static constexpr unsigned kRoundsPerLook = 8;
  static constexpr double kLeastGain = 0.04;        // of the gap, between two looks
  static constexpr double kStep = 0.5;              // of the way to where leaving and claiming are worth the same
  static constexpr double kBelowFloor = 5;          // nats; see balance()
  static constexpr unsigned kRoundsToRefine = 4;    // first prices as good as they get without
  static constexpr double kUnclear = 0.05;          // of the gap: what is so near the best is told apart
  static constexpr std::size_t kMostRefinements = 10;  // a round, for each position

  /// The options of a span behind an end.
  struct Slot {
    std::uint32_t end, begin, to;  // behind which end, and the span
    std::uint32_t first, last;     // in live_
    double toll;                   // of its positions
    double value;                  // of the best one, its toll paid
    double around;              // the best of what remains of derivations with one of them
  };

  static std::uint64_t key(std::span<const TileOption> options, std::uint32_t end) {
    return std::uint64_t{options.front().label} << 32 | end;  // the first option of a span, as it is in the model
  }
  /// The slot of a span behind an end; `fill` makes a new one's options.
  template <class Fill>
  std::uint32_t slot_of(std::span<const TileOption> options, std::uint32_t end, Fill&& fill) {
    const auto [number, is_new] = slots_by_key_.find_or_insert(key(options, end));
    if (is_new) {
      *number = static_cast<std::uint32_t>(slots_.size());
      const auto first = static_cast<std::uint32_t>(live_.size());
      Slot slot{end, options.front().begin, options.front().end, first, first, 0, 0, 0};
      fill(slot);
      slot.last = static_cast<std::uint32_t>(live_.size());
      slots_.push_back(slot);
    }
    return *number;
  }

  /// Lists the states that can be reached, by the number of positions covered, with the steps between them for which
  /// `slot_of_step(options, from, to, best score before)` has a slot.
  template <class SlotOfStep>
  void list_states(std::size_t most, SlotOfStep&& slot_of_step) {
    std::vector<Counted<StateId>> layers(model_.length() + 1, Counted<StateId>(budget_));
    const State initial = space_.initial();
    layers[0].push_back(states_.intern(initial, initial.hash()));
    forward_.push_back(all_tolls());
    for (const auto& layer : layers)
      for (std::size_t i = 0; i < layer.size(); ++i) {
        const State state = states_[layer[i]];
        const double before = forward_[layer[i]];
        order_.push_back(layer[i]);
        first_arc_.push_back(arcs_.size());
        space_.for_each_step(state, [&](std::span<const TileOption> options, const State& to, double movement) {
          budget_.work(kWorkPerArc);
          const std::uint32_t slot = slot_of_step(options, state, to, before + movement);
          if (slot == kNoSlot) return;
          const std::size_t known = states_.size();
          const StateId number = states_.intern(to, to.hash());
          if (number >= known) {
            layers[to.count()].push_back(number);
            forward_.push_back(kNeverClaimed);
          }
          forward_[number] = std::max(forward_[number], before + movement + slots_[slot].value);
          arcs_.push_back({slot, number, movement});
        });
        if (states_.size() > most) throw OutOfBudget{"max_memory"};
      }
    first_arc_.push_back(arcs_.size());
    values_.resize(states_.size());
    places_.assign(states_.size(), 0);
    number_places();
  }

  /// L(φ).
  double solve() {
    claims().value_heads();
    for (Slot& slot : slots_) {
      budget_.work(1 + slot.last - slot.first);
      const ClaimBlock& block = claims().block(slot.end, slot.begin);
      slot.value = kNeverClaimed;
      for (Live& one : live(slot)) slot.value = std::max(slot.value, one.value = claims().value(block, one.option));
      slot.toll = std::accumulate(tolls_.begin() + slot.begin, tolls_.begin() + slot.to, 0.0);
      slot.value -= slot.toll;
    }
    for (std::size_t i = order_.size(); i-- > 0;) {
      budget_.work(1 + (first_arc_[i + 1] - first_arc_[i]) / 4);
      double best = kNeverClaimed;
      if (space_.is_final(states_[order_[i]])) {
        const ClaimEnd& end = claims().end(states_[order_[i]].last_end);
        best = best_claim(end.finishes.data(), end.prices.data(), end.prices.size());
      }
      for (std::size_t a = first_arc_[i]; a < first_arc_[i + 1]; ++a)
        best = std::max(best, arcs_[a].movement + slots_[arcs_[a].slot].value + values_[arcs_[a].to]);
      values_[order_[i]] = best;
    }
    return order_.empty() ? kNeverClaimed : all_tolls() + values_[order_[0]];
  }

  /// The best way to each state, and what each slot is the middle of.
  void look_forward() {
    budget_.work(1 + arcs_.size() / 4);
    std::ranges::fill(forward_, kNeverClaimed);
    for (Slot& slot : slots_) slot.around = kNeverClaimed;
    forward_[order_[0]] = all_tolls();
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (std::size_t a = first_arc_[i]; a < first_arc_[i + 1]; ++a) {
        const Arc& arc = arcs_[a];
        Slot& slot = slots_[arc.slot];
        const double to_slot = forward_[order_[i]] + arc.movement;
        forward_[arc.to] = std::max(forward_[arc.to], to_slot + slot.value);
        slot.around = std::max(slot.around, to_slot + values_[arc.to] - slot.toll);
      }
  }

  void leave_out_steps() {
    std::size_t arcs = 0, places = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const StateId number = order_[i];
      const std::size_t first = first_arc_[i], last = first_arc_[i + 1];
      if (forward_[number] + values_[number] < floor_) {
        places_[number] = kNoPlace;
        continue;
      }
      order_[places] = number;
      first_arc_[places++] = arcs;
      for (std::size_t a = first; a < last; ++a) {
        const Arc arc = arcs_[a];
        if (forward_[number] + arc.movement + slots_[arc.slot].value + values_[arc.to] >= floor_) arcs_[arcs++] = arc;
      }
    }
    order_.resize(places);
    first_arc_.resize(places + 1);
    first_arc_[places] = arcs;
    arcs_.resize(arcs);
    number_places();
  }
  void number_places() {
    for (std::size_t i = 0; i < order_.size(); ++i) places_[order_[i]] = static_cast<std::uint32_t>(i);
  }

  void leave_out_options() {
    for (Slot& slot : slots_) {
      const auto out = std::ranges::remove_if(live(slot), [&](const Live& one) { return !(slot.around + one.value >= floor_); });
      slot.last -= static_cast<std::uint32_t>(out.size());
    }
  }

  /// The best derivation that leaves, and the best that claims, each tail.
  void find_marginals() {
    for (std::uint32_t e = 0; e < claims().ends(); ++e) {
      std::ranges::fill(claims().end(e).used, kNeverClaimed);
      std::ranges::fill(claims().end(e).claimed, kNeverClaimed);
    }
    for (ClaimBlock& block : claims().blocks()) std::ranges::fill(block.around, kNeverClaimed);
    for (const Slot& slot : slots_) {
      budget_.work(1 + slot.last - slot.first);
      for (const Live& one : live(slot)) find_marginals(slot, one);
    }
    for (const ClaimBlock& block : claims().blocks()) {
      ClaimEnd& end = claims().end(block.end);
      for (std::size_t h = 0; h < block.around.size(); ++h)
        if (block.around[h] != kNeverClaimed)
          raise_claims(block.around[h], &block.scores[h * end.prices.size()], end.prices.data(), end.claimed);
      budget_.work(1 + block.scores.size() / 4);
    }
    for (StateId number : order_) {
      if (!space_.is_final(states_[number])) continue;
      ClaimEnd& end = claims().end(states_[number].last_end);
      raise_claims(forward_[number], end.finishes.data(), end.prices.data(), end.claimed);
    }
  }
  void find_marginals(const Slot& slot, const Live& one) {
    ClaimBlock& block = claims().block(slot.end, slot.begin);
    ClaimEnd& before = claims().end(slot.end);
    Counted<double>& used = claims().end(model_.options()[one.option].end).used;
    double& own = used[claims().own_tail(one.option)];
    const double around = slot.around + claims().own(block, one.option);
    const auto refinements = claims().refinements(one.option, slot.end);
    if (refinements.empty()) {
      own = std::max(own, slot.around + one.value);
      double& of_head = block.around[claims().head(one.option)];
      of_head = std::max(of_head, around);
      return;
    }
    budget_.work(before.prices.size() / 8);
    const double* scores = claims().scores(block, one.option);
    const double* prices = claims().prices_before(block, one.option);
    raise_claims(around, scores, prices, before.claimed);
    others_.assign(prices, prices + before.prices.size());
    for (const Claims::Refinement& refined : refinements) {
      others_[refined.claimed] = kNobodysPrice;
      if (before.prices[refined.claimed] == kNobodysPrice) continue;
      double& left = used[refined.left];
      left = std::max(left, around + (scores[refined.claimed] - prices[refined.claimed]));
    }
    own = std::max(own, around + best_claim(scores, others_.data(), others_.size()));
  }

  /// Finds short tails of good derivations to tell apart by what is claimed before them, the best first.
  void find_unclear(double now) {
    const double least = now - kUnclear * (now - floor_);
    for (const Slot& slot : slots_) {
      const ClaimBlock& block = claims().block(slot.end, slot.begin);
      const ClaimEnd& before = claims().end(slot.end);
      for (const Live& one : live(slot)) {
        if (slot.around + one.value < least || !claims().is_short(one.option)) continue;
        budget_.work(1 + before.tails.size() / 4);
        const double around = slot.around + claims().own(block, one.option);
        const double* scores = claims().scores(block, one.option);
        const double* prices = claims().prices_before(block, one.option);
        const auto known = claims().refinements(one.option, slot.end);
        for (std::uint32_t t = 0; t < before.tails.size(); ++t)
          if (const double through = around + (scores[t] - prices[t]); through >= least &&
              std::ranges::find(known, t, &Claims::Refinement::claimed) == known.end())
            unclear_.emplace_back(-through, one.option, slot.end, t);
      }
    }
    const std::size_t most = kMostRefinements * claims().ends();
    if (unclear_.size() <= most) return;
    std::ranges::nth_element(unclear_, unclear_.begin() + static_cast<std::ptrdiff_t>(most));
    unclear_.resize(most);
  }
  void refine() {
    for (const auto& [through, option, end, tail] : unclear_) claims().refine(option, end, tail);
    unclear_.clear();
  }

  /// Moves all prices towards where leaving and claiming a tail are worth the same.
  void balance() {
    const double low = floor_ - kBelowFloor;  // how bad a tail is that no good derivation has does not matter
    for (std::uint32_t e = 1; e < claims().ends(); ++e) {
      ClaimEnd& end = claims().end(e);
      for (std::size_t t = 0; t < end.tails.size(); ++t) {
        double& price = end.prices[t];
        if (price == kNobodysPrice) continue;
        if (end.used[t] == kNeverClaimed) {
          price = kNobodysPrice;
        } else {
          price -= kStep / 2 * (std::max(end.used[t], low) - std::max(end.claimed[t], low));
        }
      }
    }
  }
  double all_tolls() const { return std::accumulate(tolls_.begin(), tolls_.end(), 0.0); }

  double worth(const Arc& arc) const { return arc.movement + slots_[arc.slot].value + values_[arc.to]; }
  /// Raises the tolls of positions that the best derivation realizes twice, lowers those of positions that it leaves
  /// out: a subgradient step (Polyak), as if all of the gap were due to them.
  void charge(double now) {
    const std::vector<int> counts = visits();
    int square = 0;
    for (int count : counts) square += (count - 1) * (count - 1);
    if (square == 0) return;
    const double step = kTollStep * (now - floor_) / square;
    for (std::size_t p = 0; p < counts.size(); ++p) tolls_[p] += step * (counts[p] - 1);
  }

  /// Of what a coarser bound knows of a finer state: the most that completes it, where the tolls of what is realized
  /// are paid, or, where there are none, back.
  double completion_behind(const auto& finer) const {
    const StateId number = find(space_.project(finer));
    if (number == kNoState) return kNeverClaimed;
    double value = completion(number);
    if constexpr (requires { finer.realized(); })
      for (std::uint32_t p = 0; p < model_.length(); ++p)
        if (!finer.covered(p)) value += tolls_[p];
    return value;
  }
  std::span<Live> live(const Slot& slot) { return {live_.data() + slot.first, live_.data() + slot.last}; }

  Space space_;
  const TileModel& model_;
  Budget& budget_;
  double floor_;
  std::shared_ptr<Claims> claims_;
  Account account_{budget_};
  StateStore<State> states_{account_};
  Counted<StateId> order_{budget_};            // states by positions covered
  Counted<std::uint32_t> places_{budget_};     // by state, in the order
  Counted<Arc> arcs_{budget_};
  Counted<std::size_t> first_arc_{budget_};    // by place in the order
  Counted<double> values_{budget_};            // of the completion, by state
  Counted<double> forward_{budget_};           // of the way there, by state
  std::vector<double> tolls_;                  // of realizing each position; their sum is given to all derivations
  HashTable<std::uint32_t> slots_by_key_;
  Counted<Slot> slots_{budget_};
  Counted<Live> live_{budget_};                // by slot
  std::vector<double> others_;
  std::vector<std::tuple<double, Claims::Option, std::uint32_t, Claims::Tail>> unclear_;
  double bound_ = std::numeric_limits<double>::infinity();
};

}  // namespace widl
