#include "errors.hpp"

#include "bindings.hpp"

namespace widl {

void bind_errors(nb::module_& m) {
  nb::exception<InputError>(m, "InputError", PyExc_ValueError).attr("__doc__") =
      "What a user gave can't be used; one line says where, what is wrong, and how to mend it.";
  nb::exception<InternalError>(m, "InternalError", PyExc_AssertionError).attr("__doc__") =
      "A fault of this package.";
}

}  // namespace widl
