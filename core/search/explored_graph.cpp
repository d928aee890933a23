#include "search/explored_graph.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <ranges>
#include <utility>

#include "log_zero.hpp"
#include "search/certificate.hpp"

namespace widl {

void ArcsByNode::index(std::span<const PathArc> arcs, std::size_t nodes, std::uint32_t PathArc::*end) {
  first_.assign(nodes + 1, 0);
  for (const PathArc& arc : arcs) ++first_[arc.*end + 1];
  for (std::size_t n = 0; n < nodes; ++n) first_[n + 1] += first_[n];
  MeteredVector<std::uint32_t> next(first_.begin(), first_.end() - 1, budget_);
  arcs_.resize(arcs.size());
  for (std::uint32_t a = 0; a < arcs.size(); ++a) arcs_[next[arcs[a].*end]++] = a;
}

MeteredVector<std::uint32_t> topological_arcs(std::span<const PathArc> arcs, std::size_t nodes, Budget& budget) {
  ArcsByNode out(budget);
  out.index(arcs, nodes, &PathArc::from);
  MeteredVector<std::uint32_t> waiting(nodes, 0, budget);
  for (const PathArc& arc : arcs) ++waiting[arc.to];
  MeteredVector<std::uint32_t> ready(budget), order(budget);
  order.reserve(arcs.size());
  for (std::uint32_t n = 0; n < nodes; ++n)
    if (waiting[n] == 0) ready.push_back(n);
  while (!ready.empty()) {
    const std::uint32_t from = ready.back();
    ready.pop_back();
    for (std::uint32_t a : out.of(from)) {
      order.push_back(a);
      if (--waiting[arcs[a].to] == 0) ready.push_back(arcs[a].to);
    }
  }
  return order;
}

PathRanking::PathRanking(PathGraph graph, Budget& budget) : graph_(std::move(graph)), budget_(budget) {
  budget.work(kWorkPerArc * graph_.arcs.size());
  arcs_in_.index(graph_.arcs, graph_.nodes, &PathArc::to);
  score_forwards();
  if (graph_.goal != kNone && best_[graph_.goal] != kLogZero) push({graph_.goal, kNone, kNone, kNone}, 0);
}

void PathRanking::best(std::size_t k, bool distinct, std::vector<RankedPath>& paths) {
  if (distinct) suffixes_.emplace(budget_);
  while (paths.size() < k && !queue_.empty()) {
    const Entry entry = queue_.top();
    queue_.pop();
    budget_.work(kWorkPerStep);
    if (distinct && !is_new(entry.step)) continue;
    const Step step = steps_[entry.step];
    if (step.node == PathGraph::kRoot) {
      paths.push_back({labels(step), entry.priority});
      continue;
    }
    for (std::uint32_t a : arcs_in_.of(step.node)) {
      budget_.work(kWorkPerStep);
      const PathArc& arc = graph_.arcs[a];
      push({arc.from, entry.step, a, kNone}, entry.suffix + arc.score);
    }
  }
}

std::uint32_t PathRanking::Suffixes::longer(WordId word, std::uint32_t rest) {
  const std::uint64_t hash = std::uint64_t{rest} << 32 | word;
  const std::uint32_t existing =
      index.find(hash, [&](std::uint32_t id) { return all[id].word == word && all[id].rest == rest; });
  if (existing != kNone) return existing;
  const auto number = static_cast<std::uint32_t>(all.size());
  all.push_back({word, rest});
  index.insert(hash, number);
  return number;
}

/// Whether no better path from the same node ends in the same words. Otherwise every path before it would yield two
/// equal strings. So each string is found once, however many paths it has (lazy determinization, Mohri & Riley 2002).
bool PathRanking::is_new(std::uint32_t number) {
  Step& step = steps_[number];
  std::uint32_t suffix = step.rest == kNone ? kNone - 1 : steps_[step.rest].suffix;
  if (step.arc != kNone)
    for (const WordId word : graph_.words(graph_.arcs[step.arc].phrase) | std::views::reverse)
      suffix = suffixes_->longer(word, suffix);
  step.suffix = suffix;
  return suffixes_->seen.find_or_insert(std::uint64_t{suffix} << 32 | step.node).second;
}

void PathRanking::push(const Step& step, double suffix) {
  steps_.push_back(step);
  queue_.push({best_[step.node] + suffix, suffix, static_cast<std::uint32_t>(steps_.size() - 1)});
}

/// The best score of every node along the arcs.
void PathRanking::score_forwards() {
  best_.assign(graph_.nodes, kLogZero);
  best_[PathGraph::kRoot] = 0;
  for (std::uint32_t a : topological_arcs(graph_.arcs, graph_.nodes, budget_)) {
    const PathArc& arc = graph_.arcs[a];
    best_[arc.to] = std::max(best_[arc.to], best_[arc.from] + arc.score);
  }
}

std::vector<std::uint32_t> PathRanking::labels(Step step) const {
  std::vector<std::uint32_t> all;
  for (; step.arc != kNone; step = steps_[step.rest]) all.push_back(graph_.arcs[step.arc].label);
  return all;
}

GraphPruning::GraphPruning(PathGraph graph, Budget& budget)
    : graph_(std::move(graph)), order_(arcs_in_order(graph_, budget)), marginals_(graph_.arcs.size(), budget) {
  MeteredVector<double> forward(graph_.nodes, kLogZero, budget), backward(graph_.nodes, kLogZero, budget);
  forward[PathGraph::kRoot] = 0;
  backward[graph_.goal] = 0;
  const auto arcs = graph_.arcs;
  for (std::uint32_t a : order_)
    forward[arcs[a].to] = std::max(forward[arcs[a].to], forward[arcs[a].from] + arcs[a].score);
  for (std::uint32_t a : order_ | std::views::reverse)
    backward[arcs[a].from] = std::max(backward[arcs[a].from], backward[arcs[a].to] + arcs[a].score);
  for (std::size_t a = 0; a < arcs.size(); ++a)
    marginals_[a] = forward[arcs[a].from] + arcs[a].score + backward[arcs[a].to];
  best_ = forward[graph_.goal];
}

ExploredGraph GraphPruning::keep(double beam, std::size_t most) const {
  return numbered(complete(least_marginal(beam, most)));
}

MeteredVector<std::uint32_t> GraphPruning::arcs_in_order(const PathGraph& graph, Budget& budget) {
  budget.work(kWorkPerArc * graph.arcs.size());
  return topological_arcs(graph.arcs, graph.nodes, budget);
}

double GraphPruning::least_marginal(double beam, std::size_t most) const {
  double least = std::max(best_ - beam, std::numeric_limits<double>::lowest());
  if (most && most < marginals_.size()) {
    MeteredVector<double> sorted = marginals_;
    const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(sorted.begin(), last, sorted.end(), std::greater<>());
    least = std::max(least, sorted[most] + 2 * Certificate::rounding(best_));
  }
  return std::min(least, best_) - Certificate::rounding(best_);
}

/// The arcs whose max-marginal is at least `least`, and that are on complete paths of such arcs.
std::vector<bool> GraphPruning::complete(double least) const {
  const auto arcs = graph_.arcs;
  std::vector<bool> reached(graph_.nodes), leads_on(graph_.nodes), kept(arcs.size());
  reached[PathGraph::kRoot] = true;
  leads_on[graph_.goal] = true;
  for (std::uint32_t a : order_)
    if (reached[arcs[a].from] && marginals_[a] >= least) kept[a] = reached[arcs[a].to] = true;
  for (std::uint32_t a : order_ | std::views::reverse) {
    kept[a] = kept[a] && leads_on[arcs[a].to];
    if (kept[a]) leads_on[arcs[a].from] = true;
  }
  return kept;
}

ExploredGraph GraphPruning::numbered(const std::vector<bool>& selected) const {
  const auto arcs = graph_.arcs;
  std::vector<std::uint32_t> number(graph_.nodes, PathGraph::kNone);
  ExploredGraph explored;
  // Nodes are in topological order.
  for (std::uint32_t a : order_)
    if (selected[a] && number[arcs[a].from] == PathGraph::kNone) number[arcs[a].from] = explored.nodes++;
  number[graph_.goal] = explored.nodes++;
  for (std::uint32_t a : order_)
    if (selected[a])
      explored.arcs.push_back(
          {number[arcs[a].from], number[arcs[a].to], arcs[a].label, arcs[a].phrase, graph_.context(arcs[a].from)});
  std::stable_sort(explored.arcs.begin(), explored.arcs.end(),
                   [](const auto& a, const auto& b) { return a.to != b.to ? a.to < b.to : a.from < b.from; });
  return explored;
}

}  // namespace widl
