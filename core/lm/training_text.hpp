#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/vocabulary.hpp"

namespace widl {

/// The words that every model has, with lmplz's numbers.
inline constexpr WordId kUnknownWord = 0, kSentenceBegin = 1, kSentenceEnd = 2;

/// The training text as word numbers: `<s> w1 … wn </s>` for each line in turn.
///
/// Text comes in pieces that may end anywhere, also within a word. Blanks are space, tab and
/// carriage return, as for lmplz; an empty line is an empty sentence. No word may hold a NUL byte
/// or invalid UTF-8, or be one of the model's own words.
class TrainingText {
 public:
  TrainingText();

  /// Names the source of the text that follows, for messages. A last line without line end is ended first.
  void begin_source(std::string_view name);

  /// @throws InputError "source:line: …".
  void add(std::string_view piece);

  /// Ends a last line without a line end.
  void finish();

  std::uint64_t words() const { return words_; }
  std::uint64_t sentences() const { return sentences_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }

  /// Returns the ids collected so far. Later ids continue after them, possibly within a sentence.
  std::vector<WordId> take_ids() { return std::exchange(ids_, {}); }

  /// Moves the vocabulary out; the text must not be used afterwards.
  Vocabulary take_vocabulary() { return std::move(vocabulary_); }

 private:
  void add_word(std::string_view word);
  void begin_sentence();
  void end_line();
  [[noreturn]] void fail(const std::string& what) const;

  Vocabulary vocabulary_;
  std::vector<WordId> ids_;
  std::string partial_word_;  // the last piece ended within it
  std::string source_ = "text";
  std::uint64_t line_ = 1, words_ = 0, sentences_ = 0;
  bool in_line_ = false;      // part of the current line was seen
  bool in_sentence_ = false;  // its <s> was added
};

}  // namespace widl
