#include "search/path_ranking.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace widl {

PathRanking::PathRanking(PathGraph graph, Budget& budget) : graph_(std::move(graph)), budget_(budget) {
  budget.work(kWorkPerArc * graph_.arcs.size());
  arcs_in_.index(graph_.arcs, graph_.nodes, &PathArc::to);
  score_forwards();
  if (graph_.goal != kNone && best_[graph_.goal] != PathGraph::kWorst) push({graph_.goal, kNone, kNone, kNone}, 0);
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
  best_.assign(graph_.nodes, PathGraph::kWorst);
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

}  // namespace widl
