#include <doctest/doctest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "alignment/symmetrization.hpp"
#include "errors.hpp"
#include "phrase_table/value.hpp"

namespace widl {

TEST_CASE("options come back from their bytes, and damaged bytes are an error") {
  std::mt19937 random(5);
  std::vector<WordId> words;
  std::vector<AlignmentPoint> links;
  std::string bytes;
  const std::size_t count = 40;
  ValueWriter writer(bytes, count);
  std::vector<std::vector<WordId>> expected;
  const std::array scores = {Probability::of(0.5), Probability::of(0.25), Probability::of(1e-30), Probability::of(1.0)};
  for (std::size_t i = 0; i < count; ++i) {
    words.assign(i % 10 == 9 ? 0 : 1 + random() % 5, 0);
    for (WordId& word : words) word = static_cast<WordId>(random() % 300);
    links.clear();
    if (!words.empty()) links = {{static_cast<std::uint16_t>(random() % 7), static_cast<std::uint16_t>(random() % words.size())}};
    const std::vector<Probability> more(i % 3, Probability::of(2.5));
    writer.add({words, scores, {1, 2, 3}, links, more});
    expected.push_back(words);
  }
  OptionReader reader(std::as_bytes(std::span(bytes)), 300);
  CHECK(reader.size() == count);
  StoredOption option;
  std::size_t at = 0;
  for (const auto& one : expected) {
    REQUIRE(reader.next(option));
    CHECK(std::vector<WordId>(option.words.begin(), option.words.end()) == one);
    CHECK(option.counts[2] == 3);
    CHECK(option.more.size() == (at++ % 3));
  }
  CHECK_FALSE(reader.next(option));
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    std::string damaged = bytes.substr(0, cut);
    CHECK_THROWS_AS(
        [&] {
          OptionReader cut_short(std::as_bytes(std::span(damaged)), 300);
          while (cut_short.next(option)) {
          }
        }(),
        InputError);
  }
}

TEST_CASE("links are read as they are written") {
  const std::vector<Link> links = {{0, 0}, {3, 1}, {2, 70000}};
  CHECK(parse_links(format_links(links)) == links);
  CHECK(parse_links("").empty());
  for (const char* bad : {"1", "1-", "-1", "1-2-3", "a-b", "1-99999999999999999999", "1 -2"})
    CHECK_THROWS_AS(parse_links(bad), InputError);
  CHECK_THROWS_WITH(parse_links("0-0 1?2"),
                    "expected alignment points like 0-3, found '1?2'; a possible link is written like a sure one, or omitted");
  CHECK_THROWS_WITH(parse_links("0-0:0.9"), "expected alignment points like 0-3, found '0-0:0.9'; weights of points are not read");
}

}  // namespace widl
