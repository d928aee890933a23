#include "mert/optimizer.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>

#include "parallel.hpp"

namespace widl {
namespace {

/// A direction d, and d · h of all candidates. For a coordinate direction these are the values of one feature, without
/// multiplication.
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

std::vector<double> stepped(std::span<const double> weights, std::span<const double> direction, double step,
                            const OptimizerOptions& options) {
  std::vector<double> result(weights.begin(), weights.end());
  for (std::size_t f = 0; f < result.size(); ++f)
    if (direction[f] != 0) result[f] = std::clamp(result[f] + step * direction[f], options.lower[f], options.upper[f]);
  return result;
}

/// Steepest ascent with as few line searches as possible. A line's gain from before the last step serves as an estimate
/// until it is the largest; only then is the line searched again. An ascent ends when all lines have been searched from
/// the same point without any gain.
class Ascender {
 public:
  Ascender(const CandidateLists& lists, const Metric& metric, const std::vector<std::vector<double>>& directions,
           const OptimizerOptions& options, unsigned threads)
      : lists_(lists), metric_(metric), options_(options), threads_(threads), lines_(directions.size()) {
    if (options.max_rounds == 0) return;
    for (std::size_t d = 0; d < directions.size(); ++d) {
      lines_[d].direction = std::make_unique<Direction>(lists, directions[d]);
      lines_[d].search = std::make_unique<LineSearch>(lists, metric);
    }
  }

  Ascent ascend(const std::vector<double>& start) {
    Ascent ascent{start, 0, 0, 0};
    ascent.score = ascent.start_score = lists_.score(metric_, start);
    if (options_.max_rounds == 0 || lines_.empty()) return ascent;
    lists_.dot(start, intercepts_);
    search_outdated(ascent);
    while (ascent.rounds < options_.max_rounds) {
      Line& line =
          *std::max_element(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) { return a.gain < b.gain; });
      if (!(line.gain > options_.min_gain)) {
        if (!search_outdated(ascent)) break;
      } else if (!line.current) {
        search(line, ascent);
      } else if (take_step(line, ascent)) {
        ++ascent.rounds;
      }
    }
    return ascent;
  }

 private:
  struct Line {
    std::unique_ptr<Direction> direction;
    std::unique_ptr<LineSearch> search;
    double step = 0, gain = 0;  // of the best interval when it was last searched
    bool current = false;       // searched since the last step
  };

  void search(Line& line, const Ascent& ascent) {
    const StepRange range = within_bounds(ascent.weights, line.direction->vector(), options_.lower, options_.upper);
    line.current = true;
    line.gain = 0;
    if (!(range.lowest < range.highest)) return;
    const LineOptimum best =
        line.search->search(line.direction->slopes(), intercepts_,
                            {range.lowest, range.highest, options_.min_width, options_.outer_step, options_.reach});
    line.step = best.step;
    line.gain = best.score - ascent.score;
  }

  /// False if no step was taken.
  bool search_outdated(const Ascent& ascent) {
    std::vector<Line*> outdated;
    for (Line& line : lines_)
      if (!line.current) outdated.push_back(&line);
    parallel_for(outdated.size(), threads_, [&](std::size_t i) { search(*outdated[i], ascent); });
    return !outdated.empty();
  }

  bool take_step(Line& line, Ascent& ascent) {
    auto weights = stepped(ascent.weights, line.direction->vector(), line.step, options_);
    const double score = lists_.score(metric_, weights);
    line.gain = 0;
    if (!(score > ascent.score + options_.min_gain)) return false;
    ascent.weights = std::move(weights);
    ascent.score = score;
    for (Line& other : lines_) other.current = false;
    lists_.dot(ascent.weights, intercepts_);
    return true;
  }

  const CandidateLists& lists_;
  const Metric& metric_;
  const OptimizerOptions& options_;
  unsigned threads_;
  std::vector<Line> lines_;
  std::vector<double> intercepts_;
};

}  // namespace

StepRange within_bounds(std::span<const double> weights, std::span<const double> direction,
                        std::span<const double> lower, std::span<const double> upper) {
  StepRange range{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (std::size_t f = 0; f < weights.size(); ++f) {
    if (direction[f] == 0) continue;
    const double to_lower = (lower[f] - weights[f]) / direction[f];
    const double to_upper = (upper[f] - weights[f]) / direction[f];
    range.lowest = std::max(range.lowest, std::min(to_lower, to_upper));
    range.highest = std::min(range.highest, std::max(to_lower, to_upper));
  }
  return range;
}

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
