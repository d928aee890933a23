#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "errors.hpp"
#include "phrase_table/bitext.hpp"
#include "phrase_table/phrase_extraction.hpp"

namespace widl::phrase_extraction_test {
namespace {

std::string phrase(const BitextSide& side, std::uint32_t begin, std::uint32_t length) {
  std::string text;
  for (std::uint32_t at = begin; at < begin + length; ++at)
    text += (at > begin ? " " : "") + std::string(side.vocabulary.word(side.words[at]));
  return text;
}

/// The phrase pairs of the first sentence pair as "f ||| e", sorted.
std::vector<std::string> extracted(std::string_view lines, std::uint32_t max_length = 7) {
  const Bitext bitext(lines);
  std::vector<std::string> pairs;
  PhraseExtractor(bitext, max_length).extract(0, [&](const PhrasePairSpan& pair) {
    pairs.push_back(phrase(bitext.source(), pair.source_begin, pair.source_length) + " ||| " +
                    phrase(bitext.target(), pair.target_begin, pair.target_length));
  });
  std::ranges::sort(pairs);
  return pairs;
}

using Pairs = std::vector<std::string>;

}  // namespace

TEST_CASE("a monotone pair: every contiguous stretch") {
  CHECK(extracted("f g\na b\n0-0 1-1\n") == Pairs{"f g ||| a b", "f ||| a", "g ||| b"});
}

TEST_CASE("a swap: the words, and both together") {
  CHECK(extracted("f g\na b\n0-1 1-0\n") == Pairs{"f g ||| a b", "f ||| b", "g ||| a"});
}

TEST_CASE("a link from inside to outside forbids a pair") {
  CHECK(extracted("f g\na b\n0-0 0-1 1-1\n") == Pairs{"f g ||| a b"});
}

TEST_CASE("unlinked words at the ends may belong to the phrase or not") {
  CHECK(extracted("f x\na\n0-0\n") == Pairs{"f x ||| a", "f ||| a"});
  CHECK(extracted("f\nx a\n0-1\n") == Pairs{"f ||| a", "f ||| x a"});
}

TEST_CASE("an unlinked word inside belongs to it") {
  CHECK(extracted("f x g\na b\n0-0 2-1\n") == Pairs{"f x g ||| a b", "f x ||| a", "f ||| a", "g ||| b", "x g ||| b"});
}

TEST_CASE("phrases are at most max_length long on both sides") {
  CHECK(extracted("f g\na b\n0-0 1-1\n", 1) == Pairs{"f ||| a", "g ||| b"});
  CHECK(extracted("f g\na\n0-0 1-0\n", 1).empty());
}

TEST_CASE("without links there are no pairs") { CHECK(extracted("f\na\n\n").empty()); }

TEST_CASE("bitext: links are sorted, and repeated links count once") {
  const Bitext bitext("f g\na b\n1-0 0-0 1-0\n");
  CHECK(bitext.link_count() == 2);
  CHECK(std::ranges::equal(bitext.links(0), std::vector<std::uint32_t>{0, 1}));
}

TEST_CASE("bitext: a link outside of the sentences is refused with its line in the text") {
  CHECK_THROWS_WITH(Bitext("f\na\n0-0\nf\na\n0-1\n", 10),
                    "line 12: alignment point 0-1 is outside the sentences of 1 and 1 words");
}

TEST_CASE("bitext: in-domain pairs come first in the text, not in each part") {
  CHECK(Bitext("f\na\n0-0\nf\na\n0-0\n", 0, 1).in_domain() == 1);
  CHECK(Bitext("f\na\n0-0\nf\na\n0-0\n", 4, 5).in_domain() == 1);
  CHECK(Bitext("f\na\n0-0\n", 4, 3).in_domain() == 0);
}

}  // namespace widl::phrase_extraction_test
