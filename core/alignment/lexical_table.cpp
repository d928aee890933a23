#include "alignment/lexical_table.hpp"

#include <algorithm>

namespace widl {

LexicalTable::LexicalTable(const LinkCounts& rows) {
  begins_.reserve(rows.size() + 1);
  // A quarter of a row, and at least one slot, stays free, so that a search for a missing entry ends.
  for (const auto& row : rows) begins_.push_back(begins_.back() + row.size() + row.size() / 3 + 1);
  keys_.assign(begins_.back(), kFree);
  probabilities_.resize(begins_.back());
  counts_ = Tally(begins_.back());
  for (std::size_t source = 0; source < rows.size(); ++source) {
    const Slot begin = begins_[source], size = begins_[source + 1] - begin;
    for (const LinkCount& entry : rows[source]) {
      Slot at = slot_of(entry.target, size);
      while (keys_[begin + at] != kFree) at = at + 1 == size ? 0 : at + 1;
      keys_[begin + at] = entry.target;
      counts_.add(begin + at, entry.count);
    }
  }
}

LinkCounts LexicalTable::rows(double least) const {
  LinkCounts rows(sources());
  for (WordId source = 0; source < sources(); ++source) {
    for (Slot slot = begins_[source]; slot < begins_[source + 1]; ++slot)
      if (used(slot) && count(slot) >= least) rows[source].push_back({target(slot), static_cast<float>(count(slot))});
    std::sort(rows[source].begin(), rows[source].end(),
              [](const LinkCount& a, const LinkCount& b) { return a.target < b.target; });
  }
  return rows;
}

}  // namespace widl
