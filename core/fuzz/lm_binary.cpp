#include "fuzz.hpp"
#include "lm/language_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace widl;
  const std::string_view text = fuzz::text(data, size);
  if (!text.starts_with("mmap lm ")) return 0;  // an ARPA file: arpa.cpp
  return fuzz::try_reading([&] {
    const auto model = LanguageModel::load(fuzz::file_of(text));
    model->score_sentence({"a", "b", "c"}, true, true);
    model->bound_words({"a", "b", "c"});
  });
}
