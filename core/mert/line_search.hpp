#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "mert/candidate_lists.hpp"
#include "mert/upper_envelope.hpp"
#include "metrics/metric.hpp"

namespace widl {

/// The best value of the metric on the line λ + γ · d.
struct LineOptimum {
  double step;   // the middle γ of the best interval
  double score;  // value of the metric there
};

struct LineSearchOptions {
  double lowest = -std::numeric_limits<double>::infinity();  // γ stays between these
  double highest = std::numeric_limits<double>::infinity();
  double min_width = 1e-4;  // narrower intervals are not chosen: rounding could move their middle outside
  double outer_step = 0.1;  // step beyond the last breakpoint into an unbounded interval
  /// Steps farther than this, in either direction, are ignored: nearly parallel lines cross anywhere.
  double reach = std::numeric_limits<double>::infinity();
};

/// The metric as a piecewise constant function of γ: scores[i] from thresholds[i] to thresholds[i + 1].
struct ErrorSurface {
  std::vector<double> thresholds, scores;
};

/// Och's exact line search over all sentences' candidates.
class LineSearch {
 public:
  LineSearch(const CandidateLists& lists, const Metric& metric) : lists_(lists), metric_(metric) {}

  /// `slopes`: d · h, `intercepts`: λ · h of every candidate. Ties between intervals go to the leftmost.
  LineOptimum search(std::span<const double> slopes, std::span<const double> intercepts,
                     const LineSearchOptions& options);

  ErrorSurface surface(std::span<const double> slopes, std::span<const double> intercepts, double lowest,
                       double highest);

 private:
  /// At `at`, a sentence's best candidate changes.
  struct Breakpoint {
    double at;
    std::uint32_t before, after;
  };
  void find_breakpoints(std::span<const double> slopes, std::span<const double> intercepts, double lowest,
                        double highest);
  /// Calls visit(left, right, score) for every interval of at least `min_width`, from left to right.
  template <class Visit>
  void sweep(double lowest, double highest, double min_width, Visit&& visit);

  const CandidateLists& lists_;
  const Metric& metric_;
  UpperEnvelope envelope_;
  std::vector<Breakpoint> breakpoints_;
  std::vector<double> totals_;
};

}  // namespace widl
