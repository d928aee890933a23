#include "phrase_table/moses_reordering.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "errors.hpp"
#include "expression/orientation.hpp"
#include "phrase_table/moses_text.hpp"

namespace widl {
namespace {

constexpr double kLeastLog = -100;

std::optional<Probability> read_score(std::string_view text) {
  double value;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value == 0) value = std::exp(kLeastLog);
  if (!Probability::is_one(value)) return std::nullopt;
  return Probability::of(value);
}

}  // namespace

const ReorderingLine& ReorderingLineParser::parse(std::string_view line) {
  std::array<std::string_view, 3> fields;
  std::size_t count = 0;
  for (std::size_t at = 0;; ++count) {
    const std::size_t bars = line.find(kBars, at);
    if (count < fields.size()) fields[count] = line.substr(at, std::min(bars, line.size()) - at);
    if (bars == std::string_view::npos) break;
    at = bars + kBars.size();
  }
  if (++count != fields.size())
    throw InputError("expected 3 fields between '|||', found " + std::to_string(count) +
                     "; a line is like 'f ||| e ||| 0.6 0.2 0.2 0.8 0.1 0.1'");
  line_.source = fields[0];
  line_.target = fields[1];
  split_words(line_.source, numbers_);
  if (numbers_.empty()) throw InputError("the source phrase has no words; remove the line");
  split_words(fields[2], numbers_);
  if (numbers_.size() != kReorderingScores)
    throw InputError("expected the 6 scores of msd-bidirectional-fe, the only reordering model that is read, found " +
                     std::to_string(numbers_.size()));
  line_.scores.clear();
  for (std::string_view number : numbers_) {
    const std::optional<Probability> score = read_score(number);
    if (!score) throw InputError("a score must be a probability, found '" + std::string(number) + "'");
    line_.scores.push_back(*score);
  }
  return line_;
}

void append_reordering_scores(std::string& text, std::span<const Probability> scores) {
  for (Probability score : scores) {
    append_number(text, score);
    text += ' ';
  }
}

}  // namespace widl
