#include <vector>

#include "fuzz.hpp"
#include "phrase_table/moses_import.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace widl;
  return fuzz::try_reading([&] {
    MosesImporter importer;
    importer.parse(fuzz::text(data, size));
    importer.sort_run();
    std::string run;
    for (std::string block = importer.next_block(1000); !block.empty(); block = importer.next_block(1000)) run += block;
    RunMerger merger(importer, {std::as_bytes(std::span(run))});
    while (merger.next()) {
    }
  });
}
