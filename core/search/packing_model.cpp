#include <algorithm>
#include <array>

#include "search/packing_unfolding.hpp"

namespace widl {

PackingModel::PackingModel(const Packing& packing, Scorer& scorer, const Weights& weights,
                           const SpaceOptions& options, Budget& budget)
    : packing_(&packing), budget_(budget) {
  if (options.max_words) {
    capacity_ = options.max_words;
  } else if (options.max_bytes) {
    capacity_ = options.max_bytes + 1;  // the last word has a separator too
  }
  for (std::uint32_t a = 0; a < packing.alternatives().size(); ++a) {
    const Packing::Alternative& alternative = packing.alternatives()[a];
    double score = weights.word_count * alternative.word_count + weights.phrase_count;
    auto log_scores = packing.log_scores(alternative);
    for (std::size_t j = 0; j < log_scores.size(); ++j) score += weights.widl[j] * log_scores[j];
    PhraseId phrase = scorer.phrase(packing.words(alternative));
    const std::uint32_t bytes = scorer.bytes(phrase);
    const std::uint32_t cost = options.max_words ? alternative.word_count : options.max_bytes ? bytes : 0;
    if (cost > capacity_ || (options.max_bytes && bytes > options.max_bytes + 1)) continue;
    options_.push_back({{phrase, 0, alternative.word_count, bytes, score, score + scorer.estimate_of(phrase).estimate, 0, 0},
                        alternative.items, cost, a, 0});
  }
  scorer.settle();
  budget.take_input(2 * options_.capacity() * sizeof(PackingOption));
  bound_gains(scorer);
  group();
  for (std::uint32_t o = 0; o < options_.size(); ++o) {
    options_[o].label = 2 * o;
    last_options_.push_back(options_[o]);
    ++last_options_.back().label;
  }
  limit_capacity();
}

/// A phrase stands after <s> or after another one with which it shares no item; where there is no time to look at all
/// pairs, after whatever is best for it.
void PackingModel::bound_gains(Scorer& scorer) {
  const auto out = interruption_of([&] {
    const Budget::Share share(budget_, 0.5);
    bound_pairs(scorer);
  });
  if (out) {
    for (PackingOption& option : options_) {
      option.bound = scorer.estimate_of(option.phrase).bound;
      option.finish = scorer.finish_estimate().bound;
    }
  }
  for (PackingOption& option : options_) option.rest_bound = option.bound += option.score;
}

void PackingModel::bound_pairs(Scorer& scorer) {
  constexpr std::size_t kWorkPerScore = 20;
  const Scorer::Known start = scorer.known({}, true);
  for (PackingOption& option : options_) option.bound = scorer.bound_after(start, option.phrase);
  for (PackingOption& before : options_) {
    budget_.work(kWorkPerScore * options_.size());
    const PhraseId phrase = before.phrase;
    const Scorer::Known known = scorer.known({&phrase, 1}, false);
    before.finish = scorer.finish_bound_after(known);
    for (PackingOption& option : options_)
      if ((option.items & before.items) == 0)
        option.bound = std::max(option.bound, scorer.bound_after(known, option.phrase));
  }
}

/// Each phrase joins the others of that of its items which most phrases serve.
void PackingModel::group() {
  std::array<std::uint32_t, Packing::kMostItems> counts{};
  for (const PackingOption& option : options_)
    for (std::uint32_t i = 0; i < Packing::kMostItems; ++i) counts[i] += option.items >> i & 1;
  auto group_of = [&](const PackingOption& option) {
    std::uint32_t best = Packing::kMostItems;
    for (std::uint32_t i = 0; i < Packing::kMostItems; ++i)
      if ((option.items >> i & 1) && (best == Packing::kMostItems || counts[i] > counts[best])) best = i;
    return best;
  };
  std::stable_sort(options_.begin(), options_.end(),
                   [&](const PackingOption& a, const PackingOption& b) { return group_of(a) < group_of(b); });
  for (std::size_t first = 0, next; first < options_.size(); first = next) {
    next = first;
    while (next < options_.size() && group_of(options_[next]) == group_of(options_[first])) ++next;
    groups_.emplace_back(first, next);
  }
}

/// No family of phrases uses up more than the longest phrase of each group.
void PackingModel::limit_capacity() {
  std::uint64_t most = 0;
  for (auto [first, last] : groups_) {
    std::uint32_t longest = 0;
    for (std::size_t o = first; o < last; ++o) longest = std::max(longest, options_[o].cost);
    most += longest;
  }
  capacity_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(capacity_, most));
}

double PackingModel::rest(std::uint64_t used, std::uint32_t left) {
  if (const auto found = tables_.find(used); found != tables_.end()) return found->second[left];
  constexpr std::size_t kCellsPerUnit = 4, kEntry = 128;
  const std::size_t work = options_.size() * lengths() / kCellsPerUnit;
  if (!budget_.can_afford(work, kEntry + 5 * lengths() * sizeof(double))) return rest_without_table(used);
  budget_.afford(work);
  return tables_.emplace(used, table(used)).first->second[left];
}

/// Bound without regard to length: of each group nothing or the best phrase, and the best end.
double PackingModel::rest_without_table(std::uint64_t used) const {
  budget_.work(options_.size() / 4);
  double sum = 0, finish = kImpossible, best_gain = kImpossible;
  for (auto [first, last] : groups_) {
    double best = kImpossible;
    for (std::size_t o = first; o < last; ++o) {
      if (options_[o].items & used) continue;
      best = std::max(best, options_[o].bound);
      finish = std::max(finish, options_[o].finish);
    }
    sum += std::max(best, 0.0);
    best_gain = std::max(best_gain, best);
  }
  if (best_gain < 0) sum = best_gain;  // one phrase there must be
  return sum + finish;
}

/// By length left: a multiple-choice knapsack, of each group nothing or one phrase, with or without the last one.
PackingModel::Table PackingModel::table(std::uint64_t used) const {
  Table ended(lengths(), kImpossible, budget_), open(lengths(), 0.0, budget_), open_before(budget_),
      ended_before(budget_);
  for (auto [first, last] : groups_) {
    open_before = open;
    ended_before = ended;
    for (std::size_t o = first; o < last; ++o) {
      const PackingOption& option = options_[o];
      if (option.items & used) continue;
      for (std::size_t left = option.cost; left < lengths(); ++left) {
        const std::size_t before = left - option.cost;
        open[left] = std::max(open[left], open_before[before] + option.bound);
        ended[left] = std::max(
            {ended[left], ended_before[before] + option.bound, open_before[before] + option.bound + option.finish});
      }
    }
  }
  return ended;
}

Extent PackingModel::shortest(std::uint64_t used) const {
  budget_.work(options_.size() / 16);
  Extent least{Extent::kEndless, Extent::kEndless};
  for (const PackingOption& option : options_)
    if ((option.items & used) == 0) least = better(least, Extent{option.word_count, option.bytes});
  return least;
}

}  // namespace widl
