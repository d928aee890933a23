#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

#include "bindings.hpp"

namespace widl {

/// The contents of a bytes object; valid while the object lives.
inline std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

inline nb::bytes to_bytes(std::string_view bytes) { return nb::bytes(bytes.data(), bytes.size()); }

/// The result of `work`, computed without the GIL.
template <class Work>
auto released(Work&& work) {
  nb::gil_scoped_release release;
  return work();
}

}  // namespace widl
