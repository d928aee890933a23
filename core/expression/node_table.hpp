#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "expression/expression.hpp"

namespace widl {

/// The distinct nodes of an expression, arguments before their users, the root last. Every algorithm over expressions
/// loops over them, so that depth costs no stack and a shared node is visited once. Points into the expression, which
/// must outlive it.
struct NodeTable {
  std::vector<const Expression*> nodes;
  std::vector<std::uint32_t> first_argument;  ///< of node i, into argument_nodes; one more at the end
  std::vector<std::uint32_t> argument_nodes;

  explicit NodeTable(const Expression& root);

  std::size_t size() const { return nodes.size(); }
  std::span<const std::uint32_t> arguments(std::size_t node) const {
    return std::span(argument_nodes).subspan(first_argument[node], first_argument[node + 1] - first_argument[node]);
  }
};

/// Whether both have the same structure, regardless of shared nodes.
bool operator==(const Expression& a, const Expression& b);

/// An expression as sequences of elements: consecutive sub-expressions, with precedences replaced by their parts.
class ExpressionElements {
 public:
  using Kind = Expression::Kind;
  static constexpr std::size_t kMaxWords = 4'000'000;  ///< of an expression that is written out

  /// Properties of a node of the expression.
  struct Description {
    bool composite = false;   ///< an interleave of several arguments is inside
    bool pure = true;         ///< words, · and × only
    std::uint32_t words = 1;  ///< written out; modulo 2^32
  };

  /// One of several consecutive sub-expressions, not a precedence.
  struct Element {
    std::uint32_t node;
    bool continues;          ///< the phrase of the element before
    std::uint32_t position;  ///< of its first word in the expression as written
  };
  using Elements = std::vector<Element>;

  explicit ExpressionElements(const Expression& expression) : table_(expression) { describe(); }

  [[noreturn]] static void fail_as_too_large() {
    throw InputError("written out, the expression is too large to realize: more than " + std::to_string(kMaxWords) +
                     " words");
  }

  Element whole() const { return {static_cast<std::uint32_t>(table_.size() - 1), false, 0}; }
  const Description& of(std::uint32_t node) const { return nodes_[node]; }
  const Expression& expression(std::uint32_t node) const { return *table_.nodes[node]; }
  auto arguments(std::uint32_t node) const { return table_.arguments(node); }
  const Expression& at(const Element& element) const { return *table_.nodes[element.node]; }
  Kind kind(const Element& element) const { return at(element).kind(); }
  Element only_argument(const Element& element) const {
    return {table_.arguments(element.node)[0], false, element.position};
  }
  bool passes_through(const Element& element) const {
    return kind(element) == Kind::interleave && table_.arguments(element.node).size() == 1;
  }

  /// The elements with precedences replaced by their parts.
  Elements flatten(const Elements& elements) const {
    Elements flat, rest(elements.rbegin(), elements.rend());
    bool after_pure = false;
    while (!rest.empty()) {
      Element next = rest.back();
      rest.pop_back();
      if (kind(next) != Kind::precedence) {
        next.continues = next.continues || (after_pure && nodes_[next.node].pure);
        after_pure = nodes_[next.node].pure;
        flat.push_back(next);
        if (flat.size() > kMaxWords) fail_as_too_large();
        continue;
      }
      auto parts = table_.arguments(next.node);
      std::uint32_t position = next.position + nodes_[next.node].words;
      for (std::size_t k = parts.size(); k-- > 0;) {
        position -= nodes_[parts[k]].words;
        rest.push_back({parts[k], k == 0 && next.continues, position});
      }
    }
    return flat;
  }

  /// The possible arguments of a disjunction and their numbers.
  std::vector<std::pair<Element, std::size_t>> branches(const Element& element) const {
    std::vector<std::pair<Element, std::size_t>> result;
    auto arguments = table_.arguments(element.node);
    std::uint32_t position = element.position;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (at(element).possible(k)) result.push_back({{arguments[k], false, position}, k});
      position += nodes_[arguments[k]].words;
    }
    return result;
  }

 private:
  static bool possible(const Expression& expression, std::size_t k) {
    return expression.kind() != Kind::disjunction || expression.possible(k);
  }

  void describe() {
    nodes_.resize(table_.size());
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const Expression& expression = *table_.nodes[i];
      Description& description = nodes_[i];
      auto arguments = table_.arguments(i);
      if (expression.kind() == Kind::word) continue;
      description.words = 0;
      description.pure = expression.kind() == Kind::precedence || expression.kind() == Kind::lock;
      description.composite =
          expression.kind() == Kind::tiles || (expression.kind() == Kind::interleave && arguments.size() > 1);
      for (std::size_t k = 0; k < arguments.size(); ++k) {
        const Description& argument = nodes_[arguments[k]];
        description.words += argument.words;
        description.pure = description.pure && argument.pure;
        description.composite = description.composite || (argument.composite && possible(expression, k));
      }
    }
  }

  NodeTable table_;
  std::vector<Description> nodes_;
};

}  // namespace widl
