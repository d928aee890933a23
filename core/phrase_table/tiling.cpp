#include "phrase_table/tiling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "errors.hpp"
#include "phrase_table/value.hpp"

namespace widl {
namespace {

constexpr std::size_t kTableComponents = 4;
constexpr std::size_t kDirect = 1;  // ln p(e|f) among the scores; values store its best first

/// Which spans are free to be translated as the table says.
class GivenAlone {
 public:
  GivenAlone(std::size_t length, std::span<const GivenSpan> given) : by_(length, kNone) {
    for (std::uint32_t g = 0; g < given.size(); ++g) {
      const GivenSpan& span = given[g];
      if (!span.exclusive) continue;
      for (std::uint32_t i = span.begin; i < span.end; ++i) {
        if (by_[i] == kNone) by_[i] = g;
        const GivenSpan& other = given[by_[i]];
        if (other.begin != span.begin || other.end != span.end)
          throw InputError("two spans whose translation is given exclusively overlap at " + std::to_string(i));
      }
    }
  }
  bool allows(const GivenSpan& span) const { return span.exclusive || allows(span.begin, span.end); }
  bool allows(std::uint32_t begin, std::uint32_t end) const {
    return std::all_of(by_.begin() + begin, by_.begin() + end, [](std::uint32_t g) { return g == kNone; });
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> by_;  // by position: the first of the exclusive spans here
};

/// The scores of a translation: the table's components, then the marks.
class ScoreRow {
 public:
  explicit ScoreRow(std::size_t marks) : values_(kTableComponents + marks) {}

  void set_marks(const std::vector<float>& marks) {
    if (marks.size() > values_.size() - kTableComponents) throw InputError("a span has too many marks");
    auto rest = std::copy(marks.begin(), marks.end(), values_.begin() + kTableComponents);
    std::fill(rest, values_.end(), 0.0f);
  }
  std::span<const float> with(const std::array<float, kTableComponents>& scores) {
    std::copy(scores.begin(), scores.end(), values_.begin());
    return values_;
  }

 private:
  std::vector<float> values_;
};

void add_given(Tiles& tiles, const GivenSpan& given, ScoreRow& row) {
  std::array<float, kTableComponents> scores;
  scores.fill(given.log_probability);
  std::vector<WordId> words;
  for (std::string_view word : given.words) words.push_back(tiles.word_id(word));
  row.set_marks(given.marks);
  tiles.add(given.begin, given.end, words, row.with(scores), given.copied);
}

}  // namespace

Tiles tile_sentence(const Vocabulary& target_vocabulary, std::span<const std::string_view> source,
                    std::span<const TableSpan> spans, std::span<const GivenSpan> given, double beam_probability,
                    std::size_t marks, const OrientationModel& orientation) {
  Tiles tiles(target_vocabulary, static_cast<std::uint32_t>(source.size()),
              static_cast<std::uint32_t>(kTableComponents + marks), -1.0, orientation);
  ScoreRow row(marks);
  const double log_beam = std::log(beam_probability);  // -inf: everything
  std::vector<bool> translated(source.size());
  const GivenAlone alone(source.size(), given);
  for (const GivenSpan& one : given) {
    if (!alone.allows(one)) continue;
    add_given(tiles, one, row);
    if (one.exclusive || one.end == one.begin + 1) std::fill_n(translated.begin() + one.begin, one.end - one.begin, true);
  }
  PhraseOption option;
  for (const TableSpan& span : spans) {
    if (!alone.allows(span.begin, span.end)) continue;
    OptionReader reader(span.value, target_vocabulary.size());
    row.set_marks(span.marks);
    double best = 0;
    for (bool first = true; reader.next(option); first = false) {
      if (first) best = option.log_scores[kDirect];
      if (option.log_scores[kDirect] < best + log_beam - 1e-6) break;
      tiles.add(span.begin, span.end, option.words, row.with(option.log_scores), false,
                option.orientation.first(orientation.scores() > 0 ? option.orientation.size() : 0));
      if (span.end == span.begin + 1) translated[span.begin] = true;
    }
  }
  row.set_marks({});
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    if (translated[i]) continue;
    WordId word = tiles.word_id(source[i]);
    tiles.add(i, i + 1, {&word, 1}, row.with({}), true);
  }
  return tiles;
}

}  // namespace widl
