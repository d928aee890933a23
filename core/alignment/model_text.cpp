#include "alignment/model_text.hpp"

#include <charconv>
#include <cstdint>
#include <string>

#include "errors.hpp"

namespace widl {
namespace {

constexpr std::string_view kTitle = "widl alignment model 1";
constexpr std::string_view kSourceJumps = "jumps in the source, from -200 to 200:";
constexpr std::string_view kTargetJumps = "jumps in the target, from -200 to 200:";
constexpr std::uint32_t kLargestCode = 800;  // 2^42, more than any count; LexicalTable holds up to 2^44
constexpr std::uint64_t kLargestFrequency = std::uint64_t{1} << 53;

void append_number(std::string& text, std::uint64_t number) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  text += ' ';
  text.append(digits, end);
}

void append_word(std::string& text, const AlignmentCounts::Word& word) {
  text += word.word;
  append_number(text, word.frequency);
  append_number(text, word.unaligned);
}

/// The fields of each line, line by line.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  void next_line() {
    ++number_;
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) fail("the model ends too early");
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
  }
  void expect(std::string_view start) {
    if (!line_.starts_with(start)) fail("'" + std::string(start) + "' was expected");
    line_.remove_prefix(start.size());
  }
  bool at_line_end() const { return line_.empty(); }
  void expect_line_end() const {
    if (!at_line_end()) fail("the line goes on after its last number");
  }
  bool at_end() const { return rest_.empty(); }
  std::string word() {
    const std::string word(line_.substr(0, line_.find(' ')));
    if (word.empty()) fail("a word was expected");
    line_.remove_prefix(word.size());
    return word;
  }
  std::uint64_t number(std::uint64_t largest) {
    std::uint64_t value = 0;
    if (line_.starts_with(' ')) line_.remove_prefix(1);
    const auto [end, error] = std::from_chars(line_.data(), line_.data() + line_.size(), value);
    const auto length = static_cast<std::size_t>(end - line_.data());
    if (error != std::errc() || value > largest || (length < line_.size() && line_[length] != ' '))
      fail("a number up to " + std::to_string(largest) + " was expected");
    line_.remove_prefix(length);
    return value;
  }
  std::uint32_t code() { return static_cast<std::uint32_t>(number(kLargestCode)); }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(std::to_string(number_) + ": " + what);
  }

 private:
  std::string_view rest_, line_;
  std::size_t number_ = 0;
};

std::vector<std::uint32_t> read_jumps(Reader& reader, std::string_view title) {
  reader.next_line();
  reader.expect(title);
  std::vector<std::uint32_t> codes;
  while (!reader.at_line_end()) codes.push_back(reader.code());
  if (codes.size() != 2 * JumpDistribution::kWidth + 1) reader.fail("401 jumps were expected");
  return codes;
}

void read_word(Reader& reader, Vocabulary& vocabulary, std::vector<AlignmentCounts::Word>& words) {
  reader.next_line();
  auto& word = words.emplace_back();
  word.word = reader.word();
  if (vocabulary.intern(word.word) + 1 != words.size()) reader.fail("a word that an earlier line has");
  word.frequency = reader.number(kLargestFrequency);
  if (word.frequency == 0) reader.fail("a word that never occurs");
  word.unaligned = reader.code();
}

}  // namespace

std::string write_model(const AlignmentCounts& counts) {
  std::string text(kTitle);
  for (const auto& [title, jumps] :
       {std::pair(kSourceJumps, &counts.source_jumps), std::pair(kTargetJumps, &counts.target_jumps)}) {
    text += '\n';
    text += title;
    for (std::uint32_t code : *jumps) append_number(text, code);
  }
  text += '\n' + std::to_string(counts.targets.size());
  append_number(text, counts.sources.size());
  text += '\n';
  for (const auto& word : counts.targets) {
    append_word(text, word);
    text += '\n';
  }
  for (std::size_t source = 0; source < counts.sources.size(); ++source) {
    append_word(text, counts.sources[source]);
    WordId last = 0;
    for (const auto& entry : counts.links[source]) {
      append_number(text, entry.target - last);
      append_number(text, entry.count);
      last = entry.target;
    }
    text += '\n';
  }
  return text;
}

AlignmentCounts parse_model(std::string_view text) {
  Reader reader(text);
  AlignmentCounts counts;
  reader.next_line();
  reader.expect(kTitle);
  if (!reader.at_line_end()) reader.fail("another format of alignment models");
  counts.source_jumps = read_jumps(reader, kSourceJumps);
  counts.target_jumps = read_jumps(reader, kTargetJumps);
  reader.next_line();
  const std::uint64_t most = text.size();  // each word has a line
  const std::uint64_t targets = reader.number(most), sources = reader.number(most);
  reader.expect_line_end();
  Vocabulary source_words, target_words;
  for (std::uint64_t i = 0; i < targets; ++i) {
    read_word(reader, target_words, counts.targets);
    reader.expect_line_end();
  }
  for (std::uint64_t i = 0; i < sources; ++i) {
    read_word(reader, source_words, counts.sources);
    counts.links.emplace_back();
    std::uint64_t target = 0;
    while (!reader.at_line_end()) {
      const std::uint64_t step = reader.number(most);
      target += step;
      if (target >= targets || (step == 0 && !counts.links.back().empty())) reader.fail("a target word that is not there");
      counts.links.back().push_back({static_cast<WordId>(target), reader.code()});
    }
  }
  if (!reader.at_end()) reader.fail("the model goes on after its last word");
  return counts;
}

}  // namespace widl
