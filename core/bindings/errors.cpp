#include "errors.hpp"

#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "spill_file.hpp"

namespace widl {

void bind_errors(nb::module_& m) {
  nb::exception<InputError>(m, "InputError", PyExc_ValueError);
  nb::exception<InternalError>(m, "InternalError", PyExc_AssertionError);
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const SpillError& error) {
      const std::string reason = "a temporary file failed (" + error.code().message() +
                                 "); choose another folder for temporary files, or allow more memory";
      PyErr_SetObject(PyExc_OSError, nb::make_tuple(error.code().value(), reason, error.directory).ptr());
    }
  });
}

}  // namespace widl
