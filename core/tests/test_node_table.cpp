#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "expression/expression.hpp"
#include "expression/node_table.hpp"

namespace widl {
namespace {

/// An expression built from earlier expressions, which may be shared.
ExpressionPtr random_expression(std::mt19937& random) {
  std::vector<ExpressionPtr> made = {Expression::word("a"), Expression::word("b")};
  for (std::size_t size = random() % 12; size > 0; --size) {
    std::vector<ExpressionPtr> arguments;
    for (std::size_t k = 2 + random() % 2; k > 0; --k) arguments.push_back(made[random() % made.size()]);
    switch (random() % 5) {
      case 0: made.push_back(Expression::precedence(arguments)); break;
      case 1: made.push_back(Expression::lock(arguments[0])); break;
      case 2: made.push_back(Expression::interleave(arguments, InterleaveDistribution::uniform())); break;
      case 3: {
        const double scores[] = {0.5, 0.25};
        std::vector<std::vector<double>> rows;
        for (std::size_t k = 0; k < arguments.size(); ++k) rows.push_back({scores[random() % 2]});
        made.push_back(Expression::scored_disjunction(arguments, rows));
        break;
      }
      default: made.push_back(Expression::word(std::string(1, static_cast<char>('a' + random() % 3))));
    }
  }
  return made.back();
}

/// A text that distinguishes expressions of these kinds.
std::string text(const Expression& expression) {
  std::string all = std::to_string(static_cast<int>(expression.kind())) + expression.text() + "(";
  for (const auto& row : expression.probabilities())
    for (double one : row) all += std::to_string(one) + " ";
  for (const ExpressionPtr& argument : expression.arguments()) all += text(*argument) + ",";
  return all + ")";
}

/// The same expression, without a shared node.
ExpressionPtr unshared(const Expression& expression) {
  std::vector<ExpressionPtr> arguments;
  for (const ExpressionPtr& argument : expression.arguments()) arguments.push_back(unshared(*argument));
  switch (expression.kind()) {
    case Expression::Kind::word: return Expression::word(expression.text());
    case Expression::Kind::precedence: return Expression::precedence(arguments);
    case Expression::Kind::lock: return Expression::lock(arguments[0]);
    case Expression::Kind::interleave: return Expression::interleave(arguments, expression.delta());
    case Expression::Kind::disjunction: return Expression::scored_disjunction(arguments, expression.probabilities());
    case Expression::Kind::tiles: break;
  }
  FAIL("not made here");
  return nullptr;
}

}  // namespace

TEST_CASE("a node table has every node once, arguments first, the root last") {
  std::mt19937 random(10);
  for (int round = 0; round < 200; ++round) {
    const ExpressionPtr root = random_expression(random);
    const NodeTable table(*root);
    std::map<const Expression*, std::size_t> place;
    for (std::size_t n = 0; n < table.size(); ++n) {
      CHECK(place.emplace(table.nodes[n], n).second);
      const auto& arguments = table.nodes[n]->arguments();
      REQUIRE(table.arguments(n).size() == arguments.size());
      for (std::size_t k = 0; k < arguments.size(); ++k) {
        CHECK(table.arguments(n)[k] < n);
        CHECK(table.nodes[table.arguments(n)[k]] == arguments[k].get());
      }
    }
    CHECK(table.nodes.back() == root.get());
    std::vector<bool> used(table.size());
    for (std::uint32_t argument : table.argument_nodes) used[argument] = true;
    CHECK(std::count(used.begin(), used.end(), false) == 1);  // only the root
  }
}

TEST_CASE("expressions are equal if they are written alike, whatever they share") {
  std::mt19937 random(11);
  std::size_t equal = 0;
  std::vector<ExpressionPtr> made;
  for (int round = 0; round < 150; ++round) made.push_back(random_expression(random));
  for (const ExpressionPtr& one : made) {
    const ExpressionPtr copy = unshared(*one);
    CHECK(*copy == *one);
    CHECK(copy->hash() == one->hash());
    for (const ExpressionPtr& other : made) {
      const bool same = text(*one) == text(*other);
      equal += same;
      REQUIRE((*one == *other) == same);
    }
  }
  CHECK(equal > made.size());
}

TEST_CASE("deep and widely shared expressions are walked without recursion, each node once") {
  ExpressionPtr deep = Expression::word("a"), twice = deep;
  for (int i = 0; i < 100'000; ++i) deep = Expression::lock(deep);
  CHECK(NodeTable(*deep).size() == 100'001);
  for (int i = 0; i < 60; ++i) twice = Expression::precedence({twice, twice});
  CHECK(NodeTable(*twice).size() == 61);
  ExpressionPtr again = Expression::word("a");
  for (int i = 0; i < 60; ++i) again = Expression::precedence({again, again});
  CHECK(*twice == *again);
}

}  // namespace widl
