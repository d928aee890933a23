#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "search/transition_graph.hpp"

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
///
/// Where the space does not know of all positions whether they are realized, each has a *toll* u, which realizing it
/// costs and which all derivations are given back: L(φ, u) = Σ u + the above less u for each position of each span.
template <class Space>
class TransitionBound : private TransitionGraph<Space> {
  using Graph = TransitionGraph<Space>;
  using typename Graph::Slot;
  using Graph::budget_, Graph::forward_, Graph::kNoSlot, Graph::live_, Graph::live, Graph::order_, Graph::slots_,
      Graph::slots_by_key_, Graph::space_, Graph::states_, Graph::values_;

 public:
  using typename Graph::Arc;
  using typename Graph::State;
  using typename Graph::StateId;

  /// @throws OutOfBudget, also where there are more states than `most`
  TransitionBound(const Space& space, std::shared_ptr<Claims> claims, double floor, std::size_t most, Budget& budget)
      : Graph(space, budget), model_(space.model()), floor_(floor), claims_(std::move(claims)), tolls_(model_.length()) {
    if constexpr (Space::kHasTolls) set_tolls();
    this->list_states(most, 0, [&](std::span<const TileOption> options, const State& from, const State&, double) {
      return this->slot_of(options, from.last_end, [&](Slot& slot) {
        claims_->add_block(slot.end, slot.begin);
        for (const TileOption& option : options) live_.push_back({option.label, 0});
      });
    });
  }
  /// The same without what a coarser space's bound leaves out. That must be solved, lends its prices, and must not be
  /// tightened any more. @throws OutOfBudget, also where there are more states than `most`
  template <class Coarse>
  TransitionBound(const Space& space, const TransitionBound<Coarse>& coarse, std::size_t most, Budget& budget)
      : Graph(space, budget),
        model_(space.model()),
        floor_(coarse.floor_),
        claims_(coarse.claims_),
        tolls_(Space::kHasTolls ? coarse.tolls_ : std::vector<double>(model_.length())),
        bound_(coarse.bound_) {
    const auto slot_of_step = [&](std::span<const TileOption> options, const State& from, const State& to, double before) {
      const std::uint32_t* known = coarse.slots_by_key_.find(Graph::key(options, from.last_end));
      if (!known) return kNoSlot;
      const auto& same = coarse.slots_[*known];
      const double value = same.value + (Space::kHasTolls ? 0 : same.toll);
      if (!(before + value + coarse.completion_behind(to) >= floor_)) return kNoSlot;
      return this->slot_of(options, from.last_end, [&](Slot& slot) {
        slot.value = value;
        for (const LiveOption& one : coarse.live(same)) live_.push_back(one);
      });
    };
    this->list_states(most, all_tolls(), slot_of_step);
  }

