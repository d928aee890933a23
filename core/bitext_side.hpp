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
