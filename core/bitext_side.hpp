#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "expression/vocabulary.hpp"

namespace widl {

/// One side of a parallel text, with all its words in one array.
struct BitextSide {
  Vocabulary vocabulary;
  std::vector<WordId> words;
  std::vector<std::uint32_t> begins{0};  // of each sentence in `words`, and the end of the last

  std::size_t sentences() const { return begins.size() - 1; }

  /// Adds a sentence: tokens separated by ASCII white space.
  /// @throws InputError when there are more words than 32 bits can count
  void append(std::string_view line);
};

}  // namespace widl
