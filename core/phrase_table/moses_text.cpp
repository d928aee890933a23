#include "phrase_table/moses_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <system_error>

#include "decimal_text.hpp"
#include "errors.hpp"

namespace widl {
namespace {

constexpr std::string_view kBars = "|||";  // between two fields of a line
constexpr std::string_view kSeparator = " ||| ";
constexpr std::string_view kSpace = " \t\n\v\f\r";
constexpr double kMinScore = 3.720075976020836e-44;  // e^-100
// Maps the order p(f|e), p(e|f), lex(f|e), lex(e|f) to positions in the text, and vice versa.
constexpr std::array<std::size_t, 4> kMosesOrder = {0, 2, 1, 3};

/// Splits at ASCII white space.
void split_words(std::string_view text, std::vector<std::string_view>& words) {
  words.clear();
  for (std::size_t at = text.find_first_not_of(kSpace); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kSpace, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kSpace, end);
  }
}

bool read_number(std::string_view text, double& number) {
  const std::optional<double> value = decimal<double>(text);
  number = value.value_or(0);
  return value && std::isfinite(number);
}

/// Reads digits from the start of `text` and removes them.
bool take_position(std::string_view& text, std::uint32_t& position) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// Storage slot of the score at a position of the text, given the number of scores. Slots from 4 on hold the further
/// scores.
std::size_t slot_of(std::size_t at, std::size_t scores) {
  return scores < kMosesOrder.size() || at >= kMosesOrder.size() ? at : kMosesOrder[at];
}

/// Whether the source side belongs to a rule for chart decoding: it ends with the rule's own nonterminal [X], or
/// contains two adjacent nonterminals, as in "[X][X] rot [X]".
bool is_hierarchical(const std::vector<std::string_view>& source) {
  return source.back() == "[X]" ||
         std::ranges::any_of(source, [](std::string_view word) { return word.find("[X][") != std::string_view::npos; });
}

void append_scores(std::string& text, const MosesLayout& layout, const StoredOption& option) {
  for (std::size_t at = 0; at < layout.scores; ++at) {
    const std::size_t slot = slot_of(at, layout.scores), further = slot - option.probabilities.size();
    if (slot >= option.probabilities.size() && further >= option.more.size())
      throw InputError("damaged phrase-table entry: it has too few scores");
    if (at > 0) text += ' ';
    append_number(text, slot < option.probabilities.size() ? option.probabilities[slot] : option.more[further]);
  }
}

/// Appends the scores and the following fields of an option's line.
void append_scores_and_rest(std::string& text, const MosesLayout& layout, const StoredOption& option) {
  append_scores(text, layout, option);
  if (!layout.has_alignment()) return;
  text += " |||";
  if (option.alignment.empty()) text += ' ';
  for (AlignmentPoint point : option.alignment) {
    text += ' ';
    ((text += std::to_string(point.source)) += '-') += std::to_string(point.target);
  }
  if (!layout.has_counts()) return;
  text += " |||";
  for (std::uint32_t count : option.counts) (text += ' ') += std::to_string(count);
  text += " ||| |||";
}

void append_reordering_scores(std::string& text, const StoredOption& option) {
  if (option.orientation.size() != kReorderingScores)
    throw InputError("an option does not have the scores of the reordering model");
  for (Probability score : option.orientation) {
    append_number(text, score);
    text += ' ';
  }
}

}  // namespace

/// Splits a line into its fields, and the first two into words.
void MosesLineParser::split_fields(std::string_view line, std::size_t least, std::size_t most, const char* expected,
                                   const char* example) {
  fields_.clear();
  for (std::size_t at = 0;;) {
    const std::size_t bars = line.find(kBars, at);
    fields_.push_back(line.substr(at, std::min(bars, line.size()) - at));
    if (bars == std::string_view::npos) break;
    at = bars + kBars.size();
  }
  if (fields_.size() < least || fields_.size() > most)
    throw InputError(std::string("expected ") + expected + " fields between '|||', found " +
                     std::to_string(fields_.size()) + "; a line is like '" + example + "'");
  split_words(fields_[0], line_.source);
  split_words(fields_[1], line_.target);
  if (line_.source.empty()) throw InputError("the source phrase has no words; remove the line");
  for (const auto* words : {&line_.source, &line_.target})
    if (words->size() > kMaxPhraseWords) throw InputError("a phrase has more than 65535 words");
}

const MosesLine& MosesLineParser::parse(std::string_view line) {
  split_fields(line, 3, 7, "3 to 7", "f ||| e ||| 0.5 0.1 0.5 0.1 ||| 0-0 ||| 2 2 1");
  line_.fields = static_cast<std::uint32_t>(std::min<std::size_t>(fields_.size(), 5));
  if (is_hierarchical(line_.source))
    throw InputError("a hierarchical rule; phrase tables have no nonterminals like [X]");
  parse_scores(fields_[2]);
  parse_alignment(fields_.size() > 3 ? fields_[3] : std::string_view());
  parse_counts(fields_.size() > 4 ? fields_[4] : std::string_view());
  return line_;
}

