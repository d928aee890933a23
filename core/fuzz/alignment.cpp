#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "alignment/model.hpp"
#include "alignment/symmetrization.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace widl;
  const std::string_view text = fuzz::text(data, size);
  fuzz::try_reading([&] {
    const std::vector<Link> links = parse_links(text);
    if (parse_links(format_links(links)) != links) std::abort();
  });
  return fuzz::try_reading([&] {
    const auto split = [](std::string_view word) { return std::vector<std::string>{std::string(word.substr(0, 1))}; };
    const AlignmentModel model(parse_model(text), split, split, 1);
    const std::string written = write_model(model.counts());
    if (write_model(parse_model(written)) != written) std::abort();
  });
}
