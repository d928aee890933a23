#include "search/counting_bound.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "log_zero.hpp"
#include "search/hash_table.hpp"
#include "search/mix.hpp"

namespace widl {

CountingBound::CountingBound(const SequenceBound& sequence, ScoreOf score_of, Budget& budget)
    : sequence_(sequence),
      score_of_(std::move(score_of)),
      budget_(budget),
      option_count_(static_cast<std::uint32_t>(sequence.options().size())),
      multipliers_(sequence.multipliers()),
      bound_(sequence.bound()),
      counters_(multipliers_.groups()),
      closed_(multipliers_.groups(), MeteredVector<float>(budget)) {}

bool CountingBound::find_floor() {
  for (double guess = constants::kFirstGuess; guess < constants::kMaxGuess; guess *= 2) {
    floor_ = bound_ - guess;
    if (!make_steps()) return false;
    floor_ = -std::numeric_limits<double>::infinity();
    raise_floor(constants::kPartials);
    if (gap() > constants::kFarAway) raise_floor(constants::kMorePartials);
    if (gap() > constants::kMaxGuess) continue;
    if (gap() > guess && !make_steps()) return false;
    drop_steps();
    return true;
  }
  return false;
}

void CountingBound::refine() {
  std::vector<double> gaps;
  while (gap() > constants::kEnoughForBag) {
    const std::vector<std::uint32_t> surplus = lower();
    if (gap() > constants::kEnoughForBag)
      raise_floor(gap() > constants::kFarAway ? constants::kMorePartials : constants::kPartials);
    drop_steps();
    gaps.push_back(gap());
    const bool gains =
        gaps.size() <= constants::kRoundsToGain || gap() < 0.9 * gaps[gaps.size() - 1 - constants::kRoundsToGain];
    if (gap() <= constants::kEnoughForBag || (!gains && pass_work() > constants::kCheapPass) ||
        !count_one_more(surplus))
      break;
  }
}

void CountingBound::settle() {
  rough_ = MeteredVector<float>(budget_);
  bound_ = solve(table_);
  node_at_.assign((std::size_t{sequence_.length()} + 1) * (option_count_ + 1) * option_count_, kNone);
  for (std::size_t layer = 0; layer + 1 < layers_.size(); ++layer)
    for (std::size_t node = layers_[layer]; node < layers_[layer + 1]; ++node)
      node_at_[key(static_cast<std::uint32_t>(layer + 1), nodes_[node].previous, nodes_[node].last)] =
          static_cast<std::uint32_t>(node);
}

/// The minimum score, with multipliers, at which a path is kept.
double CountingBound::threshold() const {
  const double size = std::abs(floor_) + multipliers_.absolute_sum();
  return floor_ + multipliers_.sum() - kRounding * std::max(1.0, size);
}

/// Lists the nodes and steps on paths that reach the floor without counts, going forward through the values of the
/// sequence. Returns false for too many of them.
bool CountingBound::make_steps() {
  const double least = threshold();
  const std::size_t pairs = std::size_t{option_count_ + 1} * option_count_;
  std::vector<std::uint32_t> number(pairs, kNone);
  std::vector<double> forward;
  nodes_.clear();
  steps_.clear();
  layers_ = {0};
  for (OptionId first = 0; first < option_count_; ++first) {
    const double score = sequence_.start(first) + multipliers_[group(first)];
    if (score + sequence_.completion(1, SequenceBound::kStart, first) < least) continue;
    nodes_.push_back({SequenceBound::kStart, first, 0});
    forward.push_back(score);
  }
  for (std::uint32_t placed = 1; placed < sequence_.length(); ++placed) {
    std::ranges::fill(number, kNone);
    layers_.push_back(nodes_.size());
    for (std::size_t n = layers_[placed - 1]; n < layers_[placed]; ++n) {
      budget_.work(option_count_);
      nodes_[n].first_step = steps_.size();
      const auto [previous, last, _] = nodes_[n];
      for (OptionId next = 0; next < option_count_; ++next) {
        const double step = sequence_.step(previous, last, next);
        const double score = forward[n] + step + multipliers_[group(next)];
        if (score + sequence_.completion(placed + 1, last, next) < least) continue;
        std::uint32_t& to = number[std::size_t{last} * option_count_ + next];
        if (to == kNone) {
          to = static_cast<std::uint32_t>(nodes_.size());
          nodes_.push_back({last, next, 0});
          forward.push_back(score);
        }
        forward[to] = std::max(forward[to], score);
        steps_.push_back({next, to, step});
      }
      if (steps_.size() > constants::kMaxCountedSteps) return false;
    }
  }
  layers_.push_back(nodes_.size());
  for (std::size_t n = layers_[layers_.size() - 2]; n < nodes_.size(); ++n) nodes_[n].first_step = steps_.size();
  nodes_.push_back({0, 0, steps_.size()});
  solve(rough_);
  return true;
}

/// Fills the table backwards; returns the bound.
template <class Real>
double CountingBound::solve(MeteredVector<Real>& table) const {
  table.resize((nodes_.size() - 1) * indices_ + constants::kShortStride);
  const std::size_t last_layer = layers_[layers_.size() - 2];
  std::fill(table.begin() + static_cast<std::ptrdiff_t>(last_layer * indices_), table.end(),
            static_cast<Real>(kFiniteLogZero));
  for (std::size_t n = last_layer; n + 1 < nodes_.size(); ++n)
    table[n * indices_ + indices_ - 1] = static_cast<Real>(sequence_.finish(nodes_[n].previous, nodes_[n].last));
  for (auto n = static_cast<std::uint32_t>(last_layer); n-- > 0;) {
    Real* values = &table[std::size_t{n} * indices_];
    std::fill_n(values, indices_, static_cast<Real>(kFiniteLogZero));
    for (const Step& step : steps(n)) {
      budget_.work(indices_ / constants::kSumsPerUnit + 1);
      const std::uint32_t g = group(step.option);
      const Real score = static_cast<Real>(step.score + multipliers_[g]);
      const Real* completions = &table[std::size_t{step.to} * indices_];
      if (indices_ == 1)
        *values = std::max(*values, score + *completions);
      else
        row_loops::raise_backward(counted(g), score, completions, indices_, values);
    }
  }
  double best = kFiniteLogZero;
  for (std::uint32_t n = 0; n < layers_[1]; ++n)
    best = std::max<double>(best, entry(n) + table[std::size_t{n} * indices_ + entry_index(n)]);
  return best - multipliers_.sum();
}

/// The score of the first step, to a node of the first layer.
double CountingBound::entry(std::uint32_t node) const {
  return sequence_.start(nodes_[node].last) + multipliers_[group(nodes_[node].last)];
}

bool CountingBound::may_count(std::uint32_t index, std::uint32_t group) const {
  const auto [stride, radix] = counters_[group];
  return stride == 0 || index / stride % radix + 1 < radix;
}

/// The options of the best path of the last pass.
std::vector<CountingBound::OptionId> CountingBound::best_path() const {
  std::uint32_t node = 0;
  double best = -std::numeric_limits<double>::infinity();
  for (std::uint32_t n = 0; n < layers_[1]; ++n) {
    const double most = entry(n) + rough_[std::size_t{n} * indices_ + entry_index(n)];
    if (most > best) std::tie(best, node) = std::pair(most, n);
  }
  std::uint32_t index = entry_index(node);
  std::vector<OptionId> path{nodes_[node].last};
  while (path.size() < sequence_.length()) {
    const Step* chosen = nullptr;
    for (const Step& step : steps(node)) {
      const std::uint32_t g = group(step.option);
      if (!may_count(index, g)) continue;
      const double most =
          step.score + multipliers_[g] + rough_[std::size_t{step.to} * indices_ + index + counters_[g].stride];
      if (chosen && most <= best) continue;
      best = most;
      chosen = &step;
    }
    if (!chosen) break;
    path.push_back(chosen->option);
    index += counters_[group(chosen->option)].stride;
    node = chosen->to;
  }
  return path;
}

/// Subgradient steps, as long as the bound is above the floor (Polyak 1969); how often the best paths realized groups
/// too often.
std::vector<std::uint32_t> CountingBound::lower() {
  const std::vector<std::uint32_t>& multiplicity = multipliers_.multiplicity;
  std::vector<std::uint32_t> surplus(multiplicity.size(), 0);
  MultiplierDescent descent(multipliers_, /*least_gain=*/1e-6, constants::kCountingPatience);
  double share = 1;
  for (unsigned pass = 0; pass < constants::kCountingPasses; ++pass) {
    const double bound = solve(rough_);
    const std::vector<OptionId> path = best_path();
    std::vector<std::uint32_t> visits(multiplicity.size(), 0);
    for (OptionId option : path) ++visits[group(option)];
    for (std::size_t g = 0; g < visits.size(); ++g) surplus[g] += visits[g] - std::min(visits[g], multiplicity[g]);
    if (!descent.goes_on(bound)) {
      share /= 2;
      continue;
    }
    if (visits == multiplicity) floor_ = std::max(floor_, score_of_(path));
    if (visits == multiplicity || descent.best() <= floor_) break;
    if (!descent.step(visits, [&](double square) { return share * (bound - floor_) / square; })) break;
  }
  descent.restore_best();
  bound_ = std::min(bound_, solve(rough_));
  return surplus;
}

/// Searches for a realization above the floor by extending the most promising partial realizations of each layer.
void CountingBound::raise_floor(std::size_t width) {
  const std::size_t groups = multipliers_.groups();
  const double least = threshold();
  std::vector<Partial> all, next;
  std::vector<std::uint8_t> counts;  // by partial realization and group
  const auto take = [&](const Partial& partial) {
    const std::size_t index = counts.size();
    counts.resize(index + groups);
    if (partial.parent != kNone) std::copy_n(&counts[partial.parent * groups], groups, &counts[index]);
    ++counts[index + group(partial.option)];
    all.push_back(partial);
  };
  for (std::uint32_t n = 0; n < layers_[1]; ++n) {
    const OptionId option = nodes_[n].last;
    take({entry(n), 0, mix(group(option) + 1), n, entry_index(n), kNone, option});
  }
  std::size_t first = 0;
  for (std::uint32_t placed = 1; placed < sequence_.length(); ++placed) {
    next.clear();
    for (std::size_t i = first; i < all.size(); ++i) extend(all[i], static_cast<std::uint32_t>(i), least, counts, next);
    first = all.size();
    const std::size_t looked_at = std::min(next.size(), width + width / 2);
    const auto end = next.begin() + static_cast<std::ptrdiff_t>(looked_at);
    const auto is_better = [](const Partial& a, const Partial& b) { return a.promise > b.promise; };
    std::nth_element(next.begin(), end, next.end(), is_better);
    std::sort(next.begin(), end, is_better);
    budget_.work(next.size() + looked_at * groups / 8);
    HashTable<bool> seen(256);
    for (auto partial = next.begin(); partial != end && seen.size() < width; ++partial)
      if (seen.find_or_insert(mix(partial->realized + partial->node) >> 1).second) take(*partial);
  }
  const Partial* best = nullptr;
  for (std::size_t i = first; i < all.size(); ++i)
    if (!best || all[i].promise > best->promise) best = &all[i];
  if (!best || placed_by(all, *best).size() != sequence_.length()) return;
  floor_ = std::max(floor_, score_of_(placed_by(all, *best)));
}

/// The options of a partial realization, in order.
std::vector<CountingBound::OptionId> CountingBound::placed_by(const std::vector<Partial>& all, const Partial& last) {
  std::vector<OptionId> path{last.option};
  for (std::uint32_t i = last.parent; i != kNone; i = all[i].parent) path.push_back(all[i].option);
  std::ranges::reverse(path);
  return path;
}

/// Appends the extensions of a partial realization that promise `least` to `next`.
void CountingBound::extend(const Partial& partial, std::uint32_t number, double least,
                           const std::vector<std::uint8_t>& counts, std::vector<Partial>& next) const {
  for (const Step& step : steps(partial.node)) {
    const std::uint32_t g = group(step.option);
    if (counts[number * multipliers_.groups() + g] == multipliers_.multiplicity[g]) continue;
    const std::uint32_t index = partial.index + counters_[g].stride;
    const double rest = rough_[std::size_t{step.to} * indices_ + index];
    const double score = partial.score + step.score + multipliers_[g];
    if (rest < kFiniteLogZero / 2 || score + rest < least) continue;
    next.push_back({score, score + rest, partial.realized + mix(g + 1), step.to, index, number, step.option});
  }
}

/// Removes nodes and steps that are not on a path to the floor, in a forward pass over the values of the last pass.
void CountingBound::drop_steps() {
  const auto least = static_cast<float>(threshold());
  const std::size_t count = nodes_.size() - 1;
  MeteredVector<float> forward(count * indices_ + constants::kShortStride, static_cast<float>(kFiniteLogZero), budget_);
  std::vector<std::uint32_t> number(count, kNone);  // kNone: omitted
  MeteredVector<Node> nodes(budget_);
  MeteredVector<Step> kept(budget_);
  for (std::uint32_t n = 0; n < layers_[1]; ++n) {
    const std::size_t index = std::size_t{n} * indices_ + entry_index(n);
    forward[index] = static_cast<float>(entry(n));
    if (forward[index] + rough_[index] >= least) number[n] = 0;
  }
  std::vector<std::size_t> layers{0};
  for (std::size_t layer = 0; layer + 1 < layers_.size(); ++layer) {
    for (auto n = static_cast<std::uint32_t>(layers_[layer]); n < layers_[layer + 1]; ++n) {
      if (number[n] == kNone) continue;
      number[n] = static_cast<std::uint32_t>(nodes.size());
      nodes.push_back({nodes_[n].previous, nodes_[n].last, kept.size()});
      for (const Step& step : steps(n)) {
        budget_.work(indices_ / constants::kSumsPerUnit + 1);
        const std::uint32_t g = group(step.option);
        const std::size_t to = std::size_t{step.to} * indices_;
        const float best = row_loops::raise_forward(counted(g), static_cast<float>(step.score + multipliers_[g]),
                                                    &forward[std::size_t{n} * indices_], &rough_[to], indices_,
                                                    static_cast<float>(kFiniteLogZero), &forward[to]);
        if (best < least) continue;
        number[step.to] = 0;
        kept.push_back(step);
      }
    }
    layers.push_back(nodes.size());
  }
  for (Step& step : kept) step.to = number[step.to];
  nodes.push_back({0, 0, kept.size()});
  nodes_ = std::move(nodes);
  steps_ = std::move(kept);
  layers_ = std::move(layers);
  solve(rough_);
}

/// Counts the group with the largest surplus from now on. Returns false if no group has a surplus or the work would be
/// too much.
bool CountingBound::count_one_more(const std::vector<std::uint32_t>& surplus) {
  std::uint32_t chosen = kNone;
  double most = 0;  // for a doubling of the work
  for (std::uint32_t g = 0; g < counters_.size(); ++g) {
    const double gain = surplus[g] / std::log2(multipliers_.multiplicity[g] + 1.0);
    if (counters_[g].stride == 0 && gain > most) std::tie(most, chosen) = std::pair(gain, g);
  }
  if (chosen == kNone) return false;
  const std::uint32_t radix = multipliers_.multiplicity[chosen] + 1;
  const std::size_t work = pass_work() * radix, bytes = nodes_.size() * indices_ * radix * sizeof(double);
  if (work > constants::kMaxOfAPass ||
      !budget_.has((constants::kCountingPasses + 4) * work / constants::kSumsPerUnit, 2 * bytes))
    return false;
  counters_[chosen] = {indices_, radix};
  indices_ *= radix;
  mark_closed();
  return true;
}

void CountingBound::mark_closed() {
  for (std::uint32_t g = 0; g < counters_.size(); ++g) {
    if (counters_[g].stride == 0 || counters_[g].stride >= constants::kShortStride) continue;
    closed_[g].resize(indices_);
    for (std::uint32_t i = 0; i < indices_; ++i)
      closed_[g][i] = may_count(i, g) ? 0 : static_cast<float>(kFiniteLogZero);
  }
}

}  // namespace widl
