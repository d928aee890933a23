#include "lm/training_text.hpp"

#include <array>
#include <limits>

#include "errors.hpp"
#include "utf8.hpp"

namespace widl {
namespace {

enum class ByteKind : std::uint8_t { kWord, kBlank, kLineEnd, kNul };

constexpr std::array<ByteKind, 256> kByteKinds = [] {
  std::array<ByteKind, 256> kinds{};
  kinds[' '] = kinds['\t'] = kinds['\r'] = ByteKind::kBlank;
  kinds['\n'] = ByteKind::kLineEnd;
  kinds[0] = ByteKind::kNul;
  return kinds;
}();

ByteKind kind_of(char byte) { return kByteKinds[static_cast<unsigned char>(byte)]; }

}  // namespace

TrainingText::TrainingText() {
  for (const char* word : {"<unk>", "<s>", "</s>"}) vocabulary_.intern(word);
}

void TrainingText::begin_source(std::string_view name) {
  finish();
  source_ = name;
  line_ = 1;
}

void TrainingText::add(std::string_view piece) {
  const char *at = piece.data(), *const end = at + piece.size();
  if (!partial_word_.empty()) {
    const char* begin = at;
    while (at != end && kind_of(*at) == ByteKind::kWord) ++at;
    partial_word_.append(begin, at);
    if (at == end) return;
    add_word(partial_word_);
    partial_word_.clear();
  }
  while (at != end) {
    switch (kind_of(*at)) {
      case ByteKind::kBlank:
        in_line_ = true;
        ++at;
        break;
      case ByteKind::kLineEnd:
        end_line();
        ++at;
        break;
      case ByteKind::kNul:
        fail("NUL byte; is this a text file?");
      case ByteKind::kWord: {
        const char* begin = at;
        while (at != end && kind_of(*at) == ByteKind::kWord) ++at;
        if (at == end) {
          partial_word_.assign(begin, at);
          return;
        }
        add_word({begin, at});
      }
    }
  }
}

void TrainingText::finish() {
  if (!partial_word_.empty()) add_word(partial_word_);
  partial_word_.clear();
  if (in_line_) end_line();
}

void TrainingText::add_word(std::string_view word) {
  unsigned char bits = 0;
  for (char byte : word) bits |= static_cast<unsigned char>(byte);
  if (bits >= 0x80 && !is_utf8(word)) fail("invalid UTF-8; convert the text to UTF-8");
  in_line_ = true;
  // KenLM reads <UNK> as <unk>; lmplz accepts it, and its model then has <unk> twice.
  if (word.front() == '<' && (word == "<UNK>" || vocabulary_.find(word).value_or(kSentenceEnd + 1) <= kSentenceEnd))
    fail("the word " + std::string(word) + " belongs to the model itself; remove or rename it in the text");
  begin_sentence();
  ids_.push_back(vocabulary_.intern(word));
  ++words_;
}

void TrainingText::begin_sentence() {
  if (in_sentence_) return;
  ids_.push_back(kSentenceBegin);
  in_sentence_ = true;
}

void TrainingText::end_line() {
  begin_sentence();
  ids_.push_back(kSentenceEnd);
  in_sentence_ = false;
  if (ids_.size() >= std::numeric_limits<std::uint32_t>::max() / 2)
    fail(
        "the text is too long to be held in memory: no more than two thousand million words; "
        "limit the memory");
  ++sentences_;
  ++line_;
  in_line_ = false;
}

void TrainingText::fail(const std::string& what) const {
  throw InputError(source_ + ":" + std::to_string(line_) + ": " + what);
}

}  // namespace widl
