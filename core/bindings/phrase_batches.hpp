#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "bindings.hpp"
#include "phrase_table/scored_batch.hpp"

namespace widl {

/// A batch as Python has it: the phrases whose keys are in the order of their bytes, then the others.
struct BatchItems {
  nb::list sorted, unsorted;
  std::uint64_t pairs, pruned, occurrences;
};

/// The next batch of a PhraseScorer or a RunMerger, made without the interpreter's lock.
template <class Maker>
std::optional<BatchItems> next_batch(Maker& maker, std::size_t max_key) {
  std::optional<ScoredBatch> batch;
  {
    nb::gil_scoped_release release;
    batch = maker.next();
  }
  if (!batch) return std::nullopt;
  BatchItems items{{}, {}, batch->pairs, batch->pruned, batch->occurrences};
  ScoredBatch::End begin{0, 0};
  for (const ScoredBatch::End& end : batch->ends) {
    const std::string_view key = std::string_view(batch->keys).substr(begin.key, end.key - begin.key);
    // Word by word the order is that of the bytes unless a word has bytes below the space.
    const bool regular =
        key.size() <= max_key && std::none_of(key.begin(), key.end(), [](unsigned char c) { return c < ' '; });
    (regular ? items.sorted : items.unsorted)
        .append(nb::make_tuple(nb::bytes(key.data(), key.size()),
                               nb::bytes(batch->values.data() + begin.value, end.value - begin.value)));
    begin = end;
  }
  return items;
}

}  // namespace widl