  /// Lowers the bound in so many rounds, fewer where it is `enough` or hardly gets lower.
  /// @throws OutOfBudget, what is lowered until then remains
  void tighten(unsigned rounds, double enough) {
    double at_look = std::numeric_limits<double>::infinity();
    for (unsigned i = 0; i < rounds; ++i) {
      const double now = solve();
      bound_ = std::min(bound_, now);
      if (bound_ <= enough || order_.empty()) return;
      this->look_forward(all_tolls());
      this->leave_out_steps(floor_);
      if (this->leave_out_options(floor_)) keep_heads();
      if (i % kRoundsPerLook == 0) {
        if (at_look - bound_ < (Space::kHasTolls ? kLeastGainWithTolls : kLeastGain) * (bound_ - floor_)) return;
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

  /// What search asks, after the last round: bounds hold of derivations above the floor, and of the completion of a state
  /// the price of the last tail is left aside.
  using Graph::arcs, Graph::best, Graph::completion, Graph::find, Graph::is_empty, Graph::kNoState, Graph::options,
      Graph::state;
  const Claims& claims() const { return *claims_; }
  /// Where derivations that realize a position more than once, or never, are what the bound is the score of: how often the
  /// best one does.
  using Graph::visits;

 private:
  template <class>
  friend class TransitionBound;
  static constexpr unsigned kRoundsPerLook = 8;
  static constexpr double kLeastGain = 0.04;           // of the gap, between two looks
  static constexpr double kLeastGainWithTolls = 0.02;  // they take more rounds
  static constexpr double kStep = 0.5;                 // of the way to where leaving and claiming are worth the same
  static constexpr double kTollStep = 0.25;            // of what would close the gap if the best derivation stayed
  static constexpr double kBelowFloor = 5;             // nats; see balance()
  static constexpr unsigned kRoundsToRefine = 4;       // first prices as good as they get without
  static constexpr double kUnclear = 0.03;             // of the gap: what is so near the best is told apart
  static constexpr std::size_t kMostRefinements = 10;  // a round, for each position

  Claims& claims() { return *claims_; }

  /// Heads that no option begins with any more need no scores.
  void keep_heads() {
    claims().keep_heads([&](auto&& mark) {
      for (const Slot& slot : slots_) {
        budget_.work(1 + (slot.last - slot.first) / 4);
        ClaimBlock& block = claims().block(slot.end, slot.begin);
        for (const LiveOption& one : live(slot)) mark(block, one.option);
      }
    });
  }

  /// L(φ, u).
  double solve() {
    claims().value_heads();
    for (Slot& slot : slots_) {
      budget_.work(1 + slot.last - slot.first);
      const ClaimBlock& block = claims().block(slot.end, slot.begin);
      slot.toll = std::accumulate(tolls_.begin() + slot.begin, tolls_.begin() + slot.to, 0.0);
      slot.value = kNeverClaimed;
      for (LiveOption& one : live(slot))
        slot.value = std::max(slot.value, one.value = claims().value(block, one.option));
      slot.value -= slot.toll;
    }
    this->look_back([&](const State& state) {
      const ClaimEnd& end = claims().end(state.last_end);
      return best_claim(end, end.finishes.data(), end.prices.data());
    });
    return order_.empty() ? kNeverClaimed : all_tolls() + values_[order_[0]];
  }

  /// The best derivation that leaves, and the best that claims, each tail.
  void find_marginals() {
    for (std::uint32_t e = 0; e < claims().ends(); ++e) {
      std::ranges::fill(claims().end(e).used, kNeverClaimed);
      std::ranges::fill(claims().end(e).claimed, kNeverClaimed);
    }
    for (ClaimBlock& block : claims().blocks())
      for (const std::uint32_t h : block.live) block.around[h] = kNeverClaimed;
    for (const Slot& slot : slots_) {
      budget_.work(1 + slot.last - slot.first);
      for (const LiveOption& one : live(slot)) find_marginals(slot, one);
    }
    for (const ClaimBlock& block : claims().blocks()) {
      ClaimEnd& end = claims().end(block.end);
      for (const std::uint32_t h : block.live)
        if (block.around[h] != kNeverClaimed)
          raise_claims(end, block.around[h], &block.scores[h * end.prices.size()], end.prices.data());
      budget_.work(1 + block.live.size() * end.prices.size() / 4);
    }
    for (StateId number : order_) {
      if (!space_.is_final(states_[number])) continue;
      ClaimEnd& end = claims().end(states_[number].last_end);
      raise_claims(end, forward_[number], end.finishes.data(), end.prices.data());
    }
  }
  void find_marginals(const Slot& slot, const LiveOption& one) {
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
    raise_claims(before, around, scores, prices);
    others_.assign(prices, prices + before.prices.size());
    for (const Claims::Refinement& refined : refinements) {
      others_[refined.claimed] = kNobodysPrice;
      if (before.prices[refined.claimed] == kNobodysPrice) continue;
      double& left = used[refined.left];
      left = std::max(left, around + (scores[refined.claimed] - prices[refined.claimed]));
    }
    own = std::max(own, around + best_claim(before, scores, others_.data()));
  }

  /// Finds short tails of good derivations to tell apart by what is claimed before them, the best first.
  void find_unclear(double now) {
    const double least = now - kUnclear * (now - floor_);
    for (const Slot& slot : slots_) {
      const ClaimBlock& block = claims().block(slot.end, slot.begin);
      const ClaimEnd& before = claims().end(slot.end);
      for (const LiveOption& one : live(slot)) {
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
        if (price == kNobodysPrice) {
          assert(end.used[t] < floor_);
          continue;
        }
        if (end.used[t] == kNeverClaimed) {
          price = kNobodysPrice;
        } else {
          price -= kStep / 2 * (std::max(end.used[t], low) - std::max(end.claimed[t], low));
        }
      }
    }
  }

  /// First tolls: what each position is worth at most in any tile, so that what is hard to translate must be, too.
  void set_tolls() {
    std::ranges::fill(tolls_, kNeverClaimed);
    for (const TileOption& option : model_.options())
      for (std::uint32_t p = option.begin; p < option.end; ++p)
        tolls_[p] = std::max(tolls_[p], option.bound / (option.end - option.begin));
    for (double& toll : tolls_)
      if (toll == kNeverClaimed) toll = 0;  // no tile covers it
  }
  double all_tolls() const { return std::accumulate(tolls_.begin(), tolls_.end(), 0.0); }
  /// Raises the tolls of positions that the best derivation realizes twice, lowers those of positions that it leaves
  /// out: a subgradient step (Polyak 1969), shorter than if the gap were due to tolls alone.
  void charge(double now) {
    const std::vector<std::uint32_t> counts = visits();
    double square = 0;
    for (const double count : counts) square += (count - 1) * (count - 1);
    if (square == 0) return;
    const double step = kTollStep * (now - floor_) / square;
    for (std::size_t p = 0; p < counts.size(); ++p) tolls_[p] += step * (static_cast<double>(counts[p]) - 1);
  }

  /// The most that completes a state of a finer space: with tolls as here or, where that has none, without.
  template <class Finer>
  double completion_behind(const Finer& finer) const {
    const StateId number = find(space_.project(finer));
    if (number == kNoState) return kNeverClaimed;
    double value = completion(number);
    if constexpr (!std::is_same_v<Finer, State>)
      for (std::uint32_t p = finer.base; p < model_.length(); ++p)
        if (!finer.covered(p)) value += tolls_[p];
    return value;
  }

  const TileModel& model_;
  double floor_;
  std::shared_ptr<Claims> claims_;
  std::vector<double> tolls_;  // of realizing each position
  std::vector<double> others_;
  std::vector<std::tuple<double, Claims::Option, std::uint32_t, Claims::Tail>> unclear_;
  double bound_ = std::numeric_limits<double>::infinity();
};

}  // namespace widl
