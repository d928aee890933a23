#pragma once

#include <stdexcept>

namespace widl {

/// Invalid user input: a file's content, a weight, an expression.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A violated invariant of the core.
struct InternalError : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace widl
