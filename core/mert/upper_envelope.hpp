#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace widl {

/// A line of an upper envelope: the highest line from `from` to the begin of the next line.
struct EnvelopeLine {
  double from;
  std::uint32_t line;
};

/// Finds which of the lines y_i(γ) = intercepts[i] + γ · slopes[i] are highest somewhere (Och 2003, Eq. 6; the sweep by
/// slope follows Macherey et al. 2008), in O(n log n). Keeps its scratch space from call to call.
class UpperEnvelope {
 public:
  /// From left to right; the first line starts at -inf. Ties between equal lines go to the first, like in Moses' mert.
  std::span<const EnvelopeLine> find(std::span<const double> slopes, std::span<const double> intercepts);

 private:
  void keep_possible(std::span<const double> slopes, std::span<const double> intercepts);

  struct Line {
    double slope, intercept;
    std::uint32_t index;
  };
  std::vector<double> heights_;
  std::vector<std::uint32_t> possible_;
  std::vector<Line> lines_;
  std::vector<EnvelopeLine> envelope_;
  std::vector<Line> hull_;
};

}  // namespace widl
