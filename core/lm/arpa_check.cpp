#include "lm/arpa_check.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "decimal_text.hpp"
#include "errors.hpp"
#include "lm/max_order.hh"
#include "utf8.hpp"

namespace widl {
namespace {

using std::string_view;

bool is_blank(char byte) { return byte == ' ' || byte == '\t' || byte == '\r'; }

const char* skip_blanks(const char* begin, const char* end) { return std::find_if_not(begin, end, is_blank); }

/// Lines of a file and their numbers.
class LineReader {
 public:
  explicit LineReader(const std::string& path) : path_(path), in_(path, std::ios::binary), buffer_(1 << 20) {
    if (!in_) fail("cannot be read");
  }

  /// The next nonblank line, without its line end. @returns false at the end of the file.
  bool next(string_view& line) {
    do {
      if (!next_any(line)) return false;
      while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    } while (line.empty());
    return true;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(path_ + (line_ ? ":" + std::to_string(line_) : "") + ": " + what);
  }

 private:
  bool next_any(string_view& line) {
    ++line_;
    for (std::size_t searched = 0;;) {
      const char* begin = buffer_.data() + begin_;
      const auto* end = static_cast<const char*>(std::memchr(begin + searched, '\n', end_ - begin_ - searched));
      if (end) {
        line = {begin, end};
        begin_ += line.size() + 1;
        return true;
      }
      searched = end_ - begin_;
      if (!fill()) {
        line = {buffer_.data() + begin_, searched};
        begin_ = end_;
        return !line.empty();
      }
    }
  }

  bool fill() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (end_ == buffer_.size()) buffer_.resize(2 * end_);
    in_.read(buffer_.data() + end_, static_cast<std::streamsize>(buffer_.size() - end_));
    end_ += static_cast<std::size_t>(in_.gcount());
    return in_.gcount() > 0;
  }

  const std::string& path_;
  std::ifstream in_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // the unread part of the buffer
  std::uint64_t line_ = 0;
};

std::string in_quotes(string_view text) {
  std::string shown;
  for (char byte : text.substr(0, 40)) shown += static_cast<unsigned char>(byte) < 32 ? '?' : byte;
  return "'" + shown + (text.size() > 40 ? "…'" : "'");
}

/// Splits off the first field.
string_view take_field(string_view& line) {
  std::size_t begin = 0;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && !is_blank(line[end])) ++end;
  string_view field = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return field;
}

/// Uses single precision, like KenLM: numbers that overflow there are infinite.
bool parse(string_view field, float& number) {
  if (field.starts_with('+')) field.remove_prefix(1);
  const std::optional<float> value = decimal<float>(field);
  number = value.value_or(0);
  return value.has_value();
}

class ArpaChecker {
 public:
  explicit ArpaChecker(const std::string& path) : path_(path), lines_(path) {}

  bool run() {
    read_counts();
    for (std::size_t n = 1; n <= counts_.size(); ++n) read_section(n);
    if (line_ != "\\end\\") lines_.fail("expected \\end\\, found " + in_quotes(line_));
    if (lines_.next(line_)) lines_.fail("nothing may follow \\end\\, found " + in_quotes(line_));
    return positive_backoff_;
  }

 private:
  void advance(const char* expected) {
    if (!lines_.next(line_))
      lines_.fail(std::string("the file ends where ") + expected + " should be; is it complete?");
    if (line_.find('\0') != string_view::npos) lines_.fail("NUL byte; is the file damaged?");
  }

  void read_counts() {
    if (!lines_.next(line_)) lines_.fail("empty; a language model was expected");
    while (line_.starts_with('#')) advance("\\data\\");
    if (line_ != "\\data\\") {
      if (line_.starts_with("\x1f\x8b")) lines_.fail("compressed with gzip; end its name in .gz");
      lines_.fail("neither an ARPA file, which begins with \\data\\, nor a KenLM binary");
    }
    for (advance("'ngram 1='"); line_.starts_with("ngram "); advance("\\1-grams:")) {
      std::uint64_t n = 0, count = 0;
      // IRSTLM pads both numbers with spaces; KenLM skips them.
      const char *end = line_.data() + line_.size(), *begin = skip_blanks(line_.data() + 6, end);
      auto [equals, bad_order] = std::from_chars(begin, end, n);
      if (bad_order != std::errc() || equals == end || *equals != '=' || n != counts_.size() + 1)
        lines_.fail("expected 'ngram " + std::to_string(counts_.size() + 1) + "=…', found " + in_quotes(line_));
      auto [rest, bad_count] = std::from_chars(skip_blanks(equals + 1, end), end, count);
      if (bad_count != std::errc() || rest != end)
        lines_.fail("expected a number after '=', found " + in_quotes(line_));
      counts_.push_back(count);
    }
    if (counts_.empty()) lines_.fail("expected 'ngram 1=…', found " + in_quotes(line_));
    if (counts_.size() < 2) lines_.fail("a model of order 1, which can't be read from a pipe; give its file");
    if (counts_.size() > KENLM_MAX_ORDER)
      lines_.fail("a model of order " + std::to_string(counts_.size()) + "; orders up to " +
                  std::to_string(KENLM_MAX_ORDER) + " can be used");
  }

