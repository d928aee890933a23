#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <span>
#include <tuple>
#include <vector>

#include "search/arc_order.hpp"
#include "search/budget.hpp"
#include "search/log_sum.hpp"
#include "search/scorer.hpp"
#include "search/unfolding.hpp"

namespace widl {

/// The strings of an explored graph's complete paths by what all paths of a string amount to together, ln Σ e^score, best
/// first: best-first search over ends of strings.
///
/// An end of a string is the weighted set of all places in the graph from which it leads to the goal (the graph is
/// determinised lazily, from the goal backwards: Mohri & Riley 2002); it promises what all paths through these places amount
/// to, which no string with that end exceeds. So of each length only ends are looked at that amount to as much as the best
/// string does.
template <class Graph>
class StringRanking {
 public:
  using NodeId = typename Graph::NodeId;
  using Arc = typename Graph::Arc;

  /// @throws OutOfBudget
  StringRanking(const Graph& graph, Budget& budget) : graph_(graph), budget_(budget) {
    budget.afford(kWorkPerArc * graph.arcs().size());
    index_arcs();
    if (graph.goal() == Graph::kNone || mass_[graph.goal()] == Graph::kWorst) return;
    members_.push_back({kNone, 0, kNone, 0, 0});
    add_item(0);
  }

  /// Appends the k best strings, or all that there are: each as its best path, with the string's score.
  /// @throws OutOfBudget after the first of them
  void best(std::size_t k, std::vector<RankedPath>& found) {
    while (found.size() < k && !queue_.empty()) {
      const Item item = queue_.top();
      queue_.pop();
      if (item.is_complete) found.push_back({labels(item.first), item.promise});
      else extend(item);
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kWorkPerArc = 40, kWorkPerMember = 40;

  /// A place from which an end of a string leads to the goal: before an arc or, where `left` is not 0, behind so many of its
  /// words.
  struct Member {
    std::uint32_t arc;   ///< none: at the goal
    std::uint32_t left;
    std::uint32_t rest;  ///< the member that the best path goes on with
    double total, best;  ///< of the paths from there on
  };
  struct Longer {
    WordId word;
    Member member;
  };
  struct Item {
    double promise;
    std::uint32_t first, count;
    bool is_complete;  ///< the first member is the start
    bool operator<(const Item& other) const {
      return promise != other.promise ? promise < other.promise : is_complete < other.is_complete;
    }
  };

  void index_arcs() {
    const auto arcs = graph_.arcs();
    const auto order = topological_arcs(arcs, graph_.size(), budget_);
    arcs_in_.index(arcs, graph_.size(), &Arc::to, order);
    mass_.assign(graph_.size(), Graph::kWorst);
    mass_[graph_.root()] = 0;
    rank_.assign(graph_.size(), 0);
    for (std::uint32_t a : order) {
      const Arc& arc = arcs[a];
      has_empty_arcs_ = has_empty_arcs_ || words(arc).empty();
      mass_[arc.to] = log_sum(mass_[arc.to], mass_[arc.from] + arc.score);
      rank_[arc.to] = std::max(rank_[arc.to], rank_[arc.from] + 1);
    }
  }

  std::span<const WordId> words(const Arc& arc) const { return graph_.scorer().words(arc.phrase); }
  NodeId node(const Member& member) const {
    return member.arc == kNone ? graph_.goal() : graph_.arcs()[member.arc].from;
  }

  /// Ends of strings that are longer by a word.
  void extend(const Item& item) {
    longer_.clear();
    for (std::uint32_t m = item.first; m < item.first + item.count; ++m) {
      budget_.work(kWorkPerMember);
      const Member member = members_[m];
      if (member.left > 0) {
        const WordId word = words(graph_.arcs()[member.arc])[member.left - 1];
        longer_.push_back({word, {member.arc, member.left - 1, m, member.total, member.best}});
        continue;
      }
      for_each_arc_into(node(member), [&](std::uint32_t a, const Arc& arc) {
        const auto phrase = words(arc);
        if (phrase.empty()) return;
        const auto left = static_cast<std::uint32_t>(phrase.size() - 1);
        longer_.push_back({phrase.back(), {a, left, m, member.total + arc.score, member.best + arc.score}});
      });
    }
    // What is at one place, in one word, is one member.
    const auto place = [&](const Longer& one) {
      const bool inside = one.member.left > 0;
      return std::tuple(one.word, inside, inside ? one.member.arc : node(one.member), one.member.left);
    };
    budget_.work(kWorkPerMember * longer_.size());
    std::ranges::stable_sort(longer_, {}, place);
    for (std::size_t i = 0; i < longer_.size();) {
      const WordId word = longer_[i].word;
      const auto first = static_cast<std::uint32_t>(members_.size());
      while (i < longer_.size() && longer_[i].word == word) {
        Member one = longer_[i].member;
        const auto here = place(longer_[i]);
        while (++i < longer_.size() && place(longer_[i]) == here) merge(one, longer_[i].member);
        members_.push_back(one);
      }
      add_item(first);
    }
  }

  template <class Visit>
  void for_each_arc_into(NodeId node, Visit&& visit) {
    for (std::uint32_t a : arcs_in_.of(node)) {
      budget_.work(kWorkPerMember);
      visit(a, graph_.arcs()[a]);
    }
  }

  static void merge(Member& one, const Member& other) {
    const double total = log_sum(one.total, other.total);
    if (other.best > one.best) one = other;
    one.total = total;
  }

  /// Puts the members from `first` on into the queue, as one end of strings: and as a whole string, if one is the start.
  void add_item(std::uint32_t first) {
    if (has_empty_arcs_) follow_empty_arcs(first);
    double promise = Graph::kWorst;
    for (std::uint32_t m = first; m < members_.size(); ++m) {
      const Member& member = members_[m];
      if (member.left == 0 && node(member) == graph_.root()) queue_.push({member.total, m, 1, true});
      else promise = log_sum(promise, mass_[node(member)] + member.total);
    }
    if (promise != Graph::kWorst)
      queue_.push({promise, first, static_cast<std::uint32_t>(members_.size()) - first, false});
  }

  /// Adds the places that arcs without words lead from.
  void follow_empty_arcs(std::uint32_t first) {
    std::map<std::pair<std::uint32_t, NodeId>, std::uint32_t, std::greater<>> waiting;  // members by rank and node
    std::map<NodeId, std::uint32_t> known;
    const auto add = [&](std::uint32_t m) {
      known.emplace(node(members_[m]), m);
      waiting.emplace(std::pair(rank_[node(members_[m])], node(members_[m])), m);
    };
    for (std::uint32_t m = first; m < members_.size(); ++m)
      if (members_[m].left == 0) add(m);
    while (!waiting.empty()) {
      const std::uint32_t m = waiting.begin()->second;
      waiting.erase(waiting.begin());
      const Member member = members_[m];
      for_each_arc_into(node(member), [&](std::uint32_t a, const Arc& arc) {
        if (!words(arc).empty()) return;
        const Member before{a, 0, m, member.total + arc.score, member.best + arc.score};
        if (const auto there = known.find(arc.from); there != known.end()) return merge(members_[there->second], before);
        members_.push_back(before);
        add(static_cast<std::uint32_t>(members_.size() - 1));
      });
    }
  }

  /// Of the best path from a member on.
  std::vector<std::uint32_t> labels(std::uint32_t member) const {
    std::vector<std::uint32_t> all;
    for (std::uint32_t m = member; m != kNone; m = members_[m].rest)
      if (members_[m].left == 0 && members_[m].arc != kNone) all.push_back(graph_.arcs()[members_[m].arc].label);
    return all;
  }

  const Graph& graph_;
  Budget& budget_;
  bool has_empty_arcs_ = false;
  ArcsByNode arcs_in_{budget_};           // arcs by the node they lead to
  Counted<double> mass_{budget_};         // by node: of all paths from the root
  Counted<std::uint32_t> rank_{budget_};  // by node: arcs on the longest of them
  Counted<Member> members_{budget_};
  Counted<Longer> longer_{budget_};  // of the item at hand
  std::priority_queue<Item, Counted<Item>> queue_{std::less<Item>(), Counted<Item>(budget_)};
};

}  // namespace widl
