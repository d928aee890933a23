#include "matrix_product.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace widl {

#if defined(__x86_64__) && defined(__GNUC__)

namespace {

constexpr std::size_t kHeight = 6, kWidth = 16, kDepth = 256;

typedef float Eight __attribute__((vector_size(32), aligned(4), may_alias));

/// The products of `Rows` rows with a strip of kWidth columns, whose numbers stand row by row.
template <std::size_t Rows>
__attribute__((target("avx2"), always_inline)) inline void multiply_strip(const float* a, std::size_t stride,
                                                                          const float* strip, std::size_t depth,
                                                                          float* sums) {
  Eight left[Rows] = {}, right[Rows] = {};
  for (std::size_t k = 0; k < depth; ++k) {
    const Eight first = *reinterpret_cast<const Eight*>(strip + k * kWidth);
    const Eight second = *reinterpret_cast<const Eight*>(strip + k * kWidth + 8);
#pragma GCC unroll 6
    for (std::size_t i = 0; i < Rows; ++i) {
      left[i] += a[i * stride + k] * first;
      right[i] += a[i * stride + k] * second;
    }
  }
#pragma GCC unroll 6
  for (std::size_t i = 0; i < Rows; ++i) {
    *reinterpret_cast<Eight*>(sums + i * kWidth) = left[i];
    *reinterpret_cast<Eight*>(sums + i * kWidth + 8) = right[i];
  }
}

/// Rows begin to begin + depth of bᵀ, in strips of kWidth columns; columns that are missing in the last strip are 0.
std::vector<float> strips_of(const float* b, std::size_t columns, std::size_t stride, std::size_t begin,
                             std::size_t depth) {
  std::vector<float> strips((columns + kWidth - 1) / kWidth * kWidth * depth);
  for (std::size_t j = 0; j < columns; ++j) {
    float* to = strips.data() + j / kWidth * kWidth * depth + j % kWidth;
    for (std::size_t k = 0; k < depth; ++k) to[k * kWidth] = b[j * stride + begin + k];
  }
  return strips;
}

__attribute__((target("avx2"))) void multiply_block(const float* a, std::size_t rows, const float* b,
                                                    std::size_t columns, std::size_t stride, std::size_t begin,
                                                    float* out) {
  const std::size_t depth = std::min(kDepth, stride - begin);
  const std::vector<float> strips = strips_of(b, columns, stride, begin, depth);
  float sums[kHeight * kWidth];
  for (std::size_t i = 0; i < rows; i += kHeight) {
    const std::size_t height = std::min(kHeight, rows - i);
    const float* from = a + i * stride + begin;
    for (std::size_t first = 0; first < columns; first += kWidth) {
      const float* strip = strips.data() + first * depth;
      if (height == kHeight)
        multiply_strip<kHeight>(from, stride, strip, depth, sums);
      else
        for (std::size_t r = 0; r < height; ++r)
          multiply_strip<1>(from + r * stride, stride, strip, depth, sums + r * kWidth);
      const std::size_t width = std::min(kWidth, columns - first);
      for (std::size_t r = 0; r < height; ++r)
        for (std::size_t j = 0; j < width; ++j) {
          float& cell = out[(i + r) * columns + first + j];
          cell = begin == 0 ? sums[r * kWidth + j] : cell + sums[r * kWidth + j];
        }
    }
  }
}

}  // namespace

bool multiplies_fast() { return __builtin_cpu_supports("avx2"); }

void multiply_transposed(const float* a, std::size_t rows, const float* b, std::size_t columns, std::size_t depth,
                         float* out) {
  for (std::size_t begin = 0; begin < depth; begin += kDepth) multiply_block(a, rows, b, columns, depth, begin, out);
}

#else

bool multiplies_fast() { return false; }

void multiply_transposed(const float*, std::size_t, const float*, std::size_t, std::size_t, float*) { std::abort(); }

#endif

}  // namespace widl
