#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "expression/vocabulary.hpp"

namespace widl {

TEST_CASE("a vocabulary numbers words in the order of their coming, and keeps its numbers") {
  Vocabulary vocabulary;
  CHECK(vocabulary.intern("b") == 0);
  CHECK(vocabulary.intern("a") == 1);
  CHECK(vocabulary.intern("b") == 0);
  CHECK(vocabulary.find("c") == std::nullopt);
  SentenceWords words(vocabulary);
  CHECK(words.id("a") == 1);
  const WordId own = words.id("c");
  CHECK(own == 2);
  vocabulary.intern("later");  // the numbers stay local to the sentence
  CHECK(words.id("later") == 3);
  CHECK(words.text(own) == "c");
  CHECK(words.id("c") == own);
  CHECK(words.is_shared(1));
  CHECK_FALSE(words.is_shared(own));
  for (int i = 0; i < 1000; ++i) vocabulary.intern("x" + std::to_string(i));
  CHECK(vocabulary.word(0) == "b");
  CHECK(vocabulary.find("x999") == 1002);
}

}  // namespace widl
