#include "mert/candidate_lists.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "errors.hpp"
#include "expression/number.hpp"

namespace widl {
namespace {

bool is_rounding(double low, double high) {
  return low != high && high - low <= CandidateLists::kPrecision * std::max(std::abs(low), std::abs(high));
}

/// Replaces values that differ only by rounding with the least of them. `sorted` is scratch space.
void unify(std::span<double> values, std::vector<double>& sorted) {
  sorted.assign(values.begin(), values.end());
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted, is_rounding) == sorted.end()) return;
  for (double& value : values) {
    auto at = std::ranges::lower_bound(sorted, value);
    while (at != sorted.begin() && (*std::prev(at) == *at || is_rounding(*std::prev(at), *at))) --at;
    value = *at;
  }
}

}  // namespace

CandidateLists::CandidateLists(std::span<const double> features, std::span<const double> statistics,
                               std::vector<std::size_t> begins)
    : begins_(std::move(begins)), statistics_(statistics.begin(), statistics.end()) {
  if (begins_.size() < 2 || begins_.front() != 0) throw InputError("no candidates to tune on");
  for (std::size_t s = 0; s < sentences(); ++s)
    if (begin(s) >= end(s)) throw InputError("sentence " + std::to_string(s) + " has no candidates");
  const std::size_t n = candidates();
  if (features.size() % n != 0 || statistics.size() % n != 0)
    throw InternalError("candidates, their features and their statistics differ in number");
  features_per_candidate_ = features.size() / n;
  statistics_per_candidate_ = statistics.size() / n;
  features_.resize(features.size());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t f = 0; f < features_per_candidate_; ++f)
      features_[f * n + i] = features[i * features_per_candidate_ + f];
  std::vector<double> sorted;
  for (std::size_t f = 0; f < features_per_candidate_; ++f) {
    const std::span<double> column = std::span(features_).subspan(f * n, n);
    for (const double value : column)
      if (!(std::abs(value) <= kMaxFeature))
        throw InputError("a candidate's feature is " + rounded(value) + "; at most " + rounded(kMaxFeature) +
                         " is possible, either way");
    for (std::size_t s = 0; s < sentences(); ++s) unify(column.subspan(begin(s), end(s) - begin(s)), sorted);
  }
}

std::vector<double> CandidateLists::rows() const {
  std::vector<double> rows(features_.size());
  for (std::size_t f = 0; f < features(); ++f)
    for (std::size_t i = 0; i < candidates(); ++i) rows[i * features() + f] = features_[f * candidates() + i];
  return rows;
}

void CandidateLists::dot(std::span<const double> weights, std::vector<double>& scores) const {
  scores.assign(candidates(), 0);
  for (std::size_t f = 0; f < weights.size(); ++f) {
    if (weights[f] == 0) continue;
    const double weight = weights[f];
    const double* column = feature(f).data();
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += weight * column[i];
  }
}

std::vector<std::size_t> CandidateLists::best(std::span<const double> weights) const {
  std::vector<double> scores;
  dot(weights, scores);
  std::vector<std::size_t> chosen(sentences());
  for (std::size_t s = 0; s < sentences(); ++s) {
    const auto first = scores.begin() + static_cast<std::ptrdiff_t>(begin(s));
    const auto last = scores.begin() + static_cast<std::ptrdiff_t>(end(s));
    chosen[s] = static_cast<std::size_t>(std::max_element(first, last) - scores.begin());
  }
  return chosen;
}

double CandidateLists::score(const Metric& metric, std::span<const double> weights) const {
  return metric.score(totals(best(weights)));
}

std::vector<double> CandidateLists::totals(std::span<const std::size_t> chosen) const {
  std::vector<double> sums(statistics(), 0.0);
  for (std::size_t candidate : chosen) {
    const auto statistics = statistics_of(candidate);
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += statistics[k];
  }
  return sums;
}

}  // namespace widl
