#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "search/explored_graph.hpp"

namespace widl {
namespace {

/// An explored graph without a search: phrase p is the words p and p % 3, except phrase 0, which is empty.
struct ToyGraph {
  PathGraph paths() const {
    return {all, nodes, last, [this](PhraseId phrase) { return words(phrase); },
            [](std::uint32_t node) { return ContextId(node); }};
  }
  std::span<const WordId> words(PhraseId phrase) const { return phrases.at(phrase); }

  std::uint32_t nodes;
  std::uint32_t last;
  std::vector<PathArc> all;
  std::vector<std::vector<WordId>> phrases = {{}, {1}, {2}, {1, 2}};
};

/// Arcs lead from lower to higher ranks; node numbers are in no order, except for the root.
ToyGraph random_graph(std::mt19937& random) {
  ToyGraph graph{};
  graph.nodes = static_cast<std::uint32_t>(2 + random() % 7);
  std::vector<std::uint32_t> order(graph.nodes);
  for (std::uint32_t n = 0; n < graph.nodes; ++n) order[n] = n;
  std::shuffle(order.begin() + 1, order.end(), random);
  graph.last = order.back();
  const std::size_t count = random() % (3 * graph.nodes);
  for (std::uint32_t label = 0; label < count; ++label) {
    const auto a = static_cast<std::uint32_t>(random() % graph.nodes), b = static_cast<std::uint32_t>(random() % graph.nodes);
    if (a == b) continue;
    const double score = -static_cast<double>(random() % 1000) / 7 - 1e-4 * label;
    graph.all.push_back({order[std::min(a, b)], order[std::max(a, b)], PhraseId(static_cast<std::uint32_t>(random() % 4)), label, score});
  }
  return graph;
}

struct Path {
  double score;
  std::vector<std::uint32_t> labels;
  std::vector<WordId> words;
};

/// All complete paths, by walking them.
void walk(const ToyGraph& graph, std::uint32_t node, const Path& path, std::vector<Path>& found) {
  if (node == graph.last) found.push_back(path);
  for (const auto& arc : graph.all) {
    if (arc.from != node) continue;
    Path longer = path;
    longer.score += arc.score;
    longer.labels.push_back(arc.label);
    const auto words = graph.words(arc.phrase);
    longer.words.insert(longer.words.end(), words.begin(), words.end());
    walk(graph, arc.to, longer, found);
  }
}
std::vector<Path> all_paths(const ToyGraph& graph) {
  std::vector<Path> found;
  walk(graph, 0, {}, found);
  std::stable_sort(found.begin(), found.end(), [](const Path& a, const Path& b) { return a.score > b.score; });
  return found;
}

std::vector<RankedPath> ranked(const ToyGraph& graph, Budget& budget, std::size_t most, bool distinct) {
  std::vector<RankedPath> found;
  PathRanking(graph.paths(), budget).best(most, distinct, found);
  return found;
}

}  // namespace

TEST_CASE("paths are ranked as if all of them were listed and sorted") {
  std::mt19937 random(8);
  for (int round = 0; round < 300; ++round) {
    const ToyGraph graph = random_graph(random);
    std::vector<Path> expected = all_paths(graph);
    const std::size_t most = 1 + random() % 20;
    for (bool distinct : {false, true}) {
      if (distinct) {
        std::set<std::vector<WordId>> seen;
        std::erase_if(expected, [&](const Path& path) { return !seen.insert(path.words).second; });
      }
      Budget budget;
      const auto found = ranked(graph, budget, most, distinct);
      REQUIRE(found.size() == std::min(most, expected.size()));
      for (std::size_t i = 0; i < found.size(); ++i) {
        CHECK(found[i].score == doctest::Approx(expected[i].score));
        CHECK(found[i].labels == expected[i].labels);
      }
      CHECK(budget.used() == 0);
    }
  }
}

TEST_CASE("a ranking that is interrupted has the first paths of the whole one") {
  // A chain of twelve nodes, with three arcs from each to the next: 3^11 paths.
  ToyGraph graph{.nodes = 12, .last = 11, .all = {}};
  for (std::uint32_t n = 0; n + 1 < graph.nodes; ++n)
    for (std::uint32_t k = 0; k < 3; ++k)
      graph.all.push_back({n, n + 1, PhraseId(1 + k), 3 * n + k, -1.0 - k - 0.01 * n * k});
  Budget unlimited;
  const auto all = ranked(graph, unlimited, 100'000, false);
  REQUIRE(all.size() == 100'000);
  std::size_t least = all.size();
  for (std::size_t readings : {2u, 4u, 20u}) {
    Budget budget({.work = readings * constants::kUnitsPerReading});
    std::vector<RankedPath> some;
    CHECK_THROWS_AS(PathRanking(graph.paths(), budget).best(100'000, false, some), OutOfBudget);
    REQUIRE_FALSE(some.empty());
    least = std::min(least, some.size());
    for (std::size_t i = 0; i < some.size(); ++i) REQUIRE(some[i].labels == all[i].labels);
  }
  CHECK(least < all.size());
  Budget none({.work = constants::kUnitsPerReading});
  CHECK_THROWS_AS(
      [&] {
        none.work(constants::kUnitsPerReading - 1);
        ranked(graph, none, 1, false);
      }(),
      OutOfBudget);
}

TEST_CASE("a string is found whatever the number of its paths") {
  // A chain of forty nodes, with two arcs of one word from each to the next: 2^39 paths of one string, and one of
  // another string.
  ToyGraph graph{.nodes = 40, .last = 39, .all = {}};
  for (std::uint32_t n = 0; n + 1 < graph.nodes; ++n)
    for (std::uint32_t k = 0; k < 2; ++k) graph.all.push_back({n, n + 1, PhraseId(1), 2 * n + k, -1.0 - 0.001 * k});
  graph.all.push_back({38, 39, PhraseId(2), 100, -50});
  Budget budget;
  const auto found = ranked(graph, budget, 3, true);
  REQUIRE(found.size() == 2);
  CHECK(found[0].score == doctest::Approx(-39));
  CHECK(found[1].score == doctest::Approx(-88));
}

TEST_CASE("pruning keeps the arcs of all paths that are good enough, and no others") {
  std::mt19937 random(9);
  for (int round = 0; round < 300; ++round) {
    const ToyGraph graph = random_graph(random);
    const std::vector<Path> paths = all_paths(graph);
    if (paths.empty()) continue;
    const double beam = round % 3 == 0 ? 0 : static_cast<double>(random() % 300);
    std::set<std::uint32_t> expected;
    for (const Path& path : paths)
      if (path.score >= paths.front().score - beam) expected.insert(path.labels.begin(), path.labels.end());
    Budget budget;
    const ExploredGraph kept = GraphPruning(graph.paths(), budget).keep(beam, 0);
    std::set<std::uint32_t> found;
    for (const auto& arc : kept.arcs) {
      CHECK(arc.from < arc.to);
      CHECK(arc.to < kept.nodes);
      found.insert(arc.label);
    }
    CHECK(found == expected);
    CHECK(kept.arcs.size() == expected.size());
  }
}

}  // namespace widl
