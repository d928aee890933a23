#include "errors.hpp"

#include "bindings.hpp"

namespace widl {

void bind_errors(nb::module_& m) {
  nb::exception<InputError>(m, "InputError", PyExc_ValueError);
  nb::exception<InternalError>(m, "InternalError", PyExc_AssertionError);
}

}  // namespace widl
