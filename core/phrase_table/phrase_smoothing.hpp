#pragma once

#include <array>
#include <cstdint>

namespace widl {

/// Number of distinct phrase pairs: all, and those occurring once, twice, three and four times.
struct PairsByCount {
  std::uint64_t all = 0;
  std::array<std::uint64_t, 4> with_count{};  // of count 1 first

  void add(std::uint32_t count) {
    ++all;
    if (count <= with_count.size()) ++with_count[count - 1];
  }
};

/// The distinct phrase pairs that a phrase is in: that occur once, that occur twice, and all.
struct PairsOfPhrase {
  std::uint32_t once = 0, twice = 0, all = 0;

  void add(std::uint32_t count) {
    once += count == 1;
    twice += count == 2;
    ++all;
  }
};

/// p(x|y) of phrase pairs from their counts c(x, y), where c(y) is the sum over all x, by modified, interpolated
/// Kneser-Ney smoothing (Foster, Kuhn & Johnson 2006):
///
///     p(x|y) = (c(x,y) - D(c(x,y))) / c(y) + a(y) b(x),
///     a(y) = (D(1) n_1(y) + D(2) n_2(y) + D(3) n_{3+}(y)) / c(y), n_r(y) the number of pairs of y with count r,
///     b(x) = distinct y' with x / all distinct pairs.
///
/// The sum over all x of the table is 1, including x unseen with y, which get a(y) b(x). D(r) = r - (r+1) Y N_{r+1} /
/// N_r for r = 1, 2 and 3 (for 3 and more), Y = N_1 / (N_1 + 2 N_2), N_r pairs having count r (Chen & Goodman 1998); or
/// 0.5, 1 and 1.5 if some N_r is zero or a D is outside [0, r]. Tables hold it rounded.
class PhraseSmoothing {
 public:
  explicit PhraseSmoothing(const PairsByCount& pairs);

  /// p(x|y) of a pair that occurs `joint` times. y is `given`, which occurs `given_count` times; x is `predicted`.
  double probability(std::uint32_t joint, std::uint32_t given_count, const PairsOfPhrase& given,
                     const PairsOfPhrase& predicted) const;

 private:
  std::array<double, 3> discounts_;  // D(1), D(2), D(3)
  double pairs_;
};

}  // namespace widl
