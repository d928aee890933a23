#include "search/tile_contexts.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <numeric>

namespace widl {

TileContexts::TileContexts(std::span<const TileOption> options, std::uint32_t length, std::uint32_t distortion_limit,
                           const Scorer& scorer, Budget& budget)
    : options_(options), length_(length), limit_(distortion_limit), scorer_(scorer), budget_(budget) {
  number_tails();
  score_pairs();
}

void TileContexts::number_tails() {
  std::map<std::vector<WordId>, std::uint32_t> numbers;
  std::vector<std::uint32_t> head_numbers(scorer_.heads(), ~std::uint32_t{0}), tail_of;
  for (const TileOption& option : options_) {
    auto& head = head_numbers[scorer_.head(option.phrase)];
    if (head == ~std::uint32_t{0}) {
      head = static_cast<std::uint32_t>(heads_.size());
      heads_.push_back(option.phrase);
    }
    head_of_.push_back(head);
    const auto words = scorer_.words(option.phrase);
    const auto tail = words.last(std::min<std::size_t>(words.size(), scorer_.reach()));
    // What stands before a tail that is all of its phrase is not known: such tails are told apart by their length.
    const auto [known, added] = numbers.try_emplace({tail.begin(), tail.end()}, static_cast<std::uint32_t>(tails_.size()));
    if (added) tails_.push_back(option.phrase);
    tail_of.push_back(known->second);
  }
  for (std::size_t o = 0; o < options_.size(); ++o) {
    if (ends_.empty() || ends_.back().begin != options_[o].begin || ends_.back().end != options_[o].end)
      ends_.push_back({options_[o].begin, options_[o].end, Counted<std::uint64_t>((tails_.size() + 63) / 64, budget_)});
    ends_.back().tails[tail_of[o] / 64] |= std::uint64_t{1} << (tail_of[o] % 64);
  }
}

void TileContexts::score_pairs() {
  constexpr std::size_t kWorkPerScore = 10;
  scores_.resize(heads_.size() * tails_.size());
  std::vector<std::uint32_t> all(heads_.size());
  std::iota(all.begin(), all.end(), 0);
  finish_ = -std::numeric_limits<double>::infinity();
  for (std::size_t tail = 0; tail < tails_.size(); ++tail) {
    budget_.work(kWorkPerScore * heads_.size());
    const Scorer::Known known = scorer_.known({&tails_[tail], 1}, false);
    scorer_.head_bounds_after(known, heads_, all, scores_.data() + tail, tails_.size());
    finish_ = std::max(finish_, scorer_.finish_bound_after(known));
  }
  const Scorer::Known start = scorer_.known({}, true), nothing = scorer_.known({}, false);
  for (PhraseId head : heads_) {
    at_start_.push_back(scorer_.head_bound_after(start, head));
    anywhere_.push_back(scorer_.head_bound_after(nothing, head));
  }
}

Counted<std::uint64_t> TileContexts::before(std::uint32_t begin) const {
  Counted<std::uint64_t> all((tails_.size() + 63) / 64, budget_);
  for (const Ends& one : ends_) {
    const std::uint32_t jump = one.end > begin ? one.end - begin : begin - one.end;
    if (jump > limit_ || (one.begin <= begin && begin < one.end)) continue;
    for (std::size_t w = 0; w < all.size(); ++w) all[w] |= one.tails[w];
  }
  return all;
}

std::vector<double> TileContexts::slack() const {
  std::vector<double> slack;
  std::vector<double> best(heads_.size());
  std::vector<std::uint32_t> known_for(heads_.size(), length_);
  for (std::size_t o = 0, next; o < options_.size(); o = next) {
    const std::uint32_t begin = options_[o].begin;
    const Counted<std::uint64_t> tails = before(begin);
    budget_.work(ends_.size() * tails.size());
    for (next = o; next < options_.size() && options_[next].begin == begin; ++next) {
      const std::uint32_t head = head_of_[next];
      if (known_for[head] != begin) {
        known_for[head] = begin;
        budget_.work(tails_.size() / 8);
        best[head] = begin <= limit_ ? at_start_[head] : -std::numeric_limits<double>::infinity();
        const double* scores = &scores_[head * tails_.size()];
        for (std::size_t w = 0; w < tails.size(); ++w)
          for (std::uint64_t rest = tails[w]; rest; rest &= rest - 1)
            best[head] = std::max(best[head], scores[64 * w + static_cast<std::size_t>(std::countr_zero(rest))]);
      }
      slack.push_back(std::max(0.0, anywhere_[head] - best[head]));
    }
  }
  return slack;
}

}  // namespace widl
