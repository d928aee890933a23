#include "fuzz.hpp"
#include "phrase_table/value.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace widl;
  const auto bytes = std::as_bytes(std::span(data, size));
  fuzz::try_reading([&] {
    OptionReader reader(bytes, 1000);
    StoredOption option;
    while (reader.next(option))
      for (WordId word : option.words)
        if (word >= 1000) std::abort();
  });
  return fuzz::try_reading([&] {
    OptionReader reader(bytes, 1000);
    StoredOption option;
    std::string again;
    ValueWriter writer(again, reader.size());
    while (reader.next(option)) writer.add(option);
  });
}
