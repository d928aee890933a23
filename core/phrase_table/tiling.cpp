#include "phrase_table/tiling.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "phrase_table/value.hpp"

namespace widl {
namespace {

constexpr std::uint32_t kComponents = 4;
constexpr std::size_t kDirect = 1;  // ln p(e|f) among the scores; values store its best first

}  // namespace

Tiles tile_sentence(const Vocabulary& target_vocabulary, std::span<const std::string_view> source,
                    std::span<const TableSpan> spans, double beam_probability) {
  Tiles tiles(target_vocabulary, static_cast<std::uint32_t>(source.size()), kComponents, -1.0);
  const double log_beam = std::log(beam_probability);  // -inf: everything
  std::vector<bool> translated(source.size());
  PhraseOption option;
  for (const TableSpan& span : spans) {
    OptionReader reader(span.value, target_vocabulary.size());
    double best = 0;
    for (bool first = true; reader.next(option); first = false) {
      if (first) best = option.log_scores[kDirect];
      if (option.log_scores[kDirect] < best + log_beam - 1e-6) break;
      tiles.add(span.begin, span.end, option.words, option.log_scores);
      if (span.end == span.begin + 1) translated[span.begin] = true;
    }
  }
  constexpr std::array<float, kComponents> kCertain{};
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    if (translated[i]) continue;
    WordId word = tiles.word_id(source[i]);
    tiles.add(i, i + 1, {&word, 1}, kCertain, true);
  }
  return tiles;
}

}  // namespace widl
