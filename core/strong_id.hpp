#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace widl {

/// A number of one kind of object, usable as an index. Conversion from a plain number is explicit, so that numbers of
/// two kinds can't be confused.
template <class Kind>
class Id {
 public:
  constexpr Id() = default;
  explicit constexpr Id(std::uint32_t number) : number_(number) {}
  constexpr operator std::uint32_t() const { return number_; }  // NOLINT: implicit, for use as an index

 private:
  std::uint32_t number_ = 0;
};

}  // namespace widl

template <class Kind>
struct std::hash<widl::Id<Kind>> {
  std::size_t operator()(widl::Id<Kind> id) const { return std::hash<std::uint32_t>()(id); }
};
