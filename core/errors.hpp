#pragma once

#include <stdexcept>

namespace widl {

/// What the user gave is wrong: a file's content, a weight, an expression.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The core broke one of its own promises.
struct InternalError : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace widl
