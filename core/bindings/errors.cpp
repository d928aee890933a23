#include "errors.hpp"

#include <system_error>

#include "bindings.hpp"

namespace widl {

void bind_errors(nb::module_& m) {
  nb::exception<InputError>(m, "InputError", PyExc_ValueError).attr("__doc__") =
      "What a user gave can't be used; one line says where, what is wrong, and how to mend it.";
  nb::exception<InternalError>(m, "InternalError", PyExc_AssertionError).attr("__doc__") =
      "A fault of this package.";
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::system_error& error) {  // what a thread, a lock, or the file system says
      nb::object made = nb::borrow(PyExc_OSError)(error.code().value(), error.what());
      PyErr_SetObject(PyExc_OSError, made.ptr());
    }
  });
}

}  // namespace widl
