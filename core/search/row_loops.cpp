#include "search/row_loops.hpp"

#include <algorithm>
#include <limits>
#include <utility>

// x86-64 processors run the functions for AVX2 if they have it. The system chooses when it loads the module, which needs
// glibc and happens before a sanitizer starts.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WIDL_FOR_EACH_PROCESSOR [[gnu::target_clones("avx2", "default")]]
#else
#define WIDL_FOR_EACH_PROCESSOR
#endif
#define WIDL_INLINE [[gnu::always_inline]] inline

namespace widl::row_loops {
namespace {

#ifdef __x86_64__
constexpr std::size_t kBytes = 32;
#else
constexpr std::size_t kBytes = 16;
#endif

/// Vectors stay inside a function, because processors pass them differently.
template <class Real>
struct VectorOf {
  typedef Real Type __attribute__((vector_size(kBytes), aligned(alignof(Real)), may_alias));
};
template <class Real>
using Vector = typename VectorOf<Real>::Type;
template <class Real>
constexpr std::size_t kCount = kBytes / sizeof(Real);

template <class Real>
WIDL_INLINE Vector<Real>& at(Real* numbers) {
  return *reinterpret_cast<Vector<Real>*>(numbers);
}
template <class Real>
WIDL_INLINE const Vector<Real>& at(const Real* numbers) {
  return *reinterpret_cast<const Vector<Real>*>(numbers);
}

template <class Real>
WIDL_INLINE void raise(Real& best, Real value) {
  best = value > best ? value : best;
}
/// `raise` for vectors: a deduced type would lose their alignment.
template <class Real>
WIDL_INLINE void raise_all(Vector<Real>& best, const Vector<Real>& value) {
  best = value > best ? value : best;
}

template <std::size_t Vectors, class Real>
WIDL_INLINE void best_of_columns(const Real* rows, const Real* add, std::size_t count, std::size_t width, Real least,
                                 Real* best) {
  Vector<Real> most[Vectors];
  for (auto& row : most) row = Vector<Real>{} + least;
  for (std::size_t row = 0; row < count; ++row)
    for (std::size_t v = 0; v < Vectors; ++v)
      raise_all<Real>(most[v], at(rows + row * width + v * kCount<Real>) + add[row]);
  for (std::size_t v = 0; v < Vectors; ++v) at(best + v * kCount<Real>) = most[v];
}

template <class Real>
WIDL_INLINE void best_of_all_columns(const Real* rows, const Real* add, std::size_t count, std::size_t width,
                                     Real least, Real* best) {
  if (count == 0) return void(std::fill_n(best, width, least));  // rows may be null, to which nothing may be added
  std::size_t column = 0;
  for (; column + 4 * kCount<Real> <= width; column += 4 * kCount<Real>)
    best_of_columns<4>(rows + column, add, count, width, least, best + column);
  const std::size_t left = (width - column) / kCount<Real>;
  if (left == 3) best_of_columns<3>(rows + column, add, count, width, least, best + column);
  if (left == 2) best_of_columns<2>(rows + column, add, count, width, least, best + column);
  if (left == 1) best_of_columns<1>(rows + column, add, count, width, least, best + column);
}

/// A row consists of blocks of equal size. Returns the block size and the number of indices in a block that lead on.
WIDL_INLINE std::pair<std::size_t, std::size_t> blocks(const CountedStep& step, std::size_t size) {
  if (step.stride == 0) return {size, size};
  return {step.stride * step.radix, step.stride * (step.radix - 1)};
}

template <class Real>
WIDL_INLINE void raise_all_backward(const CountedStep& step, Real score, const Real* __restrict completions,
                                    std::size_t size, Real* __restrict before) {
  completions += step.stride;
  if (step.closed) {
    const float* __restrict closed = step.closed;
    for (std::size_t i = 0; i < size; ++i) raise(before[i], score + (completions[i] + Real{closed[i]}));
    return;
  }
  const auto [block, open] = blocks(step, size);
  for (std::size_t first = 0; first < size; first += block)
    for (std::size_t i = first; i < first + open; ++i) raise(before[i], score + completions[i]);
}

template <bool Closes>
WIDL_INLINE float raise_all_forward(float score, const float* __restrict from, const float* __restrict closed,
                                    const float* __restrict completions, std::size_t size, float least,
                                    float* __restrict to) {
  Vector<float> best = Vector<float>{} + least;
  std::size_t i = 0;
  for (; i + kCount<float> <= size; i += kCount<float>) {
    Vector<float> here = at(from + i) + score;
    if constexpr (Closes) here = here + at(closed + i);
    raise_all<float>(at(to + i), here);
    raise_all<float>(best, here + at(completions + i));
  }
  for (std::size_t lane = 0; lane < kCount<float>; ++lane) least = std::max(least, float{best[lane]});
  for (; i < size; ++i) {
    const float here = from[i] + score + (Closes ? closed[i] : 0.0f);
    raise(to[i], here);
    least = std::max(least, here + completions[i]);
  }
  return least;
}

}  // namespace

WIDL_FOR_EACH_PROCESSOR
double best_difference(const double* scores, const double* multipliers, std::size_t count) {
  constexpr std::size_t kAtOnce = 4, kStep = kCount<double>;  // vectors, so that none waits for the previous one
  Vector<double> best[kAtOnce];
  for (auto& row : best) row = Vector<double>{} - std::numeric_limits<double>::infinity();
  std::size_t i = 0;
  for (; i + kAtOnce * kStep <= count; i += kAtOnce * kStep)
    for (std::size_t v = 0; v < kAtOnce; ++v)
      raise_all<double>(best[v], at(scores + i + v * kStep) - at(multipliers + i + v * kStep));
  for (; i < count; i += kStep) raise_all<double>(best[0], at(scores + i) - at(multipliers + i));
  for (std::size_t v = 1; v < kAtOnce; ++v) raise_all<double>(best[0], best[v]);
  double most = best[0][0];
  for (std::size_t lane = 1; lane < kStep; ++lane) most = std::max(most, double{best[0][lane]});
  return most;
}

WIDL_FOR_EACH_PROCESSOR
void raise_to_differences(double by, const double* __restrict scores, const double* __restrict multipliers,
                          std::size_t count, double* __restrict best) {
  std::size_t i = 0;
  for (; i + kCount<double> <= count; i += kCount<double>)
    raise_all<double>(at(best + i), by + (at(scores + i) - at(multipliers + i)));
  for (; i < count; ++i) raise(best[i], by + (scores[i] - multipliers[i]));
}

WIDL_FOR_EACH_PROCESSOR
void best_of_rows(const float* rows, const float* add, std::size_t count, std::size_t width, float least, float* best) {
  best_of_all_columns(rows, add, count, width, least, best);
}

WIDL_FOR_EACH_PROCESSOR
void best_of_rows(const double* rows, const double* add, std::size_t count, std::size_t width, double least,
                  double* best) {
  best_of_all_columns(rows, add, count, width, least, best);
}

WIDL_FOR_EACH_PROCESSOR
void raise_backward(const CountedStep& step, float score, const float* completions, std::size_t size, float* before) {
  raise_all_backward(step, score, completions, size, before);
}

WIDL_FOR_EACH_PROCESSOR
void raise_backward(const CountedStep& step, double score, const double* completions, std::size_t size,
                    double* before) {
  raise_all_backward(step, score, completions, size, before);
}

WIDL_FOR_EACH_PROCESSOR
float raise_forward(const CountedStep& step, float score, const float* from, const float* completions, std::size_t size,
                    float least, float* to) {
  completions += step.stride;
  to += step.stride;
  if (step.closed) return raise_all_forward<true>(score, from, step.closed, completions, size, least, to);
  const auto [block, open] = blocks(step, size);
  for (std::size_t i = 0; i < size; i += block)
    least = raise_all_forward<false>(score, from + i, nullptr, completions + i, open, least, to + i);
  return least;
}

}  // namespace widl::row_loops

#undef WIDL_FOR_EACH_PROCESSOR
#undef WIDL_INLINE
