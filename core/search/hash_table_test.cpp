#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <random>

#include "search/hash_table.hpp"

namespace widl {

TEST_CASE("a hash table is a map") {
  std::mt19937 random(1);
  HashTable<int> table(2);
  std::map<std::uint64_t, int> twin;
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t key = random() % 2000;
    auto [value, added] = table.find_or_insert(key);
    CHECK(added == !twin.contains(key));
    if (!added) CHECK(*value == twin[key]);
    *value = twin[key] = i;
  }
  CHECK(table.size() == twin.size());
  for (const auto& [key, value] : twin) CHECK(*table.find_or_insert(key).first == value);
}

}  // namespace widl
