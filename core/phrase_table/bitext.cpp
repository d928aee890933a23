#include "phrase_table/bitext.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "errors.hpp"
#include "text_fields.hpp"

namespace widl {

Bitext::Bitext(std::string_view lines, std::size_t first, std::size_t in_domain) {
  while (!lines.empty()) {
    source_.append(take_line(lines));
    target_.append(take_line(lines));
    try {
      append_links(parse_links(take_line(lines)));
    } catch (const InputError& error) {
      throw InputError("line " + std::to_string(first + sentences()) + ": " + error.what());
    }
  }
  in_domain_ = std::min(in_domain - std::min(in_domain, first), sentences());
}

void Bitext::append_links(std::vector<Link> links) {
  const std::uint32_t source_begin = source_.begins.end()[-2], target_begin = target_.begins.end()[-2];
  const std::uint32_t source_size = source_.begins.back() - source_begin;
  const std::uint32_t target_size = target_.begins.back() - target_begin;
  std::sort(links.begin(), links.end(),
            [](const Link& a, const Link& b) { return std::pair(a.target, a.source) < std::pair(b.target, b.source); });
  links.erase(std::unique(links.begin(), links.end()), links.end());
  std::size_t next = 0;
  for (std::uint32_t target_at = 0; target_at < target_size; ++target_at) {
    for (; next < links.size() && links[next].target == target_at; ++next) {
      if (links[next].source >= source_size) break;
      link_sources_.push_back(source_begin + links[next].source);
    }
    link_begins_.push_back(static_cast<std::uint32_t>(link_sources_.size()));
  }
  if (next < links.size())
    throw InputError("alignment point " + std::to_string(links[next].source) + "-" +
                     std::to_string(links[next].target) + " is outside the sentences of " +
                     std::to_string(source_size) + " and " + std::to_string(target_size) + " words");
}

}  // namespace widl
