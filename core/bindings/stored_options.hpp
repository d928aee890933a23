#pragma once

#include <utility>
#include <vector>

#include "phrase_table/value.hpp"

namespace widl {

/// ln of scores.
template <class... Scores>
std::vector<double> logs_of(const Scores&... scores) {
  std::vector<double> logs;
  const auto add = [&](const auto& some) {
    for (Probability p : some) logs.push_back(p.log());
  };
  (add(scores), ...);
  return logs;
}

/// Links as (source, target).
inline std::vector<std::pair<int, int>> links_of(const StoredOption& option) {
  std::vector<std::pair<int, int>> links;
  for (AlignmentPoint point : option.alignment) links.emplace_back(point.source, point.target);
  return links;
}

}  // namespace widl
