#pragma once

#include <limits>
#include <span>
#include <vector>

#include "mert/candidate_lists.hpp"
#include "mert/line_search.hpp"
#include "metrics/metric.hpp"

namespace widl {

struct OptimizerOptions {
  std::vector<double> lower, upper;  // of each weight
  double min_gain = 0.001;           // a smaller gain ends an ascent
  double min_width = 1e-4;           // see LineSearchOptions
  double outer_step = 0.1;
  double reach = std::numeric_limits<double>::infinity();
  unsigned max_rounds = 100;  // 0: only the starting points are scored
  unsigned threads = 1;
};

/// The allowed steps along a direction.
struct StepRange {
  double lowest, highest;
};

/// The steps from the weights along the direction that keep all weights within their bounds.
StepRange within_bounds(std::span<const double> weights, std::span<const double> direction,
                        std::span<const double> lower, std::span<const double> upper);

/// Climbs from one start point to a local maximum.
struct Ascent {
  std::vector<double> weights;
  double start_score, score;
  unsigned rounds;  // steps taken
};

/// Minimum error rate training (Och 2003) from each of some starting points: every round searches the line of every
/// direction exactly and takes the best step. A step is accepted only after the candidates chosen by the new weights
/// have been scored, which checks the gain that the sweep promises. The result does not depend on the number of
/// threads.
///
/// `starts[i]` ascends along `directions[i]`; both hold vectors with one number per feature.
std::vector<Ascent> optimize(const CandidateLists& lists, const Metric& metric,
                             const std::vector<std::vector<double>>& starts,
                             const std::vector<std::vector<std::vector<double>>>& directions,
                             const OptimizerOptions& options);

}  // namespace widl
