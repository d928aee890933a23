#pragma once

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

namespace widl {

/// Treatment of n-gram orders without a match; sacrebleu's names.
enum class Smoothing { None, Floor, AddK, Exponential };

/// Corpus BLEU of (matches of order 1..N, n-grams of order 1..N, length, reference length), in points.
struct BleuTerm {
  std::size_t max_order = 4;
  Smoothing smoothing = Smoothing::Exponential;
  double smooth_value = 0;  // the count that Floor and AddK add
};

/// chrF of (n-grams of the candidate, of the reference, matches) for each order, characters before words.
struct ChrfTerm {
  std::size_t orders = 6;
  double beta = 2;
};

/// 100 · s0 / s1: TER of (edits, reference words), or the mean of (value, 1). If s1 is 0, the value is 100 for any
/// nonzero s0.
struct RatioTerm {};

/// The objective of tuning: a linear combination of corpus metrics, each a function of statistics that are summed over
/// the corpus. All metrics are in points, 0 to 100.
class Metric {
 public:
  void add(double coefficient, const std::variant<BleuTerm, ChrfTerm, RatioTerm>& term);

  /// Number of statistics of a candidate, in the order in which the terms were added.
  std::size_t statistics() const { return statistics_; }
  std::size_t terms() const { return terms_.size(); }

  double score(std::span<const double> totals) const;

  /// The value of one term, without its coefficient.
  double term(std::size_t index, std::span<const double> totals) const;

 private:
  struct Term {
    double coefficient;
    std::size_t offset;
    std::variant<BleuTerm, ChrfTerm, RatioTerm> metric;
  };

  double value(const Term& term, std::span<const double> totals) const;
  double bleu(const BleuTerm& term, std::span<const double> totals) const;
  double log(double x) const;

  std::vector<Term> terms_;
  std::size_t statistics_ = 0;
  std::vector<double> logs_;  // of integers: a sweep computes BLEU at every breakpoint
};

}  // namespace widl
