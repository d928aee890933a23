#include "fuzz.hpp"
#include "phrase_table/lmdb_pages.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return widl::fuzz::try_reading([&] { widl::check_lmdb_pages(std::as_bytes(std::span(data, size))); });
}
