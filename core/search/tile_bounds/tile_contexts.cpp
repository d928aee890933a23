#include "search/tile_bounds/tile_contexts.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>

namespace widl {

TileContexts::TileContexts(std::span<const TileOption> options, std::uint32_t length, std::uint32_t distortion_limit,
                           const NGramScorer& scorer, Budget& budget)
    : options_(options), length_(length), limit_(distortion_limit), scorer_(scorer), budget_(budget) {
  number_left_contexts();
  score_pairs();
}

void TileContexts::number_left_contexts() {
  std::map<std::vector<WordId>, std::uint32_t> numbers;
  std::vector<std::uint32_t> prefix_numbers(scorer_.prefixes(), ~std::uint32_t{0}), left_context_of;
  for (const TileOption& option : options_) {
    auto& prefix = prefix_numbers[scorer_.prefix(option.phrase)];
    if (prefix == ~std::uint32_t{0}) {
      prefix = static_cast<std::uint32_t>(prefixes_.size());
      prefixes_.push_back(option.phrase);
    }
    prefix_of_.push_back(prefix);
    const auto words = scorer_.words(option.phrase);
    const auto left_context = words.last(std::min<std::size_t>(words.size(), scorer_.reach()));
    // If the left context covers its whole phrase, the words before it are unknown. Such contexts are distinguished by
    // their length.
    const auto [entry, added] = numbers.try_emplace({left_context.begin(), left_context.end()},
                                                    static_cast<std::uint32_t>(left_contexts_.size()));
    if (added) left_contexts_.push_back(option.phrase);
    left_context_of.push_back(entry->second);
  }
  for (std::size_t o = 0; o < options_.size(); ++o) {
    if (ends_.empty() || ends_.back().begin != options_[o].begin || ends_.back().end != options_[o].end)
      ends_.push_back({options_[o].begin, options_[o].end,
                       MeteredVector<std::uint64_t>((left_contexts_.size() + 63) / 64, budget_)});
    ends_.back().left_contexts[left_context_of[o] / 64] |= std::uint64_t{1} << (left_context_of[o] % 64);
  }
}

void TileContexts::score_pairs() {
  constexpr std::size_t kWorkPerScore = 10;
  scores_.resize(prefixes_.size() * left_contexts_.size());
  std::vector<std::uint32_t> all(prefixes_.size());
  std::iota(all.begin(), all.end(), 0);
  finish_ = -std::numeric_limits<double>::infinity();
  for (std::size_t left_context = 0; left_context < left_contexts_.size(); ++left_context) {
    budget_.work(kWorkPerScore * prefixes_.size());
    const NGramScorer::Known context = scorer_.known({&left_contexts_[left_context], 1}, false);
    scorer_.prefix_bounds_after(context, prefixes_, all, scores_.data() + left_context, left_contexts_.size());
    finish_ = std::max(finish_, scorer_.finish_bound_after(context));
  }
  const NGramScorer::Known start = scorer_.known({}, true), nothing = scorer_.known({}, false);
  for (PhraseId prefix : prefixes_) {
    at_start_.push_back(scorer_.prefix_bound_after(start, prefix));
    anywhere_.push_back(scorer_.prefix_bound_after(nothing, prefix));
  }
}

MeteredVector<std::uint64_t> TileContexts::before(std::uint32_t begin) const {
  MeteredVector<std::uint64_t> all((left_contexts_.size() + 63) / 64, budget_);
  for (const Ends& ends : ends_) {
    const std::uint32_t jump = ends.end > begin ? ends.end - begin : begin - ends.end;
    if (jump > limit_ || (ends.begin <= begin && begin < ends.end)) continue;
    for (std::size_t w = 0; w < all.size(); ++w) all[w] |= ends.left_contexts[w];
  }
  return all;
}

std::vector<double> TileContexts::slack() const {
  std::vector<double> slack;
  std::vector<double> best(prefixes_.size());
  std::vector<std::uint32_t> known_for(prefixes_.size(), length_);
  for (std::size_t o = 0, next; o < options_.size(); o = next) {
    const std::uint32_t begin = options_[o].begin;
    const MeteredVector<std::uint64_t> left_contexts = before(begin);
    budget_.work(ends_.size() * left_contexts.size());
    for (next = o; next < options_.size() && options_[next].begin == begin; ++next) {
      const std::uint32_t prefix = prefix_of_[next];
      if (known_for[prefix] != begin) {
        known_for[prefix] = begin;
        budget_.work(left_contexts_.size() / 8);
        best[prefix] = begin <= limit_ ? at_start_[prefix] : -std::numeric_limits<double>::infinity();
        const double* scores = &scores_[prefix * left_contexts_.size()];
        for (std::size_t w = 0; w < left_contexts.size(); ++w)
          for (std::uint64_t rest = left_contexts[w]; rest; rest &= rest - 1)
            best[prefix] = std::max(best[prefix], scores[64 * w + static_cast<std::size_t>(std::countr_zero(rest))]);
      }
      slack.push_back(std::max(0.0, anywhere_[prefix] - best[prefix]));
    }
  }
  return slack;
}

}  // namespace widl
