#pragma once

#include <nanobind/ndarray.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "errors.hpp"

namespace widl {

using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <std::size_t Dimensions>
using NewArray = nb::ndarray<nb::numpy, double, nb::ndim<Dimensions>>;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline std::span<const double> view(const Vector& array) { return {array.data(), array.size()}; }
inline std::span<const double> view(const Matrix& array) { return {array.data(), array.size()}; }

template <std::size_t Dimensions>
NewArray<Dimensions> numpy_array(std::vector<double> values, std::array<std::size_t, Dimensions> shape) {
  auto* owned = new std::vector<double>(std::move(values));
  nb::capsule owner(owned, [](void* pointer) noexcept { delete static_cast<std::vector<double>*>(pointer); });
  return NewArray<Dimensions>(owned->data(), Dimensions, shape.data(), owner);
}

inline NewArray<1> numpy_array(std::vector<double> values) {
  const std::size_t size = values.size();
  return numpy_array<1>(std::move(values), {size});
}

inline void check_length(std::size_t length, std::size_t expected, const char* what) {
  if (length != expected)
    throw InputError(std::string(what) + ": expected " + std::to_string(expected) + " numbers, found " +
                     std::to_string(length));
}

}  // namespace widl
