#include "alignment/expected_counts.hpp"

#include "byte_reader.hpp"

namespace widl {

std::string ExpectedCounts::bytes() const {
  std::string bytes;
  for (const Tally* tally : all()) {
    append_varint(bytes, tally->size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < tally->size(); ++i) {
      if (tally->units(i) == 0) continue;
      append_varint(bytes, i - next + 1);  // 0 is the end
      append_varint(bytes, tally->units(i));
      next = i + 1;
    }
    append_varint(bytes, 0);
  }
  return bytes;
}

void ExpectedCounts::add(std::string_view bytes) const {
  ByteReader reader(bytes);
  for (Tally* tally : all()) {
    if (reader.number() != tally->size()) throw InputError("counts of another text");
    std::uint64_t next = 0;
    while (const std::uint64_t ahead = reader.number(tally->size())) {
      const std::uint64_t index = next + ahead - 1;
      if (index >= tally->size()) throw InputError("damaged: a count is outside of the table");
      tally->add_units(index, reader.number());
      next = index + 1;
    }
  }
  if (!reader.at_end()) throw InputError("damaged: extra data at the end");
}

}  // namespace widl
