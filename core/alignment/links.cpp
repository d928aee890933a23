#include "alignment/links.hpp"

#include <algorithm>
#include <cstdint>

namespace widl {

DirectedLinks LinkChooser::choose(const SentencePosteriors& posteriors) {
  candidates_.clear();
  for (std::uint32_t i = 0; i < posteriors.sources(); ++i)
    for (std::uint32_t j = 0; j < posteriors.targets(); ++j)
      if (const float p = posteriors.linked(i, j); p >= kMinShared) candidates_.push_back({p, {i, j}});
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.probability > b.probability; });
  source_linked_.assign(posteriors.sources(), 0);
  target_linked_.assign(posteriors.targets(), 0);
  DirectedLinks links;
  for (const auto& [p, link] : candidates_) {
    if (source_linked_[link.source] || target_linked_[link.target]) continue;
    source_linked_[link.source] = target_linked_[link.target] = 1;
    links.forward.push_back(link);
    links.reverse.push_back(link);
  }
  for (const auto& [p, link] : candidates_) {
    if (p < kMinMore) break;
    if (source_linked_[link.source] && target_linked_[link.target]) continue;
    source_linked_[link.source] = target_linked_[link.target] = 1;
    if (posteriors.forward(link.source, link.target) >= kMinDirected) links.forward.push_back(link);
    if (posteriors.reverse(link.source, link.target) >= kMinDirected) links.reverse.push_back(link);
  }
  std::sort(links.forward.begin(), links.forward.end());
  std::sort(links.reverse.begin(), links.reverse.end());
  return links;
}

}  // namespace widl
