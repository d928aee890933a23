#pragma once

#include <cstddef>

namespace widl {

/// A step of a group whose realizations are counted in rows of values by index. It leads from index i to i + stride,
/// unless the group has been realized radix - 1 times already; i / stride modulo radix is that count. A stride of 0
/// means that the group isn't counted.
struct CountedStep {
  std::size_t stride, radix;
  const float* closed;  ///< by index: 0 if the step is possible, else far below any score; only if the stride is short
};

// The inner loops of bounds, over rows of numbers. Vector width changes neither sums nor maxima, so all processors give
// the same bits. With scores (-1, -3, -2) and multipliers (0, -3, 1), best_difference is max(-1, 0, -3) = 0.
namespace row_loops {

inline constexpr std::size_t kLanes = 8;  ///< widths that are a multiple of it leave no rest

/// max_i scores[i] - multipliers[i], or minus infinity for an empty row; `count` is a multiple of 4.
double best_difference(const double* scores, const double* multipliers, std::size_t count);
/// best[i] becomes at least by + (scores[i] - multipliers[i]).
void raise_to_differences(double by, const double* scores, const double* multipliers, std::size_t count, double* best);
/// best[c] = max_r rows[r][c] + add[r], at least `least`. There are `count` rows of `width` numbers, a multiple of
/// kLanes.
void best_of_rows(const float* rows, const float* add, std::size_t count, std::size_t width, float least, float* best);
void best_of_rows(const double* rows, const double* add, std::size_t count, std::size_t width, double least,
                  double* best);
/// For a step with this score, raises the values before it to at least the score plus the values after it. Rows have
/// `size` indices. If the stride is short, `completions` is read up to one stride past its end.
void raise_backward(const CountedStep& step, float score, const float* completions, std::size_t size, float* before);
void raise_backward(const CountedStep& step, double score, const double* completions, std::size_t size, double* before);
/// For a step with this score, raises the path scores after it to at least the path scores before it plus the score.
/// Returns the best sum of a path score and the value there, at least `least`. If the stride is short, `to` and
/// `completions` are used up to one stride past their ends.
float raise_forward(const CountedStep& step, float score, const float* from, const float* completions, std::size_t size,
                    float least, float* to);

}  // namespace row_loops
}  // namespace widl
