#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "expression/vocabulary.hpp"
#include "search/search_graph.hpp"
#include "search/unfolding.hpp"

namespace widl {
namespace {

constexpr std::uint32_t kItems = 7;

/// All orders of some words; a state is the set of words used so far. The cost of a word depends on the words before
/// it.
class Orders {
 public:
  using State = std::uint32_t;
  using Edge = UnfoldedEdge<State>;
  using Option = StepOption;

  explicit Orders(std::vector<PhraseId> phrases) : phrases_(std::move(phrases)) {}

  State initial() const { return 0; }
  bool is_final(State state) const { return state == (1u << kItems) - 1; }
  static std::uint64_t hash(State state) { return state % 5; }  // bad on purpose
  std::size_t edge_work() const { return 40; }
  static State covered(State state) { return state; }
  static State moved(State, State to) { return to; }
  std::uint32_t progress(State state) const { return static_cast<std::uint32_t>(std::popcount(state)); }
  std::uint32_t length() const { return kItems; }
  bool is_complete(State state) const { return is_final(state); }
  template <class Visit>
  void for_each_step(State state, Visit&& visit) const {
    successors(state, [&](const Edge& edge) {
      const Option option{edge.phrase, edge.label, edge.word_count, edge.bytes, edge.score, edge.score, 0, 0};
      visit(std::span(&option, 1), edge.to, 0.0);
    });
  }
  std::optional<Edge> edge(State, const Option& option, State to, double score) const {
    return edge_of(option, to, score);
  }
  template <class Visit>
  void successors(State state, Visit&& visit) const {
    for (std::uint32_t item = 0; item < kItems; ++item)
      if (!(state >> item & 1)) visit(edge(state, item));
  }
  Edge edge(State state, std::uint32_t item) const {
    const double score = -static_cast<double>((state * 2654435761u + item * 40503u) % 101);
    return {state | 1u << item, phrases_[item], score, item, 1 + item % 2, 3};
  }
  std::uint32_t phrases_of(std::uint32_t) const { return 1; }
  Extent shortest(State state) const {
    Extent extent;
    for (std::uint32_t item = 0; item < kItems; ++item)
      if (!(state >> item & 1)) extent = extent + Extent{1 + item % 2, 3};
    return extent;
  }

 private:
  std::vector<PhraseId> phrases_;
};

struct NoEstimate : Estimator<Orders::State> {
  ScoreEstimate of_state(const Orders::State&) override { return {0, 0}; }
};

struct Toy {
  Vocabulary vocabulary;
  ScoringModels models{vocabulary, {}};
  SentenceWords words{vocabulary};
  std::vector<double> weights;
  Budget unlimited;
  NGramScorer scorer{models, words, weights, unlimited};
  Orders orders{phrases()};
  NoEstimate estimate;

  std::vector<PhraseId> phrases() {
    std::vector<PhraseId> all;
    for (std::uint32_t item = 0; item < kItems; ++item) {
      const WordId word = words.id("w" + std::to_string(item));
      all.push_back(scorer.phrase({&word, 1}));
    }
    scorer.settle();
    return all;
  }
};

using Graph = SearchGraph<Orders>;

/// Unfolds everything, layer by layer, each node once its best path is known; resumes where it was interrupted.
std::size_t unfold_all(Graph& graph, std::size_t work_each, Budget& budget) {
  std::set<std::pair<int, Graph::NodeId>> queue = {{0, graph.root()}};
  std::size_t interruptions = 0;
  while (!queue.empty()) {
    const auto [size, node] = *queue.begin();
    const auto reached = [&](Graph::NodeId to) { queue.insert({std::popcount(graph.state(graph[to].state)), to}); };
    try {
      graph.unfold(node, reached);
    } catch (const OutOfBudget&) {
      ++interruptions;
      budget.allow_overtime(static_cast<double>(work_each) * constants::kSecondsPerTick);
      continue;
    }
    queue.erase({size, node});
  }
  return interruptions;
}

}  // namespace

TEST_CASE("a node whose unfolding was interrupted gets each arc once") {
  Toy toy;
  SearchOptions options;
  options.output.nbest = 2;
  std::multiset<std::tuple<std::uint32_t, std::uint32_t, double>> expected;
  for (Orders::State state = 0; state < 1u << kItems; ++state)
    toy.orders.successors(state, [&](const auto& edge) { expected.emplace(state, edge.label, edge.score); });
  for (std::size_t work : {constants::kTicksPerReading, 2 * constants::kTicksPerReading}) {
    Budget budget({.work = work});
    Graph graph(toy.orders, toy.scorer, toy.estimate, options, budget);
    const std::size_t interruptions = unfold_all(graph, work, budget);
    CHECK(interruptions > 0);
    std::multiset<std::tuple<std::uint32_t, std::uint32_t, double>> found;
    for (const auto& arc : graph.arcs()) {
      found.emplace(graph.state(graph[arc.from].state), arc.label, arc.score);
      CHECK(graph.state(graph[arc.to].state) == (graph.state(graph[arc.from].state) | 1u << arc.label));
    }
    CHECK(found == expected);
  }
}

}  // namespace widl
