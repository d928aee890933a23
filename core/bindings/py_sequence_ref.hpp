#pragma once

#include <nanobind/nanobind.h>

#include <vector>

namespace widl {

namespace nb = nanobind;

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
