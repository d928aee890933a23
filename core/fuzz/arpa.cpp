#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz.hpp"
#include "lm/language_model.hpp"

namespace {

void check_numbers(const std::vector<double>& scores) {
  for (double score : scores)
    if (std::isnan(score)) std::abort();
}

}  // namespace

/// Opens a language model and queries known and unknown words in many contexts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = widl::fuzz::text(data, size);
  if (text.starts_with("mmap lm ")) return 0;  // a binary, which is trusted
  return widl::fuzz::try_reading([&] {
    const auto model = widl::LanguageModel::load(widl::fuzz::file_of(text));
    const std::vector<std::string> words = {"a", "b", "c", "unknown", "b",    "a",  "a",
                                            "c", "b", "c", "<unk>",   "</s>", "<s>"};
    check_numbers(model->bound_words(words));
    check_numbers(model->score_sentence(words, true, true));
    for (const auto& scored : model->full_score_sentence(words, false, true))
      if (scored.ngram_length > model->order()) std::abort();
  });
}
