#include "matrix_product.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <random>
#include <vector>

namespace widl {
namespace {

/// One sum after the other, in blocks of 256.
std::vector<float> in_order(const std::vector<float>& a, std::size_t rows, const std::vector<float>& b,
                            std::size_t columns, std::size_t depth) {
  std::vector<float> out(rows * columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t begin = 0; begin < depth; begin += 256) {
        float sum = 0;
        for (std::size_t k = begin; k < depth && k < begin + 256; ++k) sum += a[i * depth + k] * b[j * depth + k];
        out[i * columns + j] += sum;
      }
  return out;
}

TEST_CASE("products of matrices are sums in order, to the byte") {
  if (!multiplies_fast()) return;
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  const std::vector<std::array<std::size_t, 3>> shapes = {{0, 3, 2},   {1, 1, 1},    {5, 17, 256}, {6, 16, 257},
                                                          {13, 1, 30}, {12, 32, 96}, {7, 50, 600}};
  for (const auto& [rows, columns, depth] : shapes) {
    CAPTURE(rows);
    std::vector<float> a(rows * depth), b(columns * depth), out(rows * columns);
    for (float& value : a) value = normal(generator);
    for (float& value : b) value = normal(generator);
    multiply_transposed(a.data(), rows, b.data(), columns, depth, out.data());
    CHECK(out == in_order(a, rows, b, columns, depth));
  }
}

}  // namespace
}  // namespace widl
