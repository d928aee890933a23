#include "phrase_table/moses_export.hpp"

#include <algorithm>
#include <utility>

#include "errors.hpp"
#include "expression/orientation.hpp"
#include "phrase_table/moses_text.hpp"

namespace widl {
namespace {

constexpr std::string_view kSeparator = " ||| ";

/// Whether the lines of `a` come before those of `b`.
bool line_before(std::string_view a, std::string_view b) {
  const std::size_t common = std::min(a.size(), b.size());
  if (int order = a.substr(0, common).compare(b.substr(0, common))) return order < 0;
  if (a.size() < b.size()) return kSeparator.compare(b.substr(common)) < 0;
  return a.substr(common).compare(kSeparator) < 0;
}

}  // namespace

void MosesExporter::add(std::string_view phrase, std::span<const std::byte> value) {
  if (!pending_.empty() && phrase <= pending_.back().phrase) throw InternalError("phrases in order");
  while (!pending_.empty() && line_before(pending_.back().phrase, phrase)) {
    text_ += pending_.back().lines;
    pending_.pop_back();
  }
  pending_.push_back({std::string(phrase), format(phrase, value)});
}

void MosesExporter::finish() {
  for (; !pending_.empty(); pending_.pop_back()) text_ += pending_.back().lines;
}

/// A line without the source phrase and the first separator; false for one that can't be written.
bool MosesExporter::format_option(std::string_view phrase, const StoredOption& option, std::string& line) {
  line.clear();
  for (WordId word : option.words) {
    if (!line.empty()) line += ' ';
    line += vocabulary_.word(word);
  }
  if (phrase.find(kBars) != std::string_view::npos || line.find(kBars) != std::string::npos) return false;
  line += kSeparator;
  if (!is_reordering_) {
    append_scores_and_rest(line, layout_, option);
  } else {
    if (option.orientation.size() != kReorderingScores)
      throw InputError("an option does not have the scores of the reordering model");
    append_reordering_scores(line, option.orientation);
  }
  line += '\n';
  return true;
}

std::string MosesExporter::format(std::string_view phrase, std::span<const std::byte> value) {
  OptionReader reader(value, vocabulary_.size());
  std::size_t count = 0;
  StoredOption option;
  while (reader.next(option)) {
    if (count == lines_.size()) lines_.emplace_back();
    if (format_option(phrase, option, lines_[count])) ++count;
    else ++left_out_;
  }
  pairs_ += count;
  std::sort(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(count));
  std::string text;
  for (std::size_t i = 0; i < count; ++i) ((text += phrase) += kSeparator) += lines_[i];
  return text;
}

}  // namespace widl
