#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace widl {

/// The events of a search, in order, for visualization and debugging.
///
/// A node is in the frontier from `made` or `improved` until `unfolded`, `paired` or `pruned`; the goal and dead ends,
/// whose bound is minus infinity, never are. An exact search over tiles has two phases: cube pruning, which finds a
/// reachable score, and A* above it. Nodes are numbered across phases.
struct SearchEvent {
  enum class Kind : std::uint8_t {
    began,       ///< a phase; `score` is the floor: derivations below it are not searched for
    made,        ///< a new node, over the edge `label` out of `from`
    improved,    ///< a better path to a known node
    recombined,  ///< a path to a known node that already has an equal or better path
    unfolded,    ///< its successors follow; of cube pruning, one of them, over `label`
    paired,      ///< of cube pruning: the node's steps are ready to be made, best first
    pruned,      ///< pruned, see Reason
    skipped,     ///< cube pruning: the step `label` out of `from`, and all steps that promise less, are never made
    layer,       ///< searches by layers: the layer of length `label` begins
    ended,       ///< the frontier is final; later events only complete an answer
  };
  enum class Reason : std::uint8_t {
    none,
    shorter,    ///< A*_k: too much shorter than the longest node; `label` is its length, `from` the longest node's
    threshold,  ///< not probable enough compared to the best of its layer
    full,       ///< its layer is full
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  Kind kind;
  Reason reason = Reason::none;
  bool is_goal = false;
  std::uint32_t node = kNone, from = kNone, label = kNone;
  double score = 0;                ///< of the path
  double bound = 0, estimate = 0;  ///< of the completion; of `skipped`, of the step and the completion
};

/// Records the first events of a search, up to a limit.
class SearchRecorder {
 public:
  using Kind = SearchEvent::Kind;
  using Reason = SearchEvent::Reason;

  explicit SearchRecorder(std::size_t most) : most_(most) {}

  /// Another search graph begins; its numbers of nodes begin at 0 again.
  void begin(double floor) {
    first_ = nodes_;
    add({.kind = Kind::began, .score = floor});
  }
  void ended() { add({.kind = Kind::ended}); }
  void layer(std::size_t length) { add({.kind = Kind::layer, .label = static_cast<std::uint32_t>(length)}); }

  /// Records that a path reaches a node. `reached` holds the node's values.
  template <class Node>
  void reached(Kind kind, std::uint32_t number, const Node& reached, std::uint32_t from, std::uint32_t label,
               double score) {
    if (kind == Kind::made) ++nodes_;
    add({kind, Reason::none, reached.is_goal, shifted(number), shifted(from), label, score, reached.bound,
         reached.estimate});
  }
  template <class Node>
  void left(Kind kind, std::uint32_t number, const Node& node, std::uint32_t label = SearchEvent::kNone) {
    add({.kind = kind,
         .node = shifted(number),
         .label = label,
         .score = node.score,
         .bound = node.bound,
         .estimate = node.estimate});
  }
  template <class Node>
  void pruned(std::uint32_t number, const Node& node, Reason reason, std::uint32_t length = SearchEvent::kNone,
              std::uint32_t longest = SearchEvent::kNone) {
    add({.kind = Kind::pruned,
         .reason = reason,
         .node = shifted(number),
         .from = longest,
         .label = length,
         .score = node.score,
         .bound = node.bound,
         .estimate = node.estimate});
  }
  void skipped(std::uint32_t from, std::uint32_t label, double score, double bound) {
    add({.kind = Kind::skipped,
         .from = shifted(from),
         .label = label,
         .score = score,
         .bound = bound,
         .estimate = bound});
  }

  const std::vector<SearchEvent>& events() const { return events_; }
  std::size_t left_out() const { return left_out_; }

 private:
  std::uint32_t shifted(std::uint32_t number) const { return number == SearchEvent::kNone ? number : first_ + number; }
  void add(const SearchEvent& event) {
    if (events_.size() < most_)
      events_.push_back(event);
    else
      ++left_out_;
  }

  std::size_t most_;
  std::vector<SearchEvent> events_;
  std::size_t left_out_ = 0;
  std::uint32_t first_ = 0, nodes_ = 0;  // number of this phase's first node; total number of nodes
};

}  // namespace widl
