#include "phrase_table/table_filter.hpp"

#include <algorithm>
#include <functional>

#include "errors.hpp"

namespace widl {

double TableFilter::rank(const StoredOption& option) const {
  double sum = 0;
  const std::vector<double>& weights = *criteria_.weights;
  const std::size_t first = option.probabilities.size();
  if (weights.size() > first + option.more.size())
    throw InputError("damaged phrase-table entry: it has too few scores");
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += weights[i] * (i < first ? option.probabilities[i] : option.more[i - first]).log();
  return sum;
}

void TableFilter::select_options(std::string_view value, SelectionTally& tally) {
  options_.clear();
  selected_.clear();
  OptionReader reader(value, vocabulary_.size());
  further_scores_ = reader.further_scores();
  // Use the table's precision: its 0.01 is a little less than the double 0.01.
  const double least_probability =
      criteria_.min_probability > 0 ? Probability::of(criteria_.min_probability).value() : 0;
  tally.pairs += reader.size();
  for (StoredOption stored; reader.next(stored);) {
    if (stored.probabilities[1].value() < least_probability) {
      ++tally.min_probability;
    } else if (stored.counts[2] < criteria_.min_count) {
      ++tally.min_count;
    } else {
      selected_.push_back(options_.size());
      options_.add(stored);
    }
  }
  if (criteria_.limit == 0 || options_.size() <= criteria_.limit) return;
  tally.limit += options_.size() - criteria_.limit;
  keep_best();
}

void TableFilter::keep_best() {
  if (!criteria_.weights) return selected_.resize(criteria_.limit);
  ranks_.clear();
  for (std::size_t i = 0; i < options_.size(); ++i) ranks_.push_back(rank(options_[i]));
  // Among options that tie with the last kept option, the first options are kept.
  std::ranges::stable_sort(selected_, std::greater(), [&](std::size_t i) { return ranks_[i]; });
  selected_.resize(criteria_.limit);
  std::ranges::sort(selected_);
}

void TableFilter::count(const PhraseBatch& batch) {
  if (numbering_) throw InternalError("the first pass has ended");
  for (std::size_t phrase = 0; phrase < batch.size(); ++phrase) {
    select_options(batch.value(phrase), tally_);
    for (std::size_t i : selected_)
      for (WordId word : options_.words(i)) ++uses_[word];
  }
}

std::vector<std::string_view> TableFilter::words() {
  if (!numbering_) numbering_.emplace(vocabulary_, uses_);
  return numbering_->words();
}

PhraseBatch TableFilter::select(const PhraseBatch& batch) {
  if (!numbering_) throw InternalError("the first pass has not ended; call words() first");
  SelectionTally ignored;
  PhraseBatch result;
  for (std::size_t phrase = 0; phrase < batch.size(); ++phrase) {
    select_options(batch.value(phrase), ignored);
    if (selected_.empty()) continue;
    ValueWriter writer(result.values, selected_.size(), further_scores_);
    for (std::size_t i : selected_) {
      for (WordId& word : options_.words(i)) word = (*numbering_)(word);
      writer.add(options_[i]);
    }
    result.keys += batch.key(phrase);
    result.end_phrase();
  }
  return result;
}

}  // namespace widl
