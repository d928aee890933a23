#pragma once

#include <cstdint>
#include <vector>

namespace widl {

/// A complete path: the labels of its edges, and its score.
struct RankedPath {
  std::vector<std::uint32_t> labels;
  double score;
};

/// Some of the best of a graph's complete paths, best first.
struct RankedPaths {
  std::vector<RankedPath> paths;
  bool complete = true;  ///< no budget has truncated the list: it has the requested number, or all that exist
};

}  // namespace widl
