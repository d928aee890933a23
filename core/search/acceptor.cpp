#include "search/acceptor.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>

#include "expression/node_table.hpp"
#include "log_zero.hpp"
#include "search/graph_model.hpp"
#include "search/graph_unfolding.hpp"
#include "search/mix.hpp"

namespace widl {
namespace {

/// ln of the divisor of an interleave's shuffles.
using FixedShuffles = std::unordered_map<const InterleaveDistribution*, double>;

/// FeaturesOfChoices, with movement in all components, and with fixed numbers of shuffles. Records what the end of an
/// interleave makes irrelevant: its number, the memory of δ, and the units of its arguments.
struct FactorsOfChoices : FeaturesOfChoices {
  const FixedShuffles* fixed;
  std::vector<std::uint64_t> closed = {};

  void movement(double log) {
    for (double& value : widl) value += log;
  }
  template <class Units>
  void closing(std::uint32_t number, std::uint32_t memory, Units&& units) {
    const WidlGraph::Interleave& interleave = graph->interleaves()[number];
    closed.insert(closed.end(), {number, memory});
    for (std::size_t k = 0; k < interleave.units.size(); ++k) closed.push_back(units(k));
    const auto count = fixed->find(interleave.delta);
    if (count == fixed->end()) return FeaturesOfChoices::closing(number, memory, units);
    // Treats the units like a derivation that chooses its shuffles freely: no permutation gets a share of their mass.
    InterleavingCounts counts(interleave.max_units);
    counts.shuffles = count->second;
    for (std::size_t j = 0; j < widl.size(); ++j) widl[j] += log_share(interleave, memory, counts, j);
  }
};

template <std::size_t Words>
class AcceptorWriter {
 public:
  AcceptorWriter(const GraphModel& model, const FixedShuffles& fixed, std::size_t limit, ExpressionAcceptor& acceptor)
      : unfolding_(model, true), graph_(model.graph()), fixed_(fixed), limit_(limit), made_(acceptor) {}

  void write() {
    number_of({});
    if (!add_empty_derivations()) return;
    for (std::uint32_t at = 0; at < states_.size(); ++at)
      if (!add_arcs(at)) return;
  }

 private:
  /// A cut, or a state after `done` words of a lock, an edge that leads to the cut. At such a state the interleaves
  /// that end with the edge are not yet finished; `closed` numbers them.
  struct State {
    Cut<Words> cut;
    std::uint32_t edge = ExpressionAcceptor::kNone, done = 0, closed = 0;
    bool operator==(const State&) const = default;
  };
  struct Hash {
    std::size_t operator()(const State& state) const {
      return mix(mix(state.cut.hash() ^ (std::uint64_t{state.edge} << 32 | state.done)) ^ state.closed);
    }
  };

  std::uint32_t number_of(const State& state) {
    const auto [entry, added] = numbers_.try_emplace(state, static_cast<std::uint32_t>(states_.size()));
    if (added) {
      states_.push_back(&entry->first);
      if (state.edge == ExpressionAcceptor::kNone && unfolding_.is_final(state.cut)) made_.final = entry->second;
      made_.states = static_cast<std::uint32_t>(states_.size());
    }
    return entry->second;
  }

  bool add_arc(std::uint32_t from, const State& to, WordId word, std::span<const double> logs) {
    if (made_.arcs.size() == limit_) return made_.complete = false;
    made_.arcs.push_back({from, number_of(to), word});
    made_.logs.insert(made_.logs.end(), logs.begin(), logs.end());
    return true;
  }

  bool add_empty_derivations() {
    const CutLayout<Words>& cuts = unfolding_.cuts();
    for (std::uint32_t row : graph_.empty_derivations()) {
      const std::vector<double> none(graph_.components(), 0.0);
      if (!add_arc(0, {cuts.after(graph_.root())}, ExpressionAcceptor::kEmpty,
                   row == WidlGraph::kNone ? std::span<const double>(none) : graph_.logs(row)))
        return false;
    }
    return true;
  }

  bool add_arcs(std::uint32_t at) {
    const State state = *states_[at];
    std::vector<double> logs(graph_.components(), 0.0);
    if (state.edge != ExpressionAcceptor::kNone) return add_word(at, state, logs);
    moves_.clear();
    unfolding_.moves(state.cut, [&](std::uint32_t number) { moves_.push_back(number); });
    std::ranges::stable_sort(moves_, {}, [&](std::uint32_t number) { return graph_.edges()[number].position; });
    for (std::uint32_t number : moves_) {
      const WidlGraph::Edge& edge = graph_.edges()[number];
      std::ranges::fill(logs, 0.0);
      FactorsOfChoices factors{{&graph_, logs, 0}, &fixed_};
      if (edge.logs != WidlGraph::kNone) factors.row(edge.logs);
      const Cut<Words> to = unfolding_.advance(state.cut, edge, factors);
      if (std::ranges::find(logs, kLogZero) != logs.end() || unfolding_.completion(to).bound == kLogZero) continue;
      const auto closed = closed_.try_emplace(factors.closed, static_cast<std::uint32_t>(closed_.size())).first->second;
      if (!add_word(at, {to, number, 0, closed}, logs)) return false;
    }
    return true;
  }

  /// The arc for the next word of an edge.
  bool add_word(std::uint32_t at, State state, std::span<const double> logs) {
    const auto words = graph_.words(graph_.edges()[state.edge]);
    const WordId word = words[state.done++];
    if (state.done == words.size()) state = {state.cut};
    return add_arc(at, state, word, logs);
  }

  GraphUnfolding<Words> unfolding_;
  const WidlGraph& graph_;
  const FixedShuffles& fixed_;
  std::size_t limit_;
  ExpressionAcceptor& made_;
  std::unordered_map<State, std::uint32_t, Hash> numbers_;
  std::vector<const State*> states_;  // by number, in numbers_
  std::vector<std::uint32_t> moves_;
  std::map<std::vector<std::uint64_t>, std::uint32_t> closed_;
};

}  // namespace

ExpressionAcceptor ExpressionAcceptor::of(const Expression& expression, SentenceWords& words, std::size_t limit,
                                          const ShuffleCounts& shuffles) {
  ExpressionAcceptor acceptor;
  acceptor.components = std::max<std::size_t>(1, expression.components());
  const WidlGraph graph(expression, acceptor.components, words);
  const ScoringModels none(words.vocabulary(), {});
  Budget unlimited;
  NGramScorer scorer(none, words, {}, unlimited);
  const WeightVector weights{
      .widl = std::vector<double>(acceptor.components, 1.0), .language_models = {}, .distortion = 1};
  const GraphModel model(graph, scorer, weights);
  FixedShuffles fixed;
  const NodeTable table(expression);
  for (const auto& [node, log] : shuffles) fixed.emplace(&table.nodes.at(node)->delta(), log);
  if (graph.bits() <= 64)
    AcceptorWriter<1>(model, fixed, limit, acceptor).write();
  else
    AcceptorWriter<WidlGraph::kMaxBits / 64>(model, fixed, limit, acceptor).write();
  return acceptor;
}

}  // namespace widl
