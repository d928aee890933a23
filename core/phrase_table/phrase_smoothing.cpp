#include "phrase_table/phrase_smoothing.hpp"

#include <algorithm>
#include <cstddef>

namespace widl {
namespace {

// In double precision, unlike the discounts of language models, which have to match lmplz.
std::array<double, 3> discounts(const PairsByCount& pairs) {
  const auto n = [&](std::size_t r) { return static_cast<double>(pairs.with_count[r - 1]); };
  const double y = n(1) / (n(1) + 2 * n(2));
  std::array<double, 3> result;
  for (std::size_t r = 1; r <= 3; ++r) {
    const double count = static_cast<double>(r), discount = count - (count + 1) * y * n(r + 1) / n(r);
    if (n(r) == 0 || n(r + 1) == 0 || discount < 0 || discount > count) return {0.5, 1, 1.5};
    result[r - 1] = discount;
  }
  return result;
}

}  // namespace

PhraseSmoothing::PhraseSmoothing(const PairsByCount& pairs)
    : discounts_(discounts(pairs)), pairs_(static_cast<double>(pairs.all)) {}

double PhraseSmoothing::probability(std::uint32_t joint, std::uint32_t given_count, const PairsOfPhrase& given,
                                    const PairsOfPhrase& predicted) const {
  const double total = given_count;
  const double freed =
      discounts_[0] * given.once + discounts_[1] * given.twice + discounts_[2] * (given.all - given.once - given.twice);
  const double discount = discounts_[std::min(joint, 3u) - 1];
  // Rounding must not make it more than 1.
  return std::min(1.0, (joint - discount) / total + freed / total * (predicted.all / pairs_));
}

}  // namespace widl
