#include "alignment/model_text.hpp"
#include "alignment/symmetrization.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace widl;
  const std::string_view text = fuzz::text(data, size);
  fuzz::try_reading([&] {
    const std::vector<Link> links = parse_links(text);
    if (parse_links(format_links(links)) != links) std::abort();
  });
  return fuzz::try_reading([&] { parse_model(text); });
}
