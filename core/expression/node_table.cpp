#include "expression/node_table.hpp"

#include <cstddef>
#include <unordered_map>

namespace widl {
namespace {

bool same_payload(const Expression& a, const Expression& b) {
  auto same_delta = [](const InterleaveDistribution& x, const InterleaveDistribution& y) {
    if (x.form != y.form || x.movement_base != y.movement_base || x.listed.size() != y.listed.size() ||
        x.other_permutations != y.other_permutations || x.shuffles != y.shuffles)
      return false;
    for (std::size_t k = 0; k < x.listed.size(); ++k)
      if (x.listed[k].permutation != y.listed[k].permutation || x.listed[k].probabilities != y.listed[k].probabilities)
        return false;
    return true;
  };
  if (a.kind() != b.kind() || a.hash() != b.hash() || a.text() != b.text() || a.scored() != b.scored() ||
      a.probabilities() != b.probabilities() || a.arguments().size() != b.arguments().size() ||
      a.length() != b.length() || a.movement_base() != b.movement_base() || !same_delta(a.delta(), b.delta()))
    return false;
  if (a.kind() == Expression::Kind::tiles)
    for (std::size_t k = 0; k < a.arguments().size(); ++k)
      if (a.span(k) != b.span(k)) return false;
  return true;
}

/// Numbers nodes so that equal sub-expressions get equal numbers (hash-consing).
class Numbering {
 public:
  std::uint32_t number(const Expression& root) {
    NodeTable table(root);
    std::vector<std::uint32_t> numbers(table.size());
    std::vector<std::uint32_t> arguments;
    for (std::size_t i = 0; i < table.size(); ++i) {
      arguments.clear();
      for (std::uint32_t k : table.arguments(i)) arguments.push_back(numbers[k]);
      numbers[i] = find_or_add(*table.nodes[i], arguments);
    }
    return numbers.back();
  }

 private:
  struct Known {
    const Expression* expression;
    std::vector<std::uint32_t> arguments;
  };

  std::uint32_t find_or_add(const Expression& expression, const std::vector<std::uint32_t>& arguments) {
    auto& bucket = by_hash_[expression.hash()];
    for (std::uint32_t candidate : bucket)
      if (known_[candidate].arguments == arguments && same_payload(*known_[candidate].expression, expression))
        return candidate;
    bucket.push_back(static_cast<std::uint32_t>(known_.size()));
    known_.push_back({&expression, arguments});
    return bucket.back();
  }

  std::vector<Known> known_;
  std::unordered_map<std::size_t, std::vector<std::uint32_t>> by_hash_;
};

}  // namespace

NodeTable::NodeTable(const Expression& root) {
  struct Frame {
    const Expression* node;
    std::size_t next_argument;
  };
  constexpr std::uint32_t kOpen = 0xffffffff;
  std::unordered_map<const Expression*, std::uint32_t> numbers = {{&root, kOpen}};
  std::vector<Frame> path = {{&root, 0}};
  first_argument.push_back(0);
  while (!path.empty()) {
    Frame& frame = path.back();
    const auto& arguments = frame.node->arguments();
    if (frame.next_argument < arguments.size()) {
      const Expression* argument = arguments[frame.next_argument++].get();
      if (numbers.try_emplace(argument, kOpen).second) path.push_back({argument, 0});
      continue;
    }
    for (const ExpressionPtr& argument : arguments) argument_nodes.push_back(numbers.at(argument.get()));
    first_argument.push_back(static_cast<std::uint32_t>(argument_nodes.size()));
    numbers[frame.node] = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back(frame.node);
    path.pop_back();
  }
}

bool operator==(const Expression& a, const Expression& b) {
  if (&a == &b) return true;
  if (a.hash() != b.hash()) return false;
  Numbering numbering;
  return numbering.number(a) == numbering.number(b);
}

}  // namespace widl
