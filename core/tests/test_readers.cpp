#include <doctest/doctest.h>

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "alignment/symmetrization.hpp"
#include "errors.hpp"
#include "phrase_table/stored_option.hpp"

namespace widl {

TEST_CASE("options come back from their bytes, and damaged bytes are an error") {
  std::mt19937 random(5);
  std::vector<WordId> words;
  std::vector<AlignmentPoint> links;
  std::string bytes;
  const std::size_t count = 40;
  ValueWriter writer(bytes, count, 2);
  std::vector<std::vector<WordId>> expected;
  const std::array scores = {Probability::of(0.5), Probability::of(0.25), Probability::of(1e-30), Probability::of(1.0)};
  for (std::size_t i = 0; i < count; ++i) {
    words.assign(i % 10 == 9 ? 0 : 1 + random() % 5, 0);
    for (WordId& word : words) word = static_cast<WordId>(random() % 300);
    links.clear();
    if (!words.empty()) links = {{static_cast<std::uint16_t>(random() % 7), static_cast<std::uint16_t>(random() % words.size())}};
    const std::vector<Probability> more(2, Probability::of(2.5));
    writer.add({words, scores, {1, 2, 3}, links, more});
    expected.push_back(words);
  }
  OptionReader reader(bytes, 300);
  CHECK(reader.size() == count);
  StoredOption option;
  for (const auto& one : expected) {
    REQUIRE(reader.next(option));
    CHECK(std::vector<WordId>(option.words.begin(), option.words.end()) == one);
    CHECK(option.counts[2] == 3);
    CHECK(option.more.size() == 2);
  }
  CHECK_FALSE(reader.next(option));
  const auto read_all = [&](std::string_view damaged) {
    OptionReader all(damaged, 300);
    while (all.next(option))
      for (WordId word : option.words) CHECK(word < 300);
  };
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) CHECK_THROWS_AS(read_all(bytes.substr(0, cut)), InputError);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = bytes;
    for (unsigned i = 0; i < 1 + random() % 3; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    try {
      read_all(damaged);
    } catch (const InputError& error) {
      CHECK(std::string_view(error.what()).starts_with("damaged phrase-table entry: "));
    }
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
