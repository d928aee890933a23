#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "expression/expression.hpp"
#include "expression/node_table.hpp"
#include "expression/text.hpp"
#include "expression/tiles.hpp"
#include "expression/vocabulary.hpp"
#include "expression/widl_graph.hpp"

namespace widl::expression_test {
namespace {

ExpressionPtr word(const char* text) { return Expression::word(text); }
ExpressionPtr row(const std::vector<const char*>& words) {
  std::vector<ExpressionPtr> parts;
  for (const char* text : words) parts.push_back(word(text));
  return Expression::precedence(std::move(parts));
}
std::string text_of(const ExpressionPtr& expression) { return to_text(*expression, 1000).text; }

/// The message of the InputError that `make` throws, or "none".
template <class Make>
std::string refusal(Make&& make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("precedence: a single part is returned unchanged, and no parts are the empty string") {
  const ExpressionPtr rain = word("rain");
  CHECK(Expression::precedence({rain}) == rain);
  CHECK(row({})->max_units() == 0);
  CHECK(text_of(row({"heavy", "rain"})) == "heavy · rain");
}

TEST_CASE("units: words outside of locks, and locked blocks") {
  CHECK(row({"heavy", "rain", "falls"})->max_units() == 3);
  CHECK(Expression::lock(row({"heavy", "rain"}))->max_units() == 1);
  const ExpressionPtr choice =
      Expression::disjunction({word("rain"), row({"it", "rains"}), row({})}, {{0.5}, {0.3}, {0.2}});
  CHECK(choice->min_units() == 0);
  CHECK(choice->max_units() == 2);
}

TEST_CASE("disjunction: each component of its probabilities sums to 1") {
  const auto choose = [](double p) { return Expression::disjunction({word("rain"), word("snow")}, {{p}, {0.5}}); };
  CHECK(text_of(choose(0.5)) == "∨(rain, snow)");
  CHECK(choose(0.5 + 9e-7)->components() == 1);
  CHECK(refusal([&] { choose(0.4); }).find("sum to 0.9, not to 1") != std::string::npos);
  CHECK(refusal([&] { choose(-0.5); }) == "∨: -0.5 is not a probability");
}

TEST_CASE("disjunction: every argument has the same number of probabilities") {
  const auto make = [] { Expression::disjunction({word("rain"), word("snow")}, {{0.5, 0.5}, {0.5}}); };
  CHECK(refusal(make) == "∨: every argument needs the same number of probabilities; found 2 and 1");
}

TEST_CASE("disjunction: an argument is possible if its probability is non-zero in every component") {
  const ExpressionPtr choice = Expression::disjunction({word("rain"), word("snow")}, {{1, 0.5}, {0, 0.5}});
  CHECK(choice->possible(0));
  CHECK_FALSE(choice->possible(1));
}

TEST_CASE("scored disjunction: scores need not sum to 1, but are in (0, 1]") {
  const auto choose = [](double score) {
    return Expression::scored_disjunction({word("rain"), word("snow")}, {{score}, {0.9}});
  };
  CHECK(choose(0.9)->scored());
  for (const double bad : {0.0, 1.1, std::numeric_limits<double>::quiet_NaN()})
    CHECK(refusal([&] { choose(bad); }).find("is not in (0, 1]") != std::string::npos);
}

TEST_CASE("interleave: listed orders are permutations, and each is listed once") {
  const auto interleave = [](std::vector<std::vector<std::uint32_t>> orders) {
    InterleaveDistribution delta;
    for (const auto& order : orders) delta.listed.push_back({order, {1.0 / static_cast<double>(orders.size())}});
    return Expression::interleave({word("rain"), word("falls")}, delta);
  };
  CHECK(text_of(interleave({{1, 0}})) == "∥{2 1: 1}(rain, falls)");
  CHECK(refusal([&] { interleave({{0, 0}}); }) == "∥: the order '1 1' is not a permutation of its 2 arguments");
  CHECK(refusal([&] { interleave({{1, 0}, {1, 0}}); }) == "∥: the order '2 1' is listed twice");
}

TEST_CASE("interleave: words and locked blocks have no shuffles") {
  const auto interleave = [](ExpressionPtr first) {
    InterleaveDistribution delta;
    delta.shuffles = {1};
    return Expression::interleave({first, word("falls")}, delta);
  };
  CHECK(interleave(row({"heavy", "rain"}))->max_units() == 3);
  CHECK(refusal([&] {
          interleave(Expression::lock(row({"heavy", "rain"})));
        }).find("shuffles has 1, but there are none") != std::string::npos);
}

TEST_CASE("words: neither empty nor with white space; syntax characters are quoted in text") {
  CHECK(refusal([] { word(""); }) == "a word can't be empty");
  CHECK(refusal([] { word("heavy rain"); }).find("can't contain white space") != std::string::npos);
  CHECK(text_of(row({"(", "rain", "."})) == "\"(\" · rain · .");
}

TEST_CASE("equality and hash: shared nodes do not matter, order does") {
  const ExpressionPtr rain = word("rain");
  const ExpressionPtr shared = Expression::precedence({rain, rain}), copied = row({"rain", "rain"});
  CHECK(*shared == *copied);
  CHECK(shared->hash() == copied->hash());
  CHECK(NodeTable(*shared).size() == 2);
  CHECK(NodeTable(*copied).size() == 3);
  CHECK_FALSE(*row({"heavy", "rain"}) == *row({"rain", "heavy"}));
}

TEST_CASE("tiles: some sequence of spans covers all positions") {
  const ExpressionPtr all =
      Expression::tiles(2, {{0, 1, word("heavy")}, {1, 2, word("rain")}, {0, 2, word("downpour")}}, 0.5);
  CHECK(all->min_units() == 1);
  CHECK(all->max_units() == 2);
  CHECK(refusal([] {
          Expression::tiles(2, {{0, 1, word("heavy")}}, 0.5);
        }) == "tiles: no sequence of its spans covers 0-2");
  CHECK(refusal([] {
          Expression::tiles(1, {{0, 2, word("rain")}}, 0.5);
        }).find("is not within 0-1") != std::string::npos);
}

TEST_CASE("Tiles::compile: each derivation of a span is an alternative, with probabilities multiplied") {
  const ExpressionPtr inner = Expression::disjunction({word("rain"), word("rains")}, {{0.25}, {0.75}});
  const ExpressionPtr outer = Expression::disjunction({inner, word("snow")}, {{0.5}, {0.5}});
  const Vocabulary vocabulary;
  const Tiles tiles = Tiles::compile(*Expression::tiles(1, {{0, 1, outer}}, 0.5), vocabulary, 1);
  REQUIRE(tiles.alternatives().size() == 3);
  double rain = 0;
  for (const auto& alternative : tiles.alternatives())
    if (tiles.text(tiles.words(alternative)[0]) == "rain") rain = tiles.log_scores(alternative)[0];
  CHECK(rain == doctest::Approx(std::log(0.125)));
}

TEST_CASE("WidlGraph: weights for another number of components are refused") {
  const Vocabulary vocabulary;
  SentenceWords words(vocabulary);
  const ExpressionPtr choice = Expression::disjunction({word("rain"), word("snow")}, {{0.5, 0.5}, {0.5, 0.5}});
  CHECK(refusal([&] { WidlGraph(*choice, 2, words); }) == "none");
  CHECK(refusal([&] { WidlGraph(*choice, 3, words); }).find("2 probabilities per choice") != std::string::npos);
}

}  // namespace widl::expression_test
