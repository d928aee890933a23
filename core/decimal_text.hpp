#pragma once

#include <optional>
#include <string_view>

namespace widl {

/// The value of a decimal number, such as -1.5e-3, in the "C" locale; none if the text is anything else. A value that is
/// too large for the type is infinite, one that is too small is 0. Without sign or blanks before it, but for a minus.
template <class Real>
std::optional<Real> decimal(std::string_view text);

namespace portable {

/// The same without std::from_chars, which libc++ has for numbers with a point from version 20 on only.
template <class Real>
std::optional<Real> decimal(std::string_view text);

}  // namespace portable

}  // namespace widl
