#include "search/tile_model.hpp"

#include <algorithm>
#include <cstddef>

#include "log_zero.hpp"
#include "search/tile_bounds/tile_contexts.hpp"
#include "search/tile_orientations.hpp"

namespace widl {
namespace {

double weighted(const Tiles& tiles, const Tiles::Alternative& alternative, const WeightVector& weights) {
  double score = weights.word_count * alternative.word_count + weights.phrase_count +
                 (alternative.unknown ? weights.unknown : 0.0);
  auto log_scores = tiles.log_scores(alternative);
  for (std::size_t j = 0; j < log_scores.size(); ++j) score += weights.widl[j] * log_scores[j];
  return score;
}

}  // namespace

TileModel::TileModel(const Tiles& tiles, NGramScorer& scorer, const WeightVector& weights, const SpaceOptions& options,
                     bool own_contexts, Budget& budget, TileOrientations* orientations)
    : tiles_(&tiles),
      length_(tiles.length()),
      distortion_limit_(options.distortion_limit),
      movement_(weights.distortion * tiles.log_movement_base()),
      estimated_movement_(options.estimate_movement ? movement_ : 0),
      crossing_(weights.crossing.value_or(0)),
      estimated_crossing_(options.estimate_movement ? crossing_ : 0),
      marks_before_(tiles.marks_before()),
      reordering_(&tiles.reordering()),
      finish_(scorer.finish_estimate()),
      gaps_(tiles.length(), std::min({tiles.length(), options.distortion_limit, Coverage::kWindow}),
            options.max_words > 0 || options.max_bytes > 0, budget) {
  options_.reserve(tiles.alternatives().size());
  constexpr std::uint32_t kAhead = 8;  // alternatives whose words are prefetched while others are scored
  const auto count = static_cast<std::uint32_t>(tiles.alternatives().size());
  for (std::uint32_t a = 0; a < count; ++a) {
    const Tiles::Alternative& alternative = tiles.alternatives()[a];
    if (a + kAhead < count) scorer.prefetch(tiles.words(tiles.alternatives()[a + kAhead]));
    double score = weighted(tiles, alternative, weights);
    if (score == kLogZero || !reordering_->allows(alternative.begin, alternative.end)) continue;
    PhraseId phrase = scorer.phrase(tiles.words(alternative));
    ScoreEstimate language = scorer.estimate_of(phrase);
    options_.push_back({{phrase, 0, alternative.word_count, scorer.bytes(phrase), score, score + language.estimate,
                         score + language.bound, 0},
                        alternative.begin,
                        alternative.end,
                        a});
  }
  scorer.settle();
  rank_options(options.table_limit);
  if (own_contexts) tighten_bounds(scorer, budget);
  if (orientations) orientations->promise(options_, finish_);
  index_options();
  fill_rests();
  budget.take_input(options_.capacity() * sizeof(TileOption) + spans_.capacity() * sizeof(spans_[0]) +
                    length_ * (sizeof(Extent) + 2 * sizeof(double) + 2 * sizeof(std::uint32_t)));
  gaps_.fill([&](std::uint32_t begin) { return options_at(begin); });
}

double TileModel::bound_beyond_window() const {
  std::uint32_t longest = 0;  // positions between walls: no phrase passes over one
  for (std::uint32_t begin = 0, end; begin < length_; begin = end) {
    end = reordering_->is_free() ? length_ : reordering_->part_end(OrderConstraints::kWhole, begin);
    longest = std::max(longest, end - begin);
  }
  if (std::min(longest, distortion_limit_) <= Coverage::kWindow) return kLogZero;
  Passed back;  // to the first free position
  back.positions = Coverage::kWindow + 1;
  return rest(0).bound + least_jumps(back).bound;
}

void TileModel::rank_options(std::uint32_t per_span) {
  std::stable_sort(options_.begin(), options_.end(), [](const TileOption& x, const TileOption& y) {
    if (x.begin != y.begin) return x.begin < y.begin;
    if (x.end != y.end) return x.end < y.end;
    return x.estimate > y.estimate;
  });
  if (per_span > 0) {
    std::uint32_t rank = 0;
    const TileOption* previous = nullptr;
    std::vector<TileOption> alternatives;
    for (const TileOption& option : options_) {
      rank = previous && previous->begin == option.begin && previous->end == option.end ? rank + 1 : 0;
      previous = &option;
      if (rank < per_span) alternatives.push_back(option);
    }
    options_ = std::move(alternatives);
  }
  for (std::uint32_t label = 0; label < options_.size(); ++label) options_[label].label = label;
}

void TileModel::tighten_bounds(const NGramScorer& scorer, Budget& budget) {
  std::vector<double> slack;
  double finish = finish_.bound;
  const auto out = catch_out_of_budget([&] {
    const Budget::Share share(budget, constants::kShareOfOwnContexts);
    const TileContexts contexts(options_, length_, distortion_limit_, scorer, budget);
    slack = contexts.slack();
    finish = contexts.finish();
  });
  if (out) return;  // the bounds without contexts do as well
  for (std::size_t o = 0; o < options_.size(); ++o) options_[o].bound -= slack[o];
  finish_.bound = std::min(finish_.bound, finish);
}

void TileModel::index_options() {
  bound_from_each(options_,
                  [](const TileOption& x, const TileOption& y) { return x.begin == y.begin && x.end == y.end; });
  std::size_t next = 0;
  for (std::uint32_t begin = 0; begin <= length_; ++begin) {
    first_.push_back(static_cast<std::uint32_t>(next));
    first_span_.push_back(static_cast<std::uint32_t>(spans_.size()));
    while (next < options_.size() && options_[next].begin == begin) {
      std::size_t run = next;
      while (run < options_.size() && options_[run].begin == begin && options_[run].end == options_[next].end) ++run;
      spans_.emplace_back(options_.data() + next, run - next);
      next = run;
    }
  }
  first_.push_back(static_cast<std::uint32_t>(next));
  first_span_.push_back(static_cast<std::uint32_t>(spans_.size()));
}

void TileModel::fill_rests() {
  rest_estimates_.assign(length_ + 1, kLogZero);
  rest_bounds_.assign(length_ + 1, kLogZero);
  rest_extents_.assign(length_ + 1, {Extent::kEndless, Extent::kEndless});
  rest_extents_[length_] = {};
  rest_estimates_[length_] = finish_.estimate;
  rest_bounds_[length_] = finish_.bound;
  for (std::uint32_t begin = length_; begin-- > 0;)
    for (const TileOption& option : options_at(begin)) {
      rest_estimates_[begin] = std::max(rest_estimates_[begin], option.estimate + rest_estimates_[option.end]);
      rest_bounds_[begin] = std::max(rest_bounds_[begin], option.bound + rest_bounds_[option.end]);
      rest_extents_[begin] =
          better(rest_extents_[begin], Extent{option.word_count, option.bytes} + rest_extents_[option.end]);
    }
}

}  // namespace widl
