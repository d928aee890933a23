#include "lm/discounts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "lm/training_text.hpp"

namespace widl {

namespace {

Discounts with_scaled(Discounts discounts) {
  for (unsigned j = 1; j <= 3; ++j)
    discounts.scaled[j] =
        static_cast<std::uint64_t>(std::llround(static_cast<double>(discounts.amount[j]) * Discounts::kScale));
  return discounts;
}

}  // namespace

Discounts estimate_discounts(const CountsOfCounts& with_count) {
  const Discounts fallen_back = with_scaled({{0, 0.5f, 1, 1.5f}, {}, true});
  Discounts result;
  const float y = static_cast<float>(with_count[1]) /
                  static_cast<float>(static_cast<double>(with_count[1]) + 2.0 * static_cast<double>(with_count[2]));
  for (unsigned j = 1; j <= 3; ++j) {
    if (with_count[j] == 0) return fallen_back;
    const auto count = static_cast<float>(j);
    result.amount[j] =
        count - (count + 1) * y * static_cast<float>(with_count[j + 1]) / static_cast<float>(with_count[j]);
    if (result.amount[j] < 0 || result.amount[j] > count) return fallen_back;
  }
  return with_scaled(result);
}

float log10_of(double probability) {
  return static_cast<float>(probability > 1e-99 ? std::min(0.0, std::log10(probability)) : -99.0);
}

std::vector<double> unigram_probs(const std::vector<std::uint32_t>& counts, const std::vector<bool>& is_kept,
                                  const Discounts& discounts) {
  ContextTotals empty;
  for (std::size_t word = 0; word < counts.size(); ++word)
    empty.add(counts[word], counts[word] == 0 || is_kept[word], discounts);
  const auto size = static_cast<double>(std::count(is_kept.begin(), is_kept.end(), true) - 1);
  const double uniform = empty.backoff() / size;
  std::vector<double> probs(counts.size());
  for (std::size_t word = 0; word < counts.size(); ++word)
    probs[word] = empty.undiscounted(counts[word], discounts) + uniform;
  probs[kSentenceBegin] = 1;  // its log-probability 0 changes no sentence's score
  return probs;
}

}  // namespace widl
