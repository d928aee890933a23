#pragma once

#include <cstdint>
#include <span>
#include <vector>

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
    return std::span(argument_nodes).subspan(first_argument[node],
                                             first_argument[node + 1] - first_argument[node]);
  }
};

/// Whether both have the same structure, regardless of shared nodes.
bool operator==(const Expression& a, const Expression& b);

}  // namespace widl
