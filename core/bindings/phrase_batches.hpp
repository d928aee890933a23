#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "bytes.hpp"
#include "phrase_table/scored_batch.hpp"

namespace widl {

/// A batch as a Python object.
struct BatchItems {
  nb::list items;
  std::uint64_t pairs, occurrences;
};

/// The next batch of a PhraseScorer or a RunMerger, computed without the GIL.
template <class Maker>
std::optional<BatchItems> next_batch(Maker& maker) {
  const std::optional<ScoredBatch> batch = released([&] { return maker.next(); });
  if (!batch) return std::nullopt;
  BatchItems items{{}, batch->pairs, batch->occurrences};
  ScoredBatch::End begin{0, 0};
  for (const ScoredBatch::End& end : batch->ends) {
    const std::string_view key = std::string_view(batch->keys).substr(begin.key, end.key - begin.key);
    items.items.append(nb::make_tuple(to_bytes(key),
                                      nb::bytes(batch->values.data() + begin.value, end.value - begin.value)));
    begin = end;
  }
  return items;
}

}  // namespace widl
