#include <fstream>

#include "language_model.hpp"

namespace {

/// What every KenLM binary begins with: its format, and test values of the machine.
std::string right_start() {
  constexpr std::size_t kSize = 88;
  const std::string arpa = widl::fuzz::file_of("\\data\\\nngram 1=3\nngram 2=1\n\n\\1-grams:\n-1\t<unk>\n-9\t<s>\t0\n-1\t</s>\n\n"
                                               "\\2-grams:\n-1\t<s> </s>\n\n\\end\\\n");
  const std::string binary = arpa + ".binary";
  widl::LanguageModel::convert(arpa, binary, {});
  std::string start(kSize, '\0');
  if (!std::ifstream(binary, std::ios::binary).read(start.data(), kSize)) std::abort();
  std::remove(binary.c_str());
  return start;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string start = right_start();
  const std::string_view text = widl::fuzz::text(data, size);
  if (text.starts_with("mmap lm ")) widl::fuzz::try_language_model(text);
  // With any other start nothing behind it is read.
  if (text.size() > start.size() && !text.starts_with(start))
    widl::fuzz::try_language_model(start + std::string(text.substr(start.size())));
  return 0;
}
