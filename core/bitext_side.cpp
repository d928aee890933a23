#include "bitext_side.hpp"

#include <algorithm>
#include <limits>

#include "errors.hpp"

namespace widl {

void BitextSide::append(std::string_view line) {
  static constexpr std::string_view kSpace = " \t\n\v\f\r";
  for (std::size_t at = line.find_first_not_of(kSpace); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kSpace, at), line.size());
    words.push_back(vocabulary.intern(line.substr(at, end - at)));
    at = line.find_first_not_of(kSpace, end);
  }
  if (words.size() >= std::numeric_limits<std::uint32_t>::max())
    throw InputError("the bitext has more than 2^32 words");
  begins.push_back(static_cast<std::uint32_t>(words.size()));
}

}  // namespace widl
