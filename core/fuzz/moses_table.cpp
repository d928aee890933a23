#include <algorithm>

#include "fuzz.hpp"
#include "phrase_table/moses_import.hpp"

/// A phrase table and, after a zero byte, a reordering table.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace widl;
  return fuzz::try_reading([&] {
    MosesImporter importer;
    const std::string_view all = fuzz::text(data, size);
    const std::size_t end = std::min(all.find('\0'), all.size());
    importer.parse(all.substr(0, end));
    if (end < all.size()) importer.parse_reordering(all.substr(end + 1));
    importer.sort_run();
    std::string run;
    for (std::string block = importer.next_block(1000); !block.empty(); block = importer.next_block(1000)) run += block;
    RunMerger merger(importer, {std::as_bytes(std::span(run))});
    while (merger.next()) {
    }
  });
}
