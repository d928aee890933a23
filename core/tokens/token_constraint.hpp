#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace widl {

/// A deterministic automaton over bytes that defines the text of a slot. State 0 is its start.
struct ByteAutomaton {
  static constexpr std::int32_t kDead = -1;
  std::vector<std::array<std::int32_t, 256>> next;  // by state and byte
  std::vector<bool> accepts;                        // by state
};

/// An arc of an expression's acceptor: the number of its text, and ln of its probability given the source.
struct ConstraintArc {
  std::uint32_t source, target, text;
  double log_probability;
};

/// Computes the tokens that may continue a text so that it can become a string of an acyclic acceptor.
///
/// Words are spelled byte by byte. A *path* is a sequence of the acceptor's arcs from node 0. A text may be read along
/// one path in several ways, since a slot may end at several positions; the path's probability counts once. So the ways in
/// which a text was read are kept as *readings*: trees that have the acceptor's arcs as branches. A *state* is a set of
/// readings of disjoint sets of paths, each with the probability of its paths; states have numbers, and equal states
/// have equal numbers. Tokens are walked in the order of their bytes, so that tokens with a common prefix share its
/// steps, and a dead-end prefix rules out all of them.
class TokenConstraint {
 public:
  using State = std::uint32_t;
  using Mask = std::shared_ptr<const std::vector<std::uint32_t>>;

  /// `texts` and `automata`: the labels of the arcs; numbers of automata follow the numbers of texts. Node 0 is the
  /// start. Each byte that a text or an automaton needs must be a token. `end`: the optional token that ends the text.
  /// `padding`: the optional token that may follow `end`, as `end` may.
  TokenConstraint(std::uint32_t nodes, std::uint32_t final_node, std::vector<ConstraintArc> arcs,
                  std::vector<std::string> texts, std::vector<ByteAutomaton> automata,
                  std::vector<std::string> vocabulary, std::optional<std::uint32_t> end,
                  std::optional<std::uint32_t> padding);

  State start() const { return 0; }
  /// A bit for each token: bit t % 32 of word t / 32. @throws InputError for a number that is no state
  Mask mask(State state);
  /// ln P(text + token) - ln P(text) for each token, -infinity for forbidden tokens. P(text) is the probability of all
  /// paths with a string that begins with the text.
  std::vector<float> log_probabilities(State state);
  /// Empty if the token is not allowed.
  std::optional<State> advance(State state, std::uint32_t token);
  /// Whether the text is a string of the acceptor.
  bool may_end(State state);
  /// Whether the text ended with `end`.
  bool has_ended(State state);
  /// For each state from 2 on, the state and the token that first led to it. The same calls of `advance` give the states
  /// of another constraint with equal arguments the same numbers.
  std::vector<std::pair<State, std::uint32_t>> history();

 private:
  using ReadingId = std::uint32_t;
  static constexpr ReadingId kNone = ~0u;
  /// The ways of reading along an arc: unfinished ones by their position in the text or automaton, sorted; and those that
  /// have left the arc.
  struct Branch {
    std::uint32_t arc;
    std::vector<std::uint32_t> positions;
    ReadingId behind;
    bool operator<(const Branch& other) const {
      return std::tie(arc, positions, behind) < std::tie(other.arc, other.positions, other.behind);
    }
  };
  /// The ways of reading a text from a node on. `here`: one way ends at the node. Branches are sorted by arc.
  struct Reading {
    std::uint32_t node;
    bool here;
    std::vector<Branch> branches;
    bool operator<(const Reading& other) const {
      return std::tie(node, here, branches) < std::tie(other.node, other.here, other.branches);
    }
  };
  using Weighted = std::pair<ReadingId, double>;  // ln of the probability
  using Readings = std::vector<Weighted>;         // sorted, each once

  const Readings& at(State state) const;
  State number_of(Readings readings);
  ReadingId interned(Reading reading);
  bool is_special(std::uint32_t token) const { return token == end_ || token == padding_; }
  bool is_complete(State state) const;
  /// The readings after a byte; cached.
  const Readings& after(ReadingId reading, unsigned char byte);
  /// The ways that remain after a byte, from a node on; kNone if there are none.
  ReadingId stepped(ReadingId reading, unsigned char byte);
  std::optional<Branch> stepped(const Branch* before, std::uint32_t arc, bool enters, unsigned char byte);
  /// Adds the reading's disjoint parts: a reading that ends at its node stands for all paths from there, and an arc
  /// with unfinished ways for all paths along it.
  void add_parts(ReadingId reading, double log, Readings& to);
  void step(const Readings& from, unsigned char byte, Readings& to);
  /// ln of the probability of the paths of which the text is a complete string.
  double complete(ReadingId reading) const;
  double complete(const Readings& readings) const;
  /// Calls visit(token, readings) for each token that may follow.
  template <class Visit>
  void walk(const Readings& from, Visit&& visit);

  std::uint32_t final_;
  std::vector<ConstraintArc> arcs_;    // by source
  std::vector<std::uint32_t> begins_;  // of each node's arcs; and the end
  std::vector<std::string> texts_;
  std::vector<ByteAutomaton> automata_;
  std::vector<std::vector<bool>> continues_;  // by automaton and state: whether a byte may follow
  std::vector<std::string> vocabulary_;
  std::vector<std::uint32_t> sorted_;  // tokens in byte order, without empty tokens
  std::vector<std::uint32_t> common_;  // length of the prefix that each token shares with the previous token
  std::optional<std::uint32_t> end_, padding_;
  std::mutex mutex_;
  std::vector<Readings> states_;
  std::map<Readings, State> numbers_;
  std::vector<std::pair<State, std::uint32_t>> history_;
  std::vector<Reading> readings_;
  std::map<Reading, ReadingId> reading_numbers_;
  std::unordered_map<std::uint64_t, Readings> steps_;  // by reading and byte
  std::map<std::vector<ReadingId>, Mask> masks_;
};

}  // namespace widl