  /// From a section's header to the line after its last n-gram.
  void read_section(std::size_t n) {
    const std::string header = std::string("\\") + std::to_string(n) + "-grams:";
    if (line_ != header) lines_.fail("expected " + header + ", found " + in_quotes(line_));
    const char* next = n < counts_.size() ? "the next section" : "\\end\\";
    std::uint64_t count = 0;
    hashes_.clear();
    for (advance(next); line_.front() != '\\'; advance(next)) {
      if (++count > counts_[n - 1]) break;
      read_ngram(n);
    }
    if (count != counts_[n - 1])
      lines_.fail((count > counts_[n - 1] ? "more than" : "only " + std::to_string(count) + " of") + " the " +
                  std::to_string(counts_[n - 1]) + " " + std::to_string(n) +
                  "-grams that the top of the file announces");
    if (n == 1 && !(has_begin_ && has_end_))
      lines_.fail(std::string("the 1-grams lack ") + (has_begin_ ? "</s>" : "<s>"));
    std::sort(hashes_.begin(), hashes_.end());
    for (auto same = std::adjacent_find(hashes_.begin(), hashes_.end()); same != hashes_.end();
         same = std::adjacent_find(same + 1, hashes_.end()))
      refuse_repeated(n, *same);
  }

  /// Reads the section again, and fails at the second of two equal n-grams with this hash. Different n-grams may share
  /// a hash.
  void refuse_repeated(std::size_t n, std::uint64_t hash) const {
    LineReader lines(path_);
    const std::string header = std::string("\\") + std::to_string(n) + "-grams:";
    std::vector<std::string> seen;
    string_view line;
    while (lines.next(line) && line != header) {}
    while (lines.next(line) && line.front() != '\\') {
      take_field(line);
      std::string words;
      for (std::size_t i = 0; i < n; ++i) (words += i > 0 ? " " : "") += take_field(line);
      if (std::hash<string_view>()(words) != hash) continue;
      if (std::find(seen.begin(), seen.end(), words) != seen.end())
        lines.fail("the " + std::to_string(n) + "-gram " + in_quotes(words) + " occurs twice; keep one of its lines");
      seen.push_back(std::move(words));
    }
  }

  void read_ngram(std::size_t n) {
    string_view rest = line_;
    const string_view prob = take_field(rest);
    float number = 0;
    if (!parse(prob, number)) lines_.fail("expected a log10 probability, found " + in_quotes(prob));
    if (number > 0) lines_.fail("log10 probability above 0: " + in_quotes(prob));
    words_.clear();
    for (std::size_t i = 0; i < n; ++i) {
      const string_view word = take_field(rest);
      (words_ += i > 0 ? " " : "") += word;
      if (word.empty())
        lines_.fail("expected " + std::to_string(n) + (n == 1 ? " word" : " words") + " after the probability, found " +
                    std::to_string(i));
      if (n == 1 && !is_utf8(word)) lines_.fail("a word is not UTF-8; convert the file, for instance with iconv");
      if (n == 1 && word == "<s>") has_begin_ = true;
      if (n == 1 && word == "</s>") has_end_ = true;
    }
    hashes_.push_back(std::hash<string_view>()(words_));
    const string_view backoff = take_field(rest);
    if (backoff.empty()) return;
    if (!parse(backoff, number) || std::isinf(number))
      lines_.fail("expected a log10 back-off weight after " + std::to_string(n) + " words, found " +
                  in_quotes(backoff));
    if (!take_field(rest).empty())
      lines_.fail("more than probability, " + std::to_string(n) + " words and back-off weight");
    if (number > 0) positive_backoff_ = true;
  }

  const std::string& path_;
  LineReader lines_;
  string_view line_;
  std::string words_;                  // words of an n-gram, separated by single spaces
  std::vector<std::uint64_t> hashes_;  // of a section's n-grams
  std::vector<std::uint64_t> counts_;
  bool has_begin_ = false, has_end_ = false, positive_backoff_ = false;
};

}  // namespace

bool check_arpa(const std::string& path) { return ArpaChecker(path).run(); }

}  // namespace widl
