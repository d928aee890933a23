#include "phrase_table/table_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace widl {
namespace {

std::size_t decade(Probability probability) {
  // Use the table's precision: its 0.01 is a little less than the double 0.01.
  static constexpr std::array<float, TableStatistics::kDecades - 2> kBounds = {1e-1F, 1e-2F, 1e-3F, 1e-4F, 1e-5F,
                                                                               1e-6F, 1e-7F, 1e-8F, 1e-9F, 1e-10F};
  const double value = probability.value();
  if (value >= 1) return 0;
  const auto below = std::find_if(kBounds.begin(), kBounds.end(), [&](float bound) { return value >= bound; });
  return static_cast<std::size_t>(below - kBounds.begin()) + 1;
}

}  // namespace

void TableStatistics::add(const PhraseBatch& batch) {
  for (std::size_t i = 0; i < batch.size(); ++i)
    add_phrase(1 + static_cast<std::size_t>(std::ranges::count(batch.key(i), ' ')), batch.value(i));
}

void TableStatistics::add_phrase(std::size_t source_words, std::string_view value) {
  OptionReader reader(value);
  ++source_phrases;
  ++source_lengths[source_words];
  ++options[reader.size()];
  pairs += reader.size();
  StoredOption option;
  double sum = 0, sum_of_logs = 0, count = 0;
  while (reader.next(option)) {
    ++target_lengths[option.words.size()];
    links += option.alignment.size();
    ++counts[option.counts[2]];
    count = option.counts[1];
    for (std::size_t i = 0; i < 4; ++i) ++probabilities[i][decade(option.probabilities[i])];
    if (probabilities.size() < 4 + option.more.size()) probabilities.resize(4 + option.more.size());
    for (std::size_t i = 0; i < option.more.size(); ++i) ++probabilities[4 + i][decade(option.more[i])];
    const double p = option.probabilities[1].value();
    sum += p;
    sum_of_logs += p * std::log2(p);
  }
  // -sum (p/s) log2 (p/s) = log2 s - (sum p log2 p) / s
  const double h = sum > 0 ? std::max(std::log2(sum) - sum_of_logs / sum, 0.0) : 0;
  entropy += h;
  weighted_entropy += count * h;
  weight += count;
}

}  // namespace widl
