#include "matrix_product.hpp"

#include <cstddef>
#include <vector>

#include "bindings.hpp"

namespace widl {

using namespace nb::literals;

void bind_matrix_product(nb::module_& m) {
  using Rows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  m.def("multiplies_fast", &multiplies_fast, "Whether this processor has the instructions of `multiply_transposed`.");
  m.def(
      "multiply_transposed",
      [](const Rows& a, const Rows& b) {
        if (!multiplies_fast()) throw InputError("this processor lacks the instructions of multiply_transposed");
        check_length(b.shape(1), a.shape(1), "a row of b");
        std::vector<float> out(a.shape(0) * b.shape(0));
        released([&] {
          multiply_transposed(a.data(), a.shape(0), b.data(), b.shape(0), a.shape(1), out.data());
        });
        return numpy_array<2>(std::move(out), {a.shape(0), b.shape(0)});
      },
      "a"_a, "b"_a, "a · bᵀ for float32 arrays of equal depth, each sum in order and without fused operations.");
}

}  // namespace widl
