#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace widl {

/// A word alignment link; positions count from 0.
struct Link {
  std::uint32_t source;
  std::uint32_t target;
  friend auto operator<=>(const Link&, const Link&) = default;
};

enum class Symmetrization { Union, Intersection, Grow, GrowDiag, GrowDiagFinal, GrowDiagFinalAnd };

/// The links of `0-0 1-2 …`, in the order of the text.
/// @throws InputError saying which point is malformed
std::vector<Link> parse_links(std::string_view text);

/// The links as `0-0 1-2 …`.
std::string format_links(const std::vector<Link>& links);

/// Combines the two directions into one alignment (Och & Ney 2003; Koehn et al. 2005), sorted by source, then target
/// position.
///
/// Growing starts from the intersection and repeatedly adds links of the union that are next to a link (`GrowDiag`…
/// includes diagonals) while one of their words has no link yet. `…Final` then adds the links of `forward`, then of
/// `reverse`, that have a word without a link; `…FinalAnd` adds links between two unlinked words. The result depends
/// on the order of the visits, which the papers leave open: as in Moses' symal, by target position, then source
/// position, new links taking part in the round that adds them.
std::vector<Link> symmetrize(std::vector<Link> forward, std::vector<Link> reverse, Symmetrization method);

}  // namespace widl
