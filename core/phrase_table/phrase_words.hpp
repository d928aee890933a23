#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace widl {

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
