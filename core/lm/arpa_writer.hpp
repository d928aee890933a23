#pragma once

#include <functional>
#include <string_view>

#include "lm/kneser_ney.hpp"

namespace widl {

/// Hands out the model as ARPA text, in pieces of about a megabyte. Numbers are the shortest that
/// read back as the same single-precision numbers, which is what KenLM stores.
void write_arpa(const NGramModel& model, const std::function<void(std::string_view)>& sink);

}  // namespace widl
