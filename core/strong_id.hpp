#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace widl {

/// A number of one kind of thing: made of a plain number by name only, so that the numbers of two kinds can't be
/// taken for each other; usable as an index.
template <class Kind>
class Id {
 public:
  constexpr Id() = default;
  explicit constexpr Id(std::uint32_t number) : number_(number) {}
  constexpr operator std::uint32_t() const { return number_; }  // NOLINT: implicit, as an index is wanted

 private:
  std::uint32_t number_ = 0;
};

}  // namespace widl

template <class Kind>
struct std::hash<widl::Id<Kind>> {
  std::size_t operator()(widl::Id<Kind> id) const { return std::hash<std::uint32_t>()(id); }
};
