#pragma once

#include <cstdint>
#include <vector>

#include "phrase_table/bitext.hpp"

namespace widl {

/// How many words there are from each position to its sentence's end, max_length at most.
/// @throws InputError when positions times max_length exceed 32 bits, or max_length is not in 1..255
std::vector<std::uint8_t> phrase_room(const BitextSide& side, std::uint32_t max_length);

/// All positions, sorted by the up to max_length words of the sentence that start there; equals by position.
/// Prefix doubling (Manber & Myers 1990), cut off at max_length.
std::vector<std::uint32_t> sort_suffixes(const BitextSide& side, std::uint32_t max_length,
                                         const std::vector<std::uint8_t>& room);

}  // namespace widl
