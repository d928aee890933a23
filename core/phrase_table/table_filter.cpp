#include "phrase_table/table_filter.hpp"

#include <algorithm>
#include <functional>

#include "errors.hpp"

namespace widl {

double TableFilter::rank(const StoredOption& option) const {
  double sum = 0;
  const std::vector<double>& weights = *criteria_.weights;
  const std::size_t first = option.probabilities.size();
  if (weights.size() > first + option.more.size()) throw InputError("damaged phrase-table entry: it has too few scores");
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += weights[i] * (i < first ? option.probabilities[i] : option.more[i - first]).log();
  return sum;
}

void TableFilter::select(std::span<const std::byte> value, SelectionTally& tally) {
  options_.clear();
  words_.clear();
  alignment_.clear();
  orientation_.clear();
  more_.clear();
  OptionReader reader(value, vocabulary_.size());
  // Use the table's precision: its 0.01 is a little less than the double 0.01.
  const double least_probability =
      criteria_.min_probability > 0 ? Probability::of(criteria_.min_probability).value() : 0;
  tally.pairs += reader.size();
  StoredOption stored;
  while (reader.next(stored)) {
    if (stored.probabilities[1].value() < least_probability) {
      ++tally.min_probability;
    } else if (stored.counts[2] < criteria_.min_count) {
      ++tally.min_count;
    } else {
      options_.push_back({stored, words_.size(), alignment_.size(), more_.size(), orientation_.size()});
      words_.insert(words_.end(), stored.words.begin(), stored.words.end());
      alignment_.insert(alignment_.end(), stored.alignment.begin(), stored.alignment.end());
      more_.insert(more_.end(), stored.more.begin(), stored.more.end());
      orientation_.insert(orientation_.end(), stored.orientation.begin(), stored.orientation.end());
    }
  }
  for (Option& option : options_) {
    option.stored.words = std::span(words_).subspan(option.words, option.stored.words.size());
    option.stored.alignment = std::span(alignment_).subspan(option.alignment, option.stored.alignment.size());
    option.stored.more = std::span(more_).subspan(option.more, option.stored.more.size());
    option.stored.orientation = std::span(orientation_).subspan(option.orientation, option.stored.orientation.size());
  }
  if (criteria_.limit == 0 || options_.size() <= criteria_.limit) return;
  const std::size_t dropped = options_.size() - criteria_.limit;
  tally.limit += dropped;
  if (!criteria_.weights) return options_.resize(criteria_.limit);
  ranks_.clear();
  for (const Option& option : options_) ranks_.push_back(rank(option.stored));
  std::vector<double> sorted = ranks_;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(criteria_.limit - 1), sorted.end(),
                   std::greater<>());
  const double least = sorted[criteria_.limit - 1];
  // Among options that tie with the last kept option, the first options are kept.
  auto equal = criteria_.limit - static_cast<std::size_t>(std::count_if(ranks_.begin(), ranks_.end(),
                                                                        [&](double r) { return r > least; }));
  std::size_t count = 0;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    if (ranks_[i] < least || (ranks_[i] == least && equal == 0)) continue;
    if (ranks_[i] == least) --equal;
    options_[count++] = options_[i];
  }
  options_.resize(count);
}

void TableFilter::count(std::span<const std::byte> value) {
  if (numbering_) throw InternalError("the first pass before the second");
  select(value, tally_);
  for (const Option& option : options_)
    for (WordId word : option.stored.words) ++uses_[word];
}

std::vector<std::string_view> TableFilter::words() {
  if (!numbering_) numbering_.emplace(vocabulary_, uses_);
  return numbering_->words();
}

std::size_t TableFilter::rewrite(std::span<const std::byte> value, std::string& bytes) {
  if (!numbering_) throw InternalError("the words before the second pass");
  SelectionTally ignored;
  select(value, ignored);
  if (options_.empty()) return 0;
  for (WordId& word : words_) word = (*numbering_)(word);
  ValueWriter writer(bytes, options_.size());
  for (const Option& option : options_) writer.add(option.stored);
  return options_.size();
}

}  // namespace widl