const MosesLine& MosesLineParser::parse_reordering(std::string_view line) {
  split_fields(line, 3, 3, "3", "f ||| e ||| 0.6 0.2 0.2 0.8 0.1 0.1");
  split_words(fields_[2], numbers_);
  if (numbers_.size() != kReorderingScores)
    throw InputError("expected the 6 scores of msd-bidirectional-fe, the only reordering model that is read, found " +
                     std::to_string(numbers_.size()));
  line_.orientation.clear();
  for (std::string_view number : numbers_) {
    double value;
    if (!read_number(number, value) || value < 0 || value > 1)
      throw InputError("a score must be a probability, found '" + std::string(number) + "'");
    line_.orientation.push_back(Probability::of(value > 0 ? value : kMinScore));
  }
  return line_;
}

void MosesLineParser::parse_scores(std::string_view field) {
  split_words(field, numbers_);
  const std::size_t count = numbers_.size();
  if (count == 0 || count > kMaxScores)
    throw InputError("expected 1 to " + std::to_string(kMaxScores) + " scores, found " + std::to_string(count));
  if (scores_ == 0) scores_ = static_cast<std::uint32_t>(count);
  if (count != scores_)
    throw InputError("expected " + std::to_string(scores_) + " scores, " +
                     (named_ ? "as many as were named" : "as on line 1") + ", found " + std::to_string(count));
  line_.probabilities = {};
  line_.more.assign(count - std::min(count, line_.probabilities.size()), Probability());
  for (std::size_t at = 0; at < count; ++at) {
    const std::size_t slot = slot_of(at, count);
    Probability& probability =
        slot < line_.probabilities.size() ? line_.probabilities[slot] : line_.more[slot - line_.probabilities.size()];
    probability = read_score(at);
  }
}

Probability MosesLineParser::read_score(std::size_t at) const {
  double value;
  const bool is_number = read_number(numbers_[at], value);
  if (is_number && value == 0) return Probability::of(kMinScore);
  if (!is_number || !Probability::holds(value))
    throw InputError("score " + std::to_string(at + 1) + " must be a number from 0 on, found '" +
                     std::string(numbers_[at]) + "'");
  return Probability::of(value);
}

void MosesLineParser::parse_alignment(std::string_view field) {
  line_.alignment.clear();
  split_words(field, numbers_);
  for (std::string_view text : numbers_) {
    std::string_view left = text;
    std::uint32_t source, target;
    const bool well_formed = take_position(left, source) && left.starts_with('-') &&
                             (left.remove_prefix(1), take_position(left, target)) && left.empty();
    if (!well_formed) throw InputError("expected alignment points like 0-3, found '" + std::string(text) + "'");
    if (source >= line_.source.size() || target >= line_.target.size())
      throw InputError("alignment point " + std::string(text) + " is outside the phrases of " +
                       std::to_string(line_.source.size()) + " and " + std::to_string(line_.target.size()) + " words");
    line_.alignment.push_back({static_cast<std::uint16_t>(source), static_cast<std::uint16_t>(target)});
  }
}

void MosesLineParser::parse_counts(std::string_view field) {
  line_.counts = {};
  split_words(field, numbers_);
  if (numbers_.empty()) return;
  if (numbers_.size() < 2 || numbers_.size() > 3) {
    const std::string_view first = numbers_.front(), last = numbers_.back();
    throw InputError("expected the counts of e, of f and of both, found '" +
                     std::string(first.data(), last.data() + last.size()) + "'");
  }
  std::array<double, 3> counts{};
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const bool good = read_number(numbers_[i], counts[i]) && counts[i] >= 0;
    if (!good || counts[i] > std::numeric_limits<std::uint32_t>::max())
      throw InputError("expected a count from 0 to 4294967295, found '" + std::string(numbers_[i]) + "'");
  }
  // Older tables omit the joint count.
  if (numbers_.size() == 2) counts[2] = counts[1] * line_.probabilities[1].value();
  for (std::size_t i = 0; i < 3; ++i) line_.counts[i] = static_cast<std::uint32_t>(std::llround(counts[i]));
}

std::string MosesExporter::text(const PhraseBatch& batch) {
  std::string text;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    OptionReader reader(batch.value(i), vocabulary_.size());
    for (StoredOption option; reader.next(option);) ++(append_option(text, batch.key(i), option) ? pairs_ : left_out_);
  }
  return text;
}

/// Appends a line; returns false if it can't be written.
bool MosesExporter::append_option(std::string& text, std::string_view phrase, const StoredOption& option) const {
  std::string target;
  for (WordId word : option.words) {
    if (!target.empty()) target += ' ';
    target += vocabulary_.word(word);
  }
  if (phrase.find(kBars) != std::string_view::npos || target.find(kBars) != std::string::npos) return false;
  (((text += phrase) += kSeparator) += target) += kSeparator;
  if (is_reordering_)
    append_reordering_scores(text, option);
  else
    append_scores_and_rest(text, layout_, option);
  text += '\n';
  return true;
}

}  // namespace widl
