#include "search/tile_orientations.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <string>

#include "errors.hpp"
#include "search/mix.hpp"

namespace widl {

bool TileOrientations::has_model(const Tiles& tiles, const WeightVector& weights) {
  if (tiles.is_oriented() && weights.reordering.size() != kReorderingScores)
    throw InputError("weights for " + std::to_string(weights.reordering.size()) +
                     " features of a reordering model, but the tiles have " + std::to_string(kReorderingScores));
  return tiles.is_oriented();
}

TileOrientations::TileOrientations(const Tiles& tiles, const WeightVector& weights, bool estimates)
    : tiles_(&tiles), weights_(weights.reordering), estimates_(estimates) {
  intern({kNowhere, {}, {}});
}

std::array<double, kOrientations> TileOrientations::weighted(std::span<const float> scores, std::size_t first) const {
  std::array<double, kOrientations> values{};
  for (std::size_t o = 0; o < kOrientations; ++o) values[o] = weights_[first + o] * scores[first + o];
  return values;
}

std::uint64_t TileOrientations::LastPhrase::hash() const {
  std::uint64_t h = begin;
  for (float score : forward) h = mix((h ^ std::bit_cast<std::uint32_t>(score)) + 0x9e3779b97f4a7c15ULL);
  return h;
}

TileOrientations::LastPhraseId TileOrientations::intern(const LastPhrase& last_phrase) {
  const std::uint64_t hash = last_phrase.hash();
  const LastPhraseId entry = last_phrase_index_.find(
      hash, [&](LastPhraseId id) { return id != kStart && last_phrases_[id].same(last_phrase); });
  if (entry != HashIndex<>::kNone) return entry;
  const auto id = static_cast<LastPhraseId>(last_phrases_.size());
  last_phrases_.push_back(last_phrase);
  last_phrase_index_.insert(hash, id);
  return id;
}

void TileOrientations::promise(std::span<TileOption> options, ScoreEstimate& finish) {
  final_bound_ = options.empty() ? 0 : -std::numeric_limits<double>::infinity();
  for (TileOption& option : options) {
    const auto scores = tiles_->orientation_scores(tiles_->alternatives()[option.alternative]);
    const std::array<double, kOrientations> backward = weighted(scores, 0), forward = weighted(scores, kFirstForward);
    const double promise = estimates_ ? std::ranges::max(forward) : std::max(0.0, std::ranges::max(forward));
    LastPhrase last_phrase{kNowhere, {}, {}};
    std::ranges::copy(scores.subspan(kFirstForward), last_phrase.forward.begin());
    for (std::size_t o = 0; o < kOrientations; ++o) last_phrase.settled[o] = forward[o] - promise;
    last_phrases_of_.push_back(intern(last_phrase));
    last_phrase.begin = option.begin;
    last_phrases_of_.push_back(intern(last_phrase));
    alternatives_.push_back(option.alternative);
    backward_.insert(backward_.end(), backward.begin(), backward.end());
    best_backward_.push_back(std::ranges::max(backward));
    promises_.push_back(promise);
    final_bound_ = std::max(final_bound_, -promise);
    option.bound += best_backward_.back() + promise;
    if (estimates_) option.estimate += best_backward_.back() + promise;
  }
  finish.bound += final_bound_;
}

void TileOrientations::rank(const TileModel& model, Budget& budget) {
  constexpr std::size_t kWorkPerOption = 20;
  const std::vector<TileOption>& options = model.options();
  constexpr std::size_t count = kOrientations;
  option_count_ = options.size();
  first_ = options.data();
  budget.work(kWorkPerOption * count * option_count_);
  budget.take_input(count * option_count_ * sizeof(TileOption) + last_phrases_.size() * sizeof(LastPhrase) +
                    option_count_ * ((count + 2) * sizeof(double) + 3 * sizeof(std::uint32_t)));
  ranked_.reserve(count * option_count_);
  const auto same_step = [](const TileOption& a, const TileOption& b) { return a.begin == b.begin && a.end == b.end; };
  for (std::size_t o = 0; o < count; ++o) {
    for (TileOption option : options) {
      const double actual = backward(option.label, o), promised = promises_[option.label];
      option.bound += actual - best_backward_[option.label];
      option.estimate += estimates_ ? actual - best_backward_[option.label] : actual + promised;
      option.score += actual + promised;
      ranked_.push_back(option);
    }
    const auto end = ranked_.end();
    for (auto run = end - static_cast<std::ptrdiff_t>(option_count_), next = run; run != end; run = next) {
      next = std::find_if_not(run, end, [&](const TileOption& option) { return same_step(*run, option); });
      std::stable_sort(run, next, [](const TileOption& a, const TileOption& b) { return a.estimate > b.estimate; });
      std::span same(run, next);
      bound_from_each(same, [](const auto&, const auto&) { return true; });
    }
  }
}

double TileOrientations::best(bool monotone, std::span<const TileOption> same) const {
  if (monotone) return options(0, same).front().bound_from_here;
  return std::max(options(1, same).front().bound_from_here, options(2, same).front().bound_from_here);
}

double TileOrientations::best(bool monotone, Label label) const {
  const double best = monotone ? backward(label, 0) : std::max(backward(label, 1), backward(label, 2));
  return best + promises_[label];
}

void TileOrientations::add_features(LastPhraseId last_phrase, Label label, std::size_t orientation,
                                    std::span<double> row) const {
  const auto scores = tiles_->orientation_scores(tiles_->alternatives()[alternatives_[label]]);
  row[orientation] += scores[orientation];
  if (last_phrase != kStart) row[kFirstForward + orientation] += last_phrases_[last_phrase].forward[orientation];
}

}  // namespace widl
