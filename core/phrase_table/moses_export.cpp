#include "phrase_table/moses_export.hpp"

#include "errors.hpp"
#include "expression/orientation.hpp"
#include "phrase_table/moses_text.hpp"

namespace widl {
namespace {

constexpr std::string_view kSeparator = " ||| ";

}  // namespace

void MosesExporter::add(std::string_view phrase, std::span<const std::byte> value) {
  OptionReader reader(value, vocabulary_.size());
  StoredOption option;
  while (reader.next(option)) ++(append_option(phrase, option) ? pairs_ : left_out_);
}

/// Appends a line; returns false if it can't be written.
bool MosesExporter::append_option(std::string_view phrase, const StoredOption& option) {
  std::string target;
  for (WordId word : option.words) {
    if (!target.empty()) target += ' ';
    target += vocabulary_.word(word);
  }
  if (phrase.find(kBars) != std::string_view::npos || target.find(kBars) != std::string::npos) return false;
  (((text_ += phrase) += kSeparator) += target) += kSeparator;
  if (!is_reordering_) {
    append_scores_and_rest(text_, layout_, option);
  } else {
    if (option.orientation.size() != kReorderingScores)
      throw InputError("an option does not have the scores of the reordering model");
    append_reordering_scores(text_, option.orientation);
  }
  text_ += '\n';
  return true;
}

}  // namespace widl
