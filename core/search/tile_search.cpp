#include "search/tile_search.hpp"

#include <algorithm>
#include <string>

#include "log_zero.hpp"
#include "search/coverage.hpp"

namespace widl {

void include_derivations_beyond_window(const TileModel& model, std::size_t nbest, Realization& result) {
  const double bound = model.bound_beyond_window();
  if (bound == kLogZero) return;
  result.certificate.bound = std::max(result.certificate.bound, bound);
  if (result.nbest.size() < nbest || result.nbest.back().score < bound) result.nbest_complete = false;
  result.lattice_complete = false;
  if (result.outcome != Outcome::proved_empty) return;
  result.outcome = Outcome::undecided;
  result.failure = "no string that is allowed has phrases that move by at most " + std::to_string(Coverage::kWindow) +
                   " positions; one whose phrases move further may exist";
}

}  // namespace widl
