#pragma once

#include <string>
#include <string_view>

#include "alignment/model.hpp"

namespace widl {

/// The text form of a model:
///
///     widl alignment model 1
///     jumps in the source, from -200 to 200: CODE CODE …
///     jumps in the target, from -200 to 200: CODE CODE …
///     TARGETS SOURCES                        numbers of words
///     word frequency code                    one line per target word
///     word frequency code  target code …     one line per source word; targets as differences of their numbers
///
/// Codes come from `encode_count`.
std::string write_model(const AlignmentCounts& counts);

/// @throws InputError with the number of the malformed line
AlignmentCounts parse_model(std::string_view text);

}  // namespace widl
