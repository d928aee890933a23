#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "metrics/metric.hpp"

namespace widl {

/// The candidates of all sentences: features h and statistics of each. Stored feature by feature, because a
/// coordinate's line search reads one feature of all candidates.
class CandidateLists {
 public:
  /// Larger features would overflow at line crossings.
  static constexpr double kMaxFeature = 1e100;
  /// Values of a feature with a smaller relative difference are equal: they are sums in different orders.
  static constexpr double kPrecision = 1e-12;

  /// `features` and `statistics` hold a row for each candidate; sentence s has candidates [begins[s], begins[s + 1]).
  /// Features of a sentence's candidates that differ only by rounding become equal.
  /// InputError for a sentence without candidates, and for features that are too large.
  CandidateLists(std::span<const double> features, std::span<const double> statistics, std::vector<std::size_t> begins);

  std::size_t sentences() const { return begins_.size() - 1; }
  std::size_t candidates() const { return begins_.back(); }
  std::size_t features() const { return features_per_candidate_; }
  std::size_t statistics() const { return statistics_per_candidate_; }

  std::size_t begin(std::size_t sentence) const { return begins_[sentence]; }
  std::size_t end(std::size_t sentence) const { return begins_[sentence + 1]; }

  /// A row for each candidate.
  std::vector<double> rows() const;
  /// One feature of all candidates.
  std::span<const double> feature(std::size_t index) const {
    return std::span(features_).subspan(index * candidates(), candidates());
  }
  std::span<const double> statistics_of(std::size_t candidate) const {
    return std::span(statistics_).subspan(candidate * statistics(), statistics());
  }

  /// λ · h of every candidate.
  void dot(std::span<const double> weights, std::vector<double>& scores) const;

  /// The best candidate of each sentence; ties go to the first.
  std::vector<std::size_t> best(std::span<const double> weights) const;

  /// The metric of the best candidates of all sentences.
  double score(const Metric& metric, std::span<const double> weights) const;

  /// Sums of the statistics of some candidates.
  std::vector<double> totals(std::span<const std::size_t> chosen) const;

 private:
  std::vector<std::size_t> begins_;
  std::size_t features_per_candidate_, statistics_per_candidate_;
  std::vector<double> features_;    // feature by feature
  std::vector<double> statistics_;  // candidate by candidate
};

}  // namespace widl
