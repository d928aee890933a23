#include "phrase_table/moses_export.hpp"

#include <algorithm>
#include <utility>

#include "errors.hpp"
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

std::string MosesExporter::format(std::string_view phrase, std::span<const std::byte> value) {
  OptionReader reader(value, vocabulary_.size());
  const bool bars = phrase.find(kBars) != std::string_view::npos;
  std::size_t count = 0;
  StoredOption option;
  while (reader.next(option)) {
    if (count == lines_.size()) lines_.emplace_back();
    std::string& line = lines_[count];
    line.clear();
    for (WordId word : option.words) {
      if (!line.empty()) line += ' ';
      line += vocabulary_.word(word);
    }
    if (bars || line.find(kBars) != std::string::npos) {
      ++left_out_;
      continue;
    }
    line += kSeparator;
    append_scores_and_rest(line, layout_, option);
    line += '\n';
    ++count;
  }
  pairs_ += count;
  std::sort(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(count));
  std::string text;
  for (std::size_t i = 0; i < count; ++i) ((text += phrase) += kSeparator) += lines_[i];
  return text;
}

}  // namespace widl
