#include "search/tile_orientations.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "errors.hpp"

namespace widl {

bool TileOrientations::has_model(const Tiles& tiles, const Weights& weights) {
  const std::size_t scores = tiles.orientation().scores();
  if (scores > 0 && weights.reordering.size() != scores)
    throw InputError("weights for " + std::to_string(weights.reordering.size()) +
                     " features of a reordering model, but the tiles have " + std::to_string(scores));
  return scores > 0;
}

TileOrientations::TileOrientations(const Tiles& tiles, const Weights& weights, bool estimates, Budget& budget)
    : tiles_(&tiles),
      model_(&tiles.orientation()),
      weights_(weights.reordering),
      estimates_(estimates),
      tells_swaps_(model_->type != OrientationModel::Type::monotonicity && (model_->forward || !model_->hierarchical())),
      has_blocks_(model_->hierarchical() && model_->backward),
      least_apart_(model_->hierarchical() ? 0 : 1),
      stacks_(budget) {
  intern({OrientationModel::kNowhere, {}, {}});
}

std::array<double, TileOrientations::kMostOrientations> TileOrientations::weighted(std::span<const float> scores,
                                                                                   std::size_t first) const {
  std::array<double, kMostOrientations> values{};
  for (std::size_t o = 0; o < model_->orientations(); ++o) values[o] = weights_[first + o] * scores[first + o];
  return values;
}

std::uint64_t TileOrientations::Tail::hash() const {
  std::uint64_t h = begin;
  for (float score : forward) h = mix((h ^ std::bit_cast<std::uint32_t>(score)) + 0x9e3779b97f4a7c15ULL);
  return h;
}

TileOrientations::TailId TileOrientations::intern(const Tail& tail) {
  const std::uint64_t hash = tail.hash();
  const TailId known = tail_index_.find(hash, [&](TailId id) { return id != kStart && tails_[id].same(tail); });
  if (known != HashIndex::kNone) return known;
  const auto id = static_cast<TailId>(tails_.size());
  tails_.push_back(tail);
  tail_index_.insert(hash, id);
  return id;
}

void TileOrientations::promise(std::span<TileOption> options, ScoreEstimate& finish) {
  const std::size_t count = model_->orientations();
  const auto most = [count](const auto& values) { return *std::max_element(values.begin(), values.begin() + count); };
  relief_ = options.empty() ? 0 : -std::numeric_limits<double>::infinity();
  for (TileOption& option : options) {
    const auto scores = tiles_->orientation_scores(tiles_->alternatives()[option.alternative]);
    std::array<double, kMostOrientations> backward{}, forward{};
    if (model_->backward) backward = weighted(scores, model_->backward_scores());
    Tail tail{OrientationModel::kNowhere, {}, {}};
    double promise = 0;
    if (model_->forward) {
      forward = weighted(scores, model_->forward_scores());
      promise = estimates_ ? most(forward) : std::max(0.0, most(forward));
      std::copy_n(scores.begin() + static_cast<std::ptrdiff_t>(model_->forward_scores()), count, tail.forward.begin());
      for (std::size_t o = 0; o < count; ++o) tail.settled[o] = forward[o] - promise;
    }
    tails_of_.push_back(intern(tail));
    tail.begin = model_->hierarchical() ? 0 : option.begin;
    tails_of_.push_back(intern(tail));
    alternatives_.push_back(option.alternative);
    backward_.insert(backward_.end(), backward.begin(), backward.begin() + static_cast<std::ptrdiff_t>(count));
    best_backward_.push_back(most(backward));
    promises_.push_back(promise);
    relief_ = std::max(relief_, -promise);
    option.bound += best_backward_.back() + promise;
    if (estimates_) option.estimate += best_backward_.back() + promise;
  }
  finish.bound += relief_;
}

void TileOrientations::rank(const TileModel& model, Budget& budget) {
  constexpr std::size_t kWorkPerOption = 20;
  const std::vector<TileOption>& options = model.options();
  const std::size_t count = model_->orientations();
  options_ = options.size();
  first_ = options.data();
  budget.afford(kWorkPerOption * count * options_);
  budget.take_input(count * options_ * sizeof(TileOption) + tails_.size() * sizeof(Tail) +
                    options_ * ((count + 2) * sizeof(double) + 3 * sizeof(std::uint32_t)));
  ranked_.reserve(count * options_);
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
    for (auto run = end - static_cast<std::ptrdiff_t>(options_), next = run; run != end; run = next) {
      next = std::find_if_not(run, end, [&](const TileOption& one) { return same_step(*run, one); });
      std::stable_sort(run, next, [](const TileOption& a, const TileOption& b) { return a.estimate > b.estimate; });
      std::span same(run, next);
      bound_rests(same, [](const auto&, const auto&) { return true; });
    }
  }
}

double TileOrientations::best(bool monotone, std::span<const TileOption> same) const {
  if (monotone) return options(0, same).front().rest_bound;
  double best = options(least_apart_, same).front().rest_bound;
  for (std::size_t o = least_apart_ + 1; o < model_->orientations(); ++o)
    best = std::max(best, options(o, same).front().rest_bound);
  return best;
}

double TileOrientations::best(bool monotone, Label label) const {
  double best = backward(label, monotone ? 0 : least_apart_);
  for (std::size_t o = least_apart_ + 1; !monotone && o < model_->orientations(); ++o)
    best = std::max(best, backward(label, o));
  return best + promises_[label];
}

void TileOrientations::add_features(TailId tail, Label label, const StepOrientations& orientations,
                                    std::span<double> row) const {
  const auto scores = tiles_->orientation_scores(tiles_->alternatives()[alternatives_[label]]);
  if (model_->backward) row[orientations.backward] += scores[orientations.backward];
  if (model_->forward && tail != kStart)
    row[model_->forward_scores() + orientations.forward] += tails_[tail].forward[orientations.forward];
}

}  // namespace widl
