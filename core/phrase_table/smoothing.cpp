#include "phrase_table/smoothing.hpp"

#include <algorithm>
#include <cmath>

namespace widl {

std::uint64_t PairsByCount::pairs() const {
  std::uint64_t sum = 0;
  for (auto [count, pairs] : pairs_) sum += pairs;
  return sum;
}

PhraseSmoothing::PhraseSmoothing(SmoothingMethod method, const PairsByCount& counts)
    : method_(method), pairs_(static_cast<double>(counts.pairs())) {
  if (method_ == SmoothingMethod::GoodTuring) fit_good_turing(counts);
  if (method_ == SmoothingMethod::KneserNey) estimate_discounts(counts);
}

double PhraseSmoothing::probability(std::uint32_t joint, std::uint32_t given_count, const PhraseTypes& given,
                              const PhraseTypes& predicted) const {
  const double total = given_count;
  if (method_ == SmoothingMethod::None) return joint / total;
  if (method_ == SmoothingMethod::GoodTuring) return adjusted(joint) / total;
  const double freed = discounts_[1] * given.singles + discounts_[2] * given.doubles +
                       discounts_[3] * (given.distinct - given.singles - given.doubles);
  // Rounding must not make it more than 1.
  return std::min(1.0, (joint - discount(joint)) / total + freed / total * (predicted.distinct / pairs_));
}

double PhraseSmoothing::adjusted(std::uint32_t count) const {
  const double r = count;
  return std::min(r, count < turing_.size() ? turing_[count] : r * std::pow(1 + 1 / r, exponent_));
}

void PhraseSmoothing::fit_good_turing(const PairsByCount& counts) {
  turing_ = {0};
  if (counts.size() < 2) return;
  // Least squares of ln Z_r on ln r.
  double n = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0, lower = 0;
  for (auto at = counts.begin(); at != counts.end(); ++at) {
    const double r = at->first;
    const auto after = std::next(at);
    const double higher = after == counts.end() ? 2 * r - lower : after->first;
    const double x = std::log(r), y = std::log(2 * static_cast<double>(at->second) / (higher - lower));
    n += 1, sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y;
    lower = r;
  }
  exponent_ = (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x) + 1;
  for (std::uint32_t count = 1;; ++count) {
    const double r = count, here = static_cast<double>(counts[count]), next = static_cast<double>(counts[count + 1]);
    if (here == 0 || next == 0) return;
    const double turing = (r + 1) * next / here, line = r * std::pow(1 + 1 / r, exponent_);
    if (std::abs(turing - line) <= 1.65 * std::sqrt((r + 1) * (r + 1) * next / (here * here) * (1 + next / here)))
      return;
    turing_.push_back(turing);
  }
}

void PhraseSmoothing::estimate_discounts(const PairsByCount& counts) {
  // In double precision, unlike those of language models, which have to be lmplz's.
  const double ones = static_cast<double>(counts[1]);
  const double y = ones / (ones + 2 * static_cast<double>(counts[2]));
  for (std::uint32_t r = 1; r <= 3; ++r) {
    discounts_[r] = r - (r + 1) * y * static_cast<double>(counts[r + 1]) / static_cast<double>(counts[r]);
    if (counts[r] == 0 || counts[r + 1] == 0 || discounts_[r] < 0 || discounts_[r] > r) {
      discounts_ = {0, 0.5, 1, 1.5};
      return;
    }
  }
}

}  // namespace widl
