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
/// Words are spelled byte by byte. A *position* is a node of the acceptor, or a place inside an arc's text or
/// automaton. A *state* is the set of positions that a prefix can have reached, each with the probability of reaching
/// it; states have numbers, and equal states have equal numbers. Tokens are walked in the order of their bytes, so that
/// tokens with a common prefix share its steps, and a dead-end prefix rules out all of them.
class TokenConstraint {
 public:
  using State = std::uint32_t;
  using Mask = std::shared_ptr<const std::vector<std::uint32_t>>;

  /// `texts` and `automata`: the labels of the arcs; numbers of automata follow the numbers of texts. Node 0 is the
  /// start. Each byte that a text or an automaton needs must be a token. `end`: the optional token that ends the text.
  TokenConstraint(std::uint32_t nodes, std::uint32_t final_node, std::vector<ConstraintArc> arcs,
                  std::vector<std::string> texts, std::vector<ByteAutomaton> automata,
                  std::vector<std::string> vocabulary, std::optional<std::uint32_t> end);

  State start() const { return 0; }
  /// A bit for each token: bit t % 32 of word t / 32. @throws InputError for a number that is no state
  Mask mask(State state);
  /// ln P(prefix + token) - ln P(prefix) for each token, -infinity for forbidden tokens.
  std::vector<float> log_probabilities(State state);
  /// Empty if the token is not allowed.
  std::optional<State> advance(State state, std::uint32_t token);
  bool may_end(State state);

 private:
  struct Position {
    std::uint32_t arc, at;  // arc == kNode: at is a node
    friend auto operator<=>(const Position&, const Position&) = default;
  };
  using Weighted = std::pair<Position, double>;  // ln of the probability
  using Positions = std::vector<Weighted>;       // sorted, each once
  static constexpr std::uint32_t kNode = ~0u;

  const Positions& at(State state) const;
  State number_of(Positions positions);
  void step(const Positions& from, unsigned char byte, Positions& to) const;
  /// Adds the positions after a byte read at a place of an arc's text or automaton; place 0 is its beginning.
  void follow(std::uint32_t number, std::uint32_t at, unsigned char byte, double log, Positions& to) const;
  double total(const Positions& positions) const;
  bool accepts(const Position& position) const;
  /// Calls visit(token, positions) for each token that may follow.
  template <class Visit>
  void walk(const Positions& from, Visit&& visit) const;

  std::uint32_t final_;
  std::vector<ConstraintArc> arcs_;    // by source
  std::vector<std::uint32_t> begins_;  // of each node's arcs; and the end
  std::vector<std::string> texts_;
  std::vector<ByteAutomaton> automata_;
  std::vector<std::string> vocabulary_;
  std::vector<std::uint32_t> sorted_;  // tokens in byte order, without empty tokens
  std::vector<std::uint32_t> common_;  // length of the prefix that each token shares with the previous token
  std::optional<std::uint32_t> end_;
  std::mutex mutex_;
  std::vector<Positions> states_;
  std::map<Positions, State> numbers_;
  std::map<std::vector<Position>, Mask> masks_;
};

}  // namespace widl
