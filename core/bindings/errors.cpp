#include "errors.hpp"

#include <exception>
#include <string_view>
#include <system_error>

#include "bindings.hpp"

namespace widl {

void bind_errors(nb::module_& m) {
  nb::exception<InputError>(m, "InputError", PyExc_ValueError).attr("__doc__") =
      "Invalid input. The message is one line: where, what is wrong, and how to mend it.";
  // A message may name a path that is not UTF-8, which Python spells with surrogates.
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void* type) {
        try {
          std::rethrow_exception(thrown);
        } catch (const InputError& error) {
          const std::string_view what = error.what();
          const nb::object message =
              nb::steal(PyUnicode_DecodeUTF8(what.data(), static_cast<Py_ssize_t>(what.size()), "surrogateescape"));
          PyErr_SetObject(static_cast<PyObject*>(type), message.ptr());
        }
      },
      m.attr("InputError").ptr());
  nb::exception<InternalError>(m, "InternalError", PyExc_AssertionError).attr("__doc__") = "A bug in this package.";
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::system_error& error) {  // the message of a thread, a lock, or the file system
      nb::object exception = nb::borrow(PyExc_OSError)(error.code().value(), error.what());
      PyErr_SetObject(PyExc_OSError, exception.ptr());
    }
  });
}

}  // namespace widl
