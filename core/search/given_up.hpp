#pragma once

#include <algorithm>
#include <limits>

namespace widl {

/// What a step of a search leaves aside: no derivation among it scores more than `bound`.
///
/// Every step that may leave something aside, or be interrupted by a budget, returns one, and the certificate's bound is
/// the largest of them: what a step forgets to say does not compile.
class [[nodiscard]] GivenUp {
 public:
  /// The only way to say that nothing was.
  static GivenUp nothing() { return GivenUp(-std::numeric_limits<double>::infinity()); }
  static GivenUp up_to(double bound) { return GivenUp(bound); }

  double bound() const { return bound_; }
  GivenUp& operator+=(GivenUp other) {
    bound_ = std::max(bound_, other.bound_);
    return *this;
  }

 private:
  explicit GivenUp(double bound) : bound_(bound) {}
  double bound_;
};

}  // namespace widl
