#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "search/hash_index.hpp"

namespace widl {

TEST_CASE("a hash index finds numbers by hash, and tells equal hashes apart by their keys") {
  HashIndex<> index;
  std::vector<std::string> words;
  for (int i = 0; i < 500; ++i) words.push_back("w" + std::to_string(i));
  const auto hash = [](const std::string& word) { return std::uint64_t{word.size()} % 3; };  // bad on purpose
  for (std::uint32_t i = 0; i < words.size(); ++i) index.insert(hash(words[i]), i);
  CHECK(index.size() == words.size());
  for (std::uint32_t i = 0; i < words.size(); ++i)
    CHECK(index.find(hash(words[i]), [&](std::uint32_t n) { return words[n] == words[i]; }) == i);
  CHECK(index.find(hash("w7"), [](std::uint32_t) { return false; }) == HashIndex<>::kNone);
}

}  // namespace widl
