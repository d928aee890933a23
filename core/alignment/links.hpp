#pragma once

#include <vector>

#include "alignment/posteriors.hpp"
#include "alignment/symmetrization.hpp"

namespace widl {

/// The links of a sentence pair in both directions.
struct DirectedLinks {
  std::vector<Link> forward, reverse;
};

/// Links by probability: of both directions, and their mean p(i, j).
///
/// First one-to-one links, which both directions have: in decreasing order of p, at least `kMinShared`, between two
/// unlinked words (competitive linking, Melamed 2000). Then links with at least one unlinked word, in decreasing order
/// of p, at least `kMinMore`; each direction receives the links to which it gives at least `kMinDirected` itself.
/// Ties in p go to the lower i, then the lower j.
class LinkChooser {
 public:
  static constexpr float kMinShared = 0.02f, kMinMore = 0.2f, kMinDirected = 0.02f;

  DirectedLinks choose(const SentencePosteriors& posteriors);

 private:
  struct Candidate {
    float probability;
    Link link;
  };
  std::vector<Candidate> candidates_;
  std::vector<char> source_linked_, target_linked_;
};

}  // namespace widl
