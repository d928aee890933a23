#pragma once

#include <cstddef>

namespace widl {

/// Whether this processor has the instructions of `multiply_transposed`.
bool multiplies_fast();

/// out = a · bᵀ for arrays by rows: a has `rows` rows, b has `columns`, both of `depth` numbers.
///
/// Each sum adds its products in order, in blocks of 256 that are added in turn, and nothing is fused, so that the
/// result is that of BLIS' portable kernel to the byte, which is slower.
void multiply_transposed(const float* a, std::size_t rows, const float* b, std::size_t columns, std::size_t depth,
                         float* out);

}  // namespace widl
