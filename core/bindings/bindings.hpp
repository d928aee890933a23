#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "errors.hpp"

namespace nb = nanobind;

namespace widl {

void bind_alignment(nb::module_& m);
void bind_errors(nb::module_& m);
void bind_language_model(nb::module_& m);
void bind_lattice(nb::module_& m);
void bind_lm_estimator(nb::module_& m);
void bind_mert(nb::module_& m);
void bind_metrics(nb::module_& m);
void bind_combination(nb::module_& m);
void bind_token_constraint(nb::module_& m);
void bind_phrase_table(nb::module_& m);
void bind_phrase_table_tools(nb::module_& m);
void bind_vocabulary(nb::module_& m);
void bind_expression(nb::module_& m);
void bind_realizer(nb::module_& m);
void bind_tiling(nb::module_& m);

/// The contents of a bytes object; valid while the object lives.
inline std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

inline nb::bytes to_bytes(std::string_view bytes) { return nb::bytes(bytes.data(), bytes.size()); }

/// The result of `work`, computed without the GIL.
template <class Work>
auto released(Work&& work) {
  nb::gil_scoped_release release;
  return work();
}

using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <std::size_t Dimensions, class Value = double>
using NewArray = nb::ndarray<nb::numpy, Value, nb::ndim<Dimensions>>;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline std::span<const double> view(const Vector& array) { return {array.data(), array.size()}; }
inline std::span<const double> view(const Matrix& array) { return {array.data(), array.size()}; }

template <std::size_t Dimensions, class Value>
NewArray<Dimensions, Value> numpy_array(std::vector<Value> values, std::array<std::size_t, Dimensions> shape) {
  auto* owned = new std::vector<Value>(std::move(values));
  nb::capsule owner(owned, [](void* pointer) noexcept { delete static_cast<std::vector<Value>*>(pointer); });
  return NewArray<Dimensions, Value>(owned->data(), Dimensions, shape.data(), owner);
}

template <class Value>
NewArray<1, Value> numpy_array(std::vector<Value> values) {
  const std::size_t size = values.size();
  return numpy_array<1>(std::move(values), {size});
}

inline void check_length(std::size_t length, std::size_t expected, const char* what) {
  if (length != expected)
    throw InputError(std::string(what) + ": expected " + std::to_string(expected) + " numbers, found " +
                     std::to_string(length));
}

/// References the items of a Python sequence, because its owner may remove them in the meantime.
template <class T>
class PySequenceRef {
 public:
  using Sequence = nb::typed<nb::sequence, T>;

  /// Raises TypeError for an item of another type, including None.
  explicit PySequenceRef(const Sequence& items) {
    for (nb::handle item : items) {
      if (!nb::isinstance<T>(item)) {
        const nb::str name(nb::type<T>().attr("__name__"));
        PyErr_Format(PyExc_TypeError, "expected a sequence of %U, found %R in it", name.ptr(), item.ptr());
        throw nb::python_error();
      }
      objects_.push_back(nb::borrow(item));
      pointers_.push_back(nb::cast<const T*>(item));
    }
  }

  std::size_t size() const { return pointers_.size(); }
  const T& operator[](std::size_t i) const { return *pointers_[i]; }
  const std::vector<const T*>& pointers() const { return pointers_; }
  const std::vector<nb::object>& objects() const { return objects_; }
  auto begin() const { return pointers_.begin(); }
  auto end() const { return pointers_.end(); }

 private:
  std::vector<nb::object> objects_;
  std::vector<const T*> pointers_;
};

}  // namespace widl
