#include "search/tile_contexts.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <unordered_map>

namespace widl {

TileContexts::TileContexts(std::span<const TileOption> options, std::uint32_t length, std::uint32_t distortion_limit,
                           const Scorer& scorer, Budget& budget)
    : options_(options), length_(length), limit_(distortion_limit), scorer_(scorer), budget_(budget) {
  number_words();
  score_pairs();
}

void TileContexts::number_words() {
  std::unordered_map<WordId, std::uint32_t> first_numbers, last_numbers;
  const auto number = [](auto& numbers, std::vector<PhraseId>& phrases, WordId word, PhraseId phrase) {
    const auto [found, added] = numbers.try_emplace(word, static_cast<std::uint32_t>(phrases.size()));
    if (added) phrases.push_back(phrase);
    return found->second;
  };
  for (const TileOption& option : options_) {
    const auto words = scorer_.words(option.phrase);
    first_of_.push_back(number(first_numbers, firsts_, words.front(), option.phrase));
    last_of_.push_back(number(last_numbers, lasts_, words.back(), option.phrase));
  }
  for (std::size_t o = 0; o < options_.size(); ++o) {
    if (ends_.empty() || ends_.back().begin != options_[o].begin || ends_.back().end != options_[o].end)
      ends_.push_back({options_[o].begin, options_[o].end, Counted<std::uint64_t>((lasts_.size() + 63) / 64, budget_)});
    ends_.back().words[last_of_[o] / 64] |= std::uint64_t{1} << (last_of_[o] % 64);
  }
}

void TileContexts::score_pairs() {
  constexpr std::size_t kWorkPerScore = 10;
  scores_.resize(firsts_.size() * lasts_.size());
  finish_ = -std::numeric_limits<double>::infinity();
  for (std::size_t last = 0; last < lasts_.size(); ++last) {
    budget_.work(kWorkPerScore * firsts_.size());
    const Scorer::Known known = scorer_.known_last_word(lasts_[last]);
    for (std::size_t first = 0; first < firsts_.size(); ++first)
      scores_[first * lasts_.size() + last] = scorer_.first_word_bound_after(known, firsts_[first]);
    finish_ = std::max(finish_, scorer_.finish_bound_after(known));
  }
  const Scorer::Known start = scorer_.known({}, true), nothing = scorer_.known({}, false);
  for (PhraseId first : firsts_) {
    at_start_.push_back(scorer_.first_word_bound_after(start, first));
    anywhere_.push_back(scorer_.first_word_bound_after(nothing, first));
  }
}

Counted<std::uint64_t> TileContexts::before(std::uint32_t begin) const {
  Counted<std::uint64_t> all((lasts_.size() + 63) / 64, budget_);
  for (const Ends& one : ends_) {
    const std::uint32_t jump = one.end > begin ? one.end - begin : begin - one.end;
    if (jump > limit_ || (one.begin <= begin && begin < one.end)) continue;
    for (std::size_t w = 0; w < all.size(); ++w) all[w] |= one.words[w];
  }
  return all;
}

std::vector<double> TileContexts::slack() const {
  std::vector<double> slack;
  std::vector<double> best(firsts_.size());
  std::vector<std::uint32_t> known_for(firsts_.size(), length_);
  for (std::size_t o = 0, next; o < options_.size(); o = next) {
    const std::uint32_t begin = options_[o].begin;
    const Counted<std::uint64_t> words = before(begin);
    budget_.work(ends_.size() * words.size());
    for (next = o; next < options_.size() && options_[next].begin == begin; ++next) {
      const std::uint32_t first = first_of_[next];
      if (known_for[first] != begin) {
        known_for[first] = begin;
        budget_.work(lasts_.size() / 8);
        best[first] = begin <= limit_ ? at_start_[first] : -std::numeric_limits<double>::infinity();
        const double* scores = &scores_[first * lasts_.size()];
        for (std::size_t w = 0; w < words.size(); ++w)
          for (std::uint64_t rest = words[w]; rest; rest &= rest - 1)
            best[first] = std::max(best[first], scores[64 * w + static_cast<std::size_t>(std::countr_zero(rest))]);
      }
      slack.push_back(std::max(0.0, anywhere_[first] - best[first]));
    }
  }
  return slack;
}

}  // namespace widl
