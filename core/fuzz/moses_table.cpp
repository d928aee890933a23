#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz.hpp"
#include "phrase_table/moses_import.hpp"

/// A phrase table and, after a zero byte, a reordering table.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace widl;
  return fuzz::try_reading([&] {
    MosesImporter importer("/tmp", 1000);
    const std::string_view all = fuzz::text(data, size);
    const std::size_t end = std::min(all.find('\0'), all.size());
    importer.parse(all.substr(0, end));
    if (end < all.size()) importer.parse_reordering(all.substr(end + 1));
    RunMerger merger(importer);
    while (merger.next()) {}
  });
}
