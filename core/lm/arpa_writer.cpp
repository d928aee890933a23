#include "lm/arpa_writer.hpp"

#include <charconv>
#include <cstddef>

namespace widl {
namespace {

constexpr std::size_t kPiece = 1 << 20;

}  // namespace

ArpaText::ArpaText(const std::vector<std::uint64_t>& counts, const ArpaSink& sink) : sink_(sink) {
  out_.reserve(kPiece + (1 << 16));
  out_ += "\\data\\\n";
  for (std::size_t n = 1; n <= counts.size(); ++n)
    out_ += "ngram " + std::to_string(n) + "=" + std::to_string(counts[n - 1]) + "\n";
}

void ArpaText::begin_section(unsigned order) { out_ += "\n\\" + std::to_string(order) + "-grams:\n"; }

void ArpaText::begin_ngram(float log_prob) {
  number(log_prob);
  first_word_ = true;
}

void ArpaText::word(std::string_view word) {
  out_ += first_word_ ? '\t' : ' ';
  out_ += word;
  first_word_ = false;
}

void ArpaText::backoff(float log_backoff) {
  out_ += '\t';
  number(log_backoff);
}

void ArpaText::end_ngram() {
  out_ += '\n';
  if (out_.size() < kPiece) return;
  sink_(out_);
  out_.clear();
}

void ArpaText::end() {
  out_ += "\n\\end\\\n";
  sink_(out_);
}

void ArpaText::number(float number) {
  char digits[24];
  // + 0: never "-0".
  out_.append(digits, std::to_chars(digits, digits + sizeof digits, number + 0.0f).ptr);
}

}  // namespace widl
