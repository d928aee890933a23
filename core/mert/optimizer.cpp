#include "mert/optimizer.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "parallel.hpp"

namespace widl {
namespace {

/// A direction and d · h of all candidates; a coordinate's are a feature's own values, times nothing.
class Direction {
 public:
  Direction(const CandidateLists& lists, const std::vector<double>& vector) : vector_(vector) {
    const auto nonzero = [](double x) { return x != 0; };
    const auto first = std::find_if(vector.begin(), vector.end(), nonzero);
    if (first != vector.end() && *first == 1 && std::none_of(first + 1, vector.end(), nonzero)) {
      slopes_ = lists.feature(static_cast<std::size_t>(first - vector.begin()));
    } else {
      lists.dot(vector, own_);
      slopes_ = own_;
    }
  }
  Direction(const Direction&) = delete;
  Direction& operator=(const Direction&) = delete;

  std::span<const double> vector() const { return vector_; }
  std::span<const double> slopes() const { return slopes_; }

 private:
  std::span<const double> vector_, slopes_;
  std::vector<double> own_;
};

/// How far one may go along the direction before a weight leaves its bounds.
LineSearchOptions within_bounds(std::span<const double> weights, std::span<const double> direction,
                                const OptimizerOptions& options) {
  LineSearchOptions line;
  line.min_width = options.min_width;
  line.outer_step = options.outer_step;
  for (std::size_t f = 0; f < weights.size(); ++f) {
    if (direction[f] == 0) continue;
    const double to_lower = (options.lower[f] - weights[f]) / direction[f];
    const double to_upper = (options.upper[f] - weights[f]) / direction[f];
    line.lowest = std::max(line.lowest, std::min(to_lower, to_upper));
    line.highest = std::min(line.highest, std::max(to_lower, to_upper));
  }
  return line;
}

std::vector<double> stepped(std::span<const double> weights, std::span<const double> direction, double step,
                            const OptimizerOptions& options) {
  std::vector<double> result(weights.begin(), weights.end());
  for (std::size_t f = 0; f < result.size(); ++f)
    if (direction[f] != 0)
      result[f] = std::clamp(result[f] + step * direction[f], options.lower[f], options.upper[f]);
  return result;
}

class Ascender {
 public:
  Ascender(const CandidateLists& lists, const Metric& metric, const std::vector<std::vector<double>>& directions,
           const OptimizerOptions& options, unsigned threads)
      : lists_(lists), metric_(metric), options_(options), threads_(threads), optima_(directions.size()) {
    if (options.max_rounds == 0) return;
    for (const auto& vector : directions) {
      directions_.push_back(std::make_unique<Direction>(lists, vector));
      searches_.push_back(std::make_unique<LineSearch>(lists, metric));
    }
  }

  Ascent ascend(const std::vector<double>& start) {
    Ascent ascent{start, 0, 0, 0};
    ascent.score = ascent.start_score = lists_.score(metric_, start);
    while (ascent.rounds < options_.max_rounds && take_best_step(ascent)) ++ascent.rounds;
    return ascent;
  }

 private:
  bool take_best_step(Ascent& ascent) {
    lists_.dot(ascent.weights, intercepts_);
    parallel_for(directions_.size(), threads_, [&](std::size_t d) {
      const LineSearchOptions line = within_bounds(ascent.weights, directions_[d]->vector(), options_);
      optima_[d] = line.lowest < line.highest ? searches_[d]->search(directions_[d]->slopes(), intercepts_, line)
                                              : LineOptimum{0, ascent.score};
    });
    std::vector<std::size_t> order(directions_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return optima_[a].score > optima_[b].score; });
    for (std::size_t d : order) {
      if (!(optima_[d].score > ascent.score + options_.min_gain)) return false;
      auto weights = stepped(ascent.weights, directions_[d]->vector(), optima_[d].step, options_);
      const double score = lists_.score(metric_, weights);
      if (score > ascent.score + options_.min_gain) {
        ascent.weights = std::move(weights);
        ascent.score = score;
        return true;
      }
    }
    return false;
  }

  const CandidateLists& lists_;
  const Metric& metric_;
  const OptimizerOptions& options_;
  unsigned threads_;
  std::vector<std::unique_ptr<Direction>> directions_;
  std::vector<std::unique_ptr<LineSearch>> searches_;
  std::vector<LineOptimum> optima_;
  std::vector<double> intercepts_;
};

}  // namespace

std::vector<Ascent> optimize(const CandidateLists& lists, const Metric& metric,
                             const std::vector<std::vector<double>>& starts,
                             const std::vector<std::vector<std::vector<double>>>& directions,
                             const OptimizerOptions& options) {
  std::vector<Ascent> ascents(starts.size());
  const auto outer = static_cast<unsigned>(std::clamp<std::size_t>(starts.size(), 1, std::max(1u, options.threads)));
  const unsigned inner = std::max(1u, options.threads / outer);
  parallel_for(starts.size(), outer, [&](std::size_t i) {
    ascents[i] = Ascender(lists, metric, directions[i], options, inner).ascend(starts[i]);
  });
  return ascents;
}

}  // namespace widl
