#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace widl {

enum class SmoothingMethod { None, GoodTuring, KneserNey };

/// How many distinct phrase pairs occur once, twice, …
class PairsByCount {
 public:
  void add(std::uint32_t count, std::uint64_t pairs = 1) { pairs_[count] += pairs; }
  void add(const PairsByCount& other) {
    for (auto [count, pairs] : other.pairs_) pairs_[count] += pairs;
  }
  /// 0 for a count that no pair has.
  std::uint64_t operator[](std::uint32_t count) const {
    auto found = pairs_.find(count);
    return found == pairs_.end() ? 0 : found->second;
  }
  std::uint64_t pairs() const;
  auto begin() const { return pairs_.begin(); }  // (count, pairs), by rising count
  auto end() const { return pairs_.end(); }
  std::size_t size() const { return pairs_.size(); }

 private:
  std::map<std::uint32_t, std::uint64_t> pairs_;
};

/// The distinct phrase pairs that a phrase is in: with count 1, with count 2, and all.
struct PhraseTypes {
  std::uint32_t singles = 0, doubles = 0, distinct = 0;

  void add(std::uint32_t joint) {
    singles += joint == 1;
    doubles += joint == 2;
    ++distinct;
  }
};

/// p(x|y) of phrase pairs from their joint counts c(x, y), where c(y) is the sum over all x. With N_r the number of
/// distinct pairs of count r (Foster, Kuhn & Johnson 2006):
///
/// None        p(x|y) = c(x,y) / c(y), which sums to 1 over the pairs of y.
///
/// GoodTuring  p(x|y) = r* / c(y), r = c(x,y). r* is Simple Good-Turing (Gale & Sampson 1995), without their
///             last step, the renormalisation: Turing's (r+1) N_{r+1} / N_r as long as it differs significantly
///             (1.65 standard deviations) from r (1 + 1/r)^(b+1), and the latter from the first r on where it
///             doesn't; b is the slope of the line through (ln r, ln Z_r), where Z_r = 2 N_r / (r" - r') spreads N_r
///             over the gap between the next lower and higher counts. Never more than r. Where there are not two
///             different counts to fit a line to, r* = r. As in Moses, the sum over the pairs of y falls short of 1
///             by what its own pairs lose, which is the share of unseen pairs; the paper instead divides by
///             sum r* + p(y) N_1.
///
/// KneserNey   p(x|y) = (c(x,y) - D(c(x,y))) / c(y) + a(y) b(x), modified, interpolated:
///             a(y) = (D(1) n_1(y) + D(2) n_2(y) + D(3) n_{3+}(y)) / c(y), n_r(y) pairs of y having count r;
///             b(x) = distinct y' with x / all distinct pairs. Summed over all x of the table, those unseen with
///             y included at a(y) b(x), it is 1; over the pairs of y it is 1 - a(y) (1 - sum of their b(x)).
///             D(r) = r - (r+1) Y N_{r+1} / N_r for r = 1, 2 and 3 (for 3 and more), Y = N_1 / (N_1 + 2 N_2)
///             (Chen & Goodman 1998), or 0.5, 1 and 1.5 where some N_r is zero or a D outside of [0, r]. Moses'
///             consolidate takes D(c(x,y)) for all pairs of y in a(y), which doesn't sum to 1.
class PhraseSmoothing {
 public:
  PhraseSmoothing() = default;
  PhraseSmoothing(SmoothingMethod method, const PairsByCount& counts);

  /// p(x|y) of a pair that occurs `joint` times; `given` and `predicted` are y and x, needed by KneserNey only.
  double probability(std::uint32_t joint, std::uint32_t given_count, const PhraseTypes& given,
                     const PhraseTypes& predicted) const;

  /// r*, after GoodTuring.
  double adjusted(std::uint32_t count) const;

 private:
  void fit_good_turing(const PairsByCount& counts);
  void estimate_discounts(const PairsByCount& counts);
  double discount(std::uint32_t count) const { return discounts_[count < 3 ? count : 3]; }

  SmoothingMethod method_ = SmoothingMethod::None;
  double exponent_ = 0;         // b + 1
  std::vector<double> turing_;  // Turing's estimates r*, by r, up to where they end
  std::array<double, 4> discounts_{};
  double pairs_ = 0;
};

}  // namespace widl
