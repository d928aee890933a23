#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "alignment/expected_counts.hpp"
#include "bitext_side.hpp"
#include "expression/vocabulary.hpp"

namespace widl {

/// A possible translation of a source word, and the expected number of their links.
struct LinkCount {
  WordId target;
  float count;
};

/// One row for each source word, ascending in target words.
using LinkCounts = std::vector<std::vector<LinkCount>>;

/// Word pairs that may be linked, with expected counts and translation probabilities: a hash table for each source
/// word, all of them in one array.
class LexicalTable {
 public:
  using Slot = std::uint64_t;
  static constexpr Slot kAbsent = ~Slot{0};

  /// t(target|source) and t(source|target).
  struct Probabilities {
    float forward = 0, reverse = 0;
  };

  LexicalTable() = default;
  explicit LexicalTable(const LinkCounts& rows);

  std::size_t sources() const { return begins_.size() - 1; }
  Slot slots() const { return begins_.back(); }
  Slot find(WordId source, WordId target) const {
    const Slot begin = begins_[source], size = begins_[source + 1] - begin;
    for (Slot at = slot_of(target, size);; at = at + 1 == size ? 0 : at + 1) {
      const WordId key = keys_[begin + at];
      if (key == target) return begin + at;
      if (key == kFree) return kAbsent;
    }
  }
  /// Prefetches the memory that `find` will read first.
  void prefetch(WordId source, WordId target) const {
    const Slot begin = begins_[source];
    __builtin_prefetch(&keys_[begin + slot_of(target, begins_[source + 1] - begin)]);
  }

  Slot begin(WordId source) const { return begins_[source]; }
  bool used(Slot slot) const { return keys_[slot] != kFree; }
  WordId target(Slot slot) const { return keys_[slot]; }

  Probabilities& probabilities(Slot slot) { return probabilities_[slot]; }
  const Probabilities& probabilities(Slot slot) const { return probabilities_[slot]; }

  double count(Slot slot) const { return counts_.value(slot); }
  /// By slots.
  Tally& counts() { return counts_; }

  /// The counts as rows, without counts below `least`.
  LinkCounts rows(double least) const;

 private:
  static constexpr WordId kFree = ~WordId{0};

  static Slot slot_of(WordId target, Slot size) { return (target * 0x9e3779b9u) * size >> 32; }

  std::vector<Slot> begins_{0};
  std::vector<WordId> keys_;
  std::vector<Probabilities> probabilities_;
  Tally counts_;
};

}  // namespace widl
