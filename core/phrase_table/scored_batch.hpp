#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace widl {

/// Source phrases with their encoded options, in an order documented by the producer.
struct ScoredBatch {
  struct End {
    std::size_t key, value;
  };
  std::string keys, values;       // keys: the words, joined by one space
  std::vector<End> ends;          // of each phrase's key and value
  std::uint64_t pairs = 0;        // distinct phrase pairs in it
  std::uint64_t occurrences = 0;  // from which all pairs were counted
};

}  // namespace widl
