#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace widl {

/// Removes the first line from `text` and returns it without its line end, which the last line may lack.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// Calls visit(word) for each word of a phrase, which are joined by one space.
template <class Visit>
void for_each_word(std::string_view phrase, Visit&& visit) {
  for (std::size_t begin = 0; begin <= phrase.size();) {
    const std::size_t end = std::min(phrase.find(' ', begin), phrase.size());
    visit(phrase.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace widl
