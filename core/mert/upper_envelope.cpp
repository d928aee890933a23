#include "mert/upper_envelope.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace widl {
namespace {

struct Extremes {
  double least, greatest;
};

/// Keeps four minima, because each update of a single minimum would wait for the previous update.
Extremes extremes(std::span<const double> values) {
  std::array<double, 4> least, greatest;
  least.fill(values[0]);
  greatest.fill(values[0]);
  std::size_t i = 0;
  for (; i + 4 <= values.size(); i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const double value = values[i + lane];
      least[lane] = value < least[lane] ? value : least[lane];
      greatest[lane] = value > greatest[lane] ? value : greatest[lane];
    }
  }
  for (; i < values.size(); ++i) {
    least[0] = std::min(least[0], values[i]);
    greatest[0] = std::max(greatest[0], values[i]);
  }
  return {*std::min_element(least.begin(), least.end()), *std::max_element(greatest.begin(), greatest.end())};
}

std::size_t index_of(std::span<const double> values, double value) {
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

}  // namespace

std::span<const EnvelopeLine> UpperEnvelope::find(std::span<const double> slopes, std::span<const double> intercepts) {
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
    // Slopes so close that the crossing overflows: the line is never highest in the range.
    if (from == std::numeric_limits<double>::infinity()) continue;
    hull_.push_back(line);
    envelope_.push_back({from, line.index});
  }
  return envelope_;
}

/// As points (slope, intercept), the lines of the envelope are the upper convex hull. One quickhull step discards most
/// points not on the hull before sorting: points under the chords from the leftmost point to the one farthest above the
/// chord of the ends, and from there to the rightmost.
void UpperEnvelope::keep_possible(std::span<const double> slopes, std::span<const double> intercepts) {
  const std::size_t n = slopes.size();
  const auto [left_slope, right_slope] = extremes(slopes);
  const double run = right_slope - left_slope;
  if (run == 0) {
    const auto highest = std::max_element(intercepts.begin(), intercepts.end());
    possible_.assign(1, static_cast<std::uint32_t>(highest - intercepts.begin()));
    return;
  }
  const double left_intercept = intercepts[index_of(slopes, left_slope)];
  const double right_intercept = intercepts[index_of(slopes, right_slope)];
  const double rise = right_intercept - left_intercept;
  heights_.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    heights_[i] = (intercepts[i] - left_intercept) * run - rise * (slopes[i] - left_slope);
  const double highest = extremes(heights_).greatest;
  // Rounding loses no line: it is far below this tolerance.
  const auto [least, greatest] = extremes(intercepts);
  const double tolerance = -1e-14 * (greatest - least) * run;
  if (highest > 0) {
    const std::size_t top = index_of(heights_, highest);
    const double left_run = slopes[top] - left_slope, left_rise = intercepts[top] - left_intercept;
    const double right_run = right_slope - slopes[top], right_rise = right_intercept - intercepts[top];
    for (std::size_t i = 0; i < n; ++i) {
      // No point left of the top is above the second chord's extension, and no point right of the top is above the
      // first chord's extension.
      const double above_left = (intercepts[i] - left_intercept) * left_run - left_rise * (slopes[i] - left_slope);
      const double above_right = (intercepts[i] - right_intercept) * right_run - right_rise * (slopes[i] - right_slope);
      heights_[i] = above_left > above_right ? above_left : above_right;
    }
  }
  possible_.resize(n);
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    possible_[count] = static_cast<std::uint32_t>(i);
    count += heights_[i] >= tolerance;
  }
  possible_.resize(count);
}

}  // namespace widl
