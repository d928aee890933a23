#include "mert/line_search.hpp"

#include <algorithm>
#include <cmath>

namespace widl {

std::span<const EnvelopeLine> UpperEnvelope::find(std::span<const double> slopes,
                                                  std::span<const double> intercepts) {
  keep_possible(slopes, intercepts);
  lines_.clear();
  for (std::uint32_t i : possible_) lines_.push_back({slopes[i], intercepts[i], i});
  std::sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) {
    if (a.slope != b.slope) return a.slope < b.slope;
    if (a.intercept != b.intercept) return a.intercept > b.intercept;
    return a.index < b.index;
  });
  envelope_.clear();
  hull_.clear();
  for (const Line& line : lines_) {
    if (!hull_.empty() && line.slope == hull_.back().slope) continue;  // parallel and not higher
    double from = -std::numeric_limits<double>::infinity();
    while (!hull_.empty()) {
      from = (hull_.back().intercept - line.intercept) / (line.slope - hull_.back().slope);
      if (from > envelope_.back().from) break;
      hull_.pop_back();
      envelope_.pop_back();
      from = -std::numeric_limits<double>::infinity();
    }
    // Slopes so close that the crossing overflows: the line is never highest within reach.
    if (from == std::numeric_limits<double>::infinity()) continue;
    hull_.push_back(line);
    envelope_.push_back({from, line.index});
  }
  return envelope_;
}

/// As points (slope, intercept), the lines of the envelope are the upper convex hull. Those under the chords from its
/// leftmost over its highest to its rightmost point are not on it: of a usual list, most are not, and are not sorted.
void UpperEnvelope::keep_possible(std::span<const double> slopes, std::span<const double> intercepts) {
  const std::size_t n = slopes.size();
  possible_.resize(n);
  std::size_t left = 0, right = 0, top = 0;
  double lowest = intercepts[0];
  for (std::size_t i = 1; i < n; ++i) {
    if (slopes[i] < slopes[left] || (slopes[i] == slopes[left] && intercepts[i] > intercepts[left])) left = i;
    if (slopes[i] > slopes[right] || (slopes[i] == slopes[right] && intercepts[i] > intercepts[right])) right = i;
    if (intercepts[i] > intercepts[top]) top = i;
    lowest = std::min(lowest, intercepts[i]);
  }
  if (slopes[left] == slopes[right]) {
    possible_.assign(1, static_cast<std::uint32_t>(top));
    return;
  }
  // Above a chord means a cross product that is positive; rounding is far below this tolerance.
  const double tolerance = 1e-14 * (intercepts[top] - lowest) * (slopes[right] - slopes[left]);
  const double left_slope = slopes[left], left_intercept = intercepts[left];
  const double right_slope = slopes[right], right_intercept = intercepts[right];
  const double left_run = slopes[top] - left_slope, left_rise = intercepts[top] - left_intercept;
  const double right_run = right_slope - slopes[top], right_rise = right_intercept - intercepts[top];
  std::size_t kept = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double above_left = (intercepts[i] - left_intercept) * left_run - left_rise * (slopes[i] - left_slope);
    const double above_right =
        (intercepts[i] - right_intercept) * right_run - right_rise * (slopes[i] - right_slope);
    possible_[kept] = static_cast<std::uint32_t>(i);
    kept += (above_left >= -tolerance) | (above_right >= -tolerance);
  }
  possible_.resize(kept);
}

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
  find_breakpoints(slopes, intercepts, options.lowest, options.highest);
  LineOptimum best{0, -std::numeric_limits<double>::infinity()};
  double best_left = 0, best_right = 0;
  sweep(options.lowest, options.highest, options.min_width, [&](double left, double right, double score) {
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
