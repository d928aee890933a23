#pragma once

#include <cstddef>
#include <string>

#include "expression/expression.hpp"

namespace widl {

/// An expression in text form; shared parts are written out at each use.
struct ExpressionText {
  std::string text;
  bool complete;  ///< false: cut after at least `max_bytes`
};

/// Parses back to an equal expression if complete.
ExpressionText to_text(const Expression& expression, std::size_t max_bytes);

}  // namespace widl
