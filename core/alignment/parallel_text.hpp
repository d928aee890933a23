#pragma once

#include <cstddef>
#include <string_view>

#include "bitext_side.hpp"

namespace widl {

/// Sentence pairs that are translations of each other, line by line, without links.
struct ParallelText {
  BitextSide source, target;

  /// Adds a pair: tokens separated by ASCII white space. @throws InputError when the text is too large
  void append(std::string_view source_line, std::string_view target_line) {
    source.append(source_line);
    target.append(target_line);
  }

  std::size_t sentences() const { return source.sentences(); }
};

}  // namespace widl
