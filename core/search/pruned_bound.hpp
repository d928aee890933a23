#pragma once

#include <algorithm>
#include <limits>

namespace widl {

/// An upper bound on the score of every derivation that a step of a search pruned.
///
/// Every step that may prune, or that a budget may interrupt, returns a PrunedBound. The certificate's bound is the
/// largest of them. Code that drops it does not compile.
class [[nodiscard]] PrunedBound {
 public:
  /// The step pruned no derivation.
  static PrunedBound none() { return PrunedBound(-std::numeric_limits<double>::infinity()); }
  static PrunedBound up_to(double bound) { return PrunedBound(bound); }

  double value() const { return value_; }
  PrunedBound& operator+=(PrunedBound other) {
    value_ = std::max(value_, other.value_);
    return *this;
  }

 private:
  explicit PrunedBound(double value) : value_(value) {}
  double value_;
};

}  // namespace widl
