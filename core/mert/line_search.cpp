#include "mert/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace widl {

void LineSearch::find_breakpoints(std::span<const double> slopes, std::span<const double> intercepts, double lowest,
                                  double highest) {
  breakpoints_.clear();
  totals_.assign(lists_.statistics(), 0.0);
  for (std::size_t s = 0; s < lists_.sentences(); ++s) {
    const std::size_t begin = lists_.begin(s), size = lists_.end(s) - begin;
    const auto lines = envelope_.find(slopes.subspan(begin, size), intercepts.subspan(begin, size));
    std::size_t i = 0;
    while (i + 1 < lines.size() && lines[i + 1].from <= lowest) ++i;
    const auto first = lists_.statistics_of(begin + lines[i].line);
    for (std::size_t k = 0; k < totals_.size(); ++k) totals_[k] += first[k];
    for (; i + 1 < lines.size() && lines[i + 1].from < highest; ++i)
      breakpoints_.push_back({lines[i + 1].from, static_cast<std::uint32_t>(begin + lines[i].line),
                              static_cast<std::uint32_t>(begin + lines[i + 1].line)});
  }
  std::sort(breakpoints_.begin(), breakpoints_.end(),
            [](const Breakpoint& a, const Breakpoint& b) { return a.at < b.at; });
}

template <class Visit>
void LineSearch::sweep(double lowest, double highest, double min_width, Visit&& visit) {
  double left = lowest;
  for (const Breakpoint& point : breakpoints_) {
    if (point.at > left && point.at - left >= min_width) visit(left, point.at, metric_.score(totals_));
    left = point.at;
    const double* before = lists_.statistics_of(point.before).data();
    const double* after = lists_.statistics_of(point.after).data();
    for (std::size_t k = 0; k < totals_.size(); ++k) totals_[k] += after[k] - before[k];
  }
  if (highest >= left && (highest - left >= min_width || breakpoints_.empty()))
    visit(left, highest, metric_.score(totals_));
}

LineOptimum LineSearch::search(std::span<const double> slopes, std::span<const double> intercepts,
                               const LineSearchOptions& options) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  find_breakpoints(slopes, intercepts, std::max(options.lowest, -options.reach),
                   std::min(options.highest, options.reach));
  LineOptimum best{0, -kInfinity};
  double best_left = 0, best_right = 0;
  // An end out of reach does not count.
  const double lowest = options.lowest < -options.reach ? -kInfinity : options.lowest;
  const double highest = options.highest > options.reach ? kInfinity : options.highest;
  sweep(lowest, highest, options.min_width, [&](double left, double right, double score) {
    if (score <= best.score) return;
    best.score = score;
    best_left = left;
    best_right = right;
  });
  const bool left_end = std::isfinite(best_left), right_end = std::isfinite(best_right);
  if (left_end && right_end) {
    best.step = best_left + (best_right - best_left) / 2;
  } else if (left_end) {
    best.step = best_left + options.outer_step;
  } else if (right_end) {
    best.step = best_right - options.outer_step;
  }
  return best;
}

ErrorSurface LineSearch::surface(std::span<const double> slopes, std::span<const double> intercepts, double lowest,
                                 double highest) {
  find_breakpoints(slopes, intercepts, lowest, highest);
  ErrorSurface surface;
  sweep(lowest, highest, 0, [&](double left, double, double score) {
    surface.thresholds.push_back(left);
    surface.scores.push_back(score);
  });
  return surface;
}

}  // namespace widl
