#include <algorithm>
#include <array>

#include "search/packing_unfolding.hpp"

namespace widl {

PackingModel::PackingModel(const Packing& packing, Scorer& scorer, const Weights& weights,
                           const SearchOptions& options) {
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
    options_.push_back({alternative.items, phrase, alternative.word_count, bytes, cost, a, score, 0, 0});
  }
  scorer.settle();
  bound_gains(scorer);
  group();
}

/// A phrase stands after <s> or after another one with which it shares no item.
void PackingModel::bound_gains(Scorer& scorer) {
  const Scorer::Known start = scorer.known({}, true);
  for (PackingOption& option : options_) option.gain = scorer.bound_after(start, option.phrase);
  for (PackingOption& before : options_) {
    const PhraseId phrase = before.phrase;
    const Scorer::Known known = scorer.known({&phrase, 1}, false);
    before.finish = scorer.finish_bound_after(known);
    for (PackingOption& option : options_)
      if ((option.items & before.items) == 0)
        option.gain = std::max(option.gain, scorer.bound_after(known, option.phrase));
  }
  for (PackingOption& option : options_) option.gain += option.score;
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

double PackingModel::rest(std::uint64_t used, std::uint32_t left) { return table(used)[left]; }

/// By length left: a multiple-choice knapsack, of each group nothing or one phrase, with or without the last one.
const std::vector<double>& PackingModel::table(std::uint64_t used) {
  auto [found, added] = tables_.try_emplace(used);
  std::vector<double>& ended = found->second;
  if (!added) return ended;
  ended.assign(lengths(), kImpossible);
  std::vector<double> open(lengths(), 0.0), open_before, ended_before;
  for (auto [first, last] : groups_) {
    open_before = open;
    ended_before = ended;
    for (std::size_t o = first; o < last; ++o) {
      const PackingOption& option = options_[o];
      if (option.items & used) continue;
      for (std::size_t left = option.cost; left < lengths(); ++left) {
        const std::size_t before = left - option.cost;
        open[left] = std::max(open[left], open_before[before] + option.gain);
        ended[left] = std::max(
            {ended[left], ended_before[before] + option.gain, open_before[before] + option.gain + option.finish});
      }
    }
  }
  return ended;
}

Extent PackingModel::shortest(std::uint64_t used) const {
  Extent least{Extent::kEndless, Extent::kEndless};
  for (const PackingOption& option : options_)
    if ((option.items & used) == 0) least = better(least, Extent{option.word_count, option.bytes});
  return least;
}

}  // namespace widl
