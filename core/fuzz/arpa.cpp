#include "language_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = widl::fuzz::text(data, size);
  if (text.starts_with("mmap lm ")) return 0;  // a binary: lm_binary.cpp
  return widl::fuzz::try_language_model(text);
}
