#include "phrase_table/tiling.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "errors.hpp"
#include "phrase_table/value.hpp"

namespace widl {
namespace {

constexpr std::size_t kDirect = 1;  // ln p(e|f) among the scores; values store its best first

/// Which spans are free to be translated as the table says. Spans that are given exclusively may overlap.
class GivenAlone {
 public:
  GivenAlone(std::size_t length, std::span<const GivenSpan> given) : by_(length, kNone), shared_(length) {
    for (std::uint32_t g = 0; g < given.size(); ++g) {
      const GivenSpan& span = given[g];
      if (!span.exclusive) continue;
      for (std::uint32_t i = span.begin; i < span.end; ++i) {
        if (by_[i] == kNone) by_[i] = g;
        const GivenSpan& other = given[by_[i]];
        if (other.begin != span.begin || other.end != span.end) shared_[i] = true;
      }
    }
  }
  /// Whether it is given exclusively, and no other such span overlaps it, so that it needs nothing to complete it.
  bool covers(const GivenSpan& span) const {
    return span.exclusive && std::none_of(shared_.begin() + span.begin, shared_.begin() + span.end, [](bool b) { return b; });
  }
  bool allows(const GivenSpan& span) const { return span.exclusive || allows(span.begin, span.end); }
  bool allows(std::uint32_t begin, std::uint32_t end) const {
    return std::all_of(by_.begin() + begin, by_.begin() + end, [](std::uint32_t g) { return g == kNone; });
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> by_;  // by position: the first of the exclusive spans here
  std::vector<bool> shared_;       // by position: whether different ones overlap here
};

/// The scores of a translation: those of each table, then the marks.
class ScoreRow {
 public:
  ScoreRow(std::span<const TableSpans> tables, std::size_t marks) {
    for (const TableSpans& table : tables) components_ += table.components;
    values_.resize(components_ + marks);
  }

  std::size_t size() const { return values_.size(); }
  void set_marks(const std::vector<float>& marks) {
    if (marks.size() > values_.size() - components_) throw InputError("a span has too many marks");
    auto rest = std::copy(marks.begin(), marks.end(), values_.begin() + static_cast<std::ptrdiff_t>(components_));
    std::fill(rest, values_.end(), 0.0f);
  }
  /// With a number for each of a table's components, which begin at `first`.
  std::span<const float> filled(std::size_t first, std::size_t count, float value) {
    const auto begin = clear() + static_cast<std::ptrdiff_t>(first);
    std::fill(begin, begin + static_cast<std::ptrdiff_t>(count), value);
    return values_;
  }
  std::span<const float> with(std::size_t first, std::size_t count, const PhraseOption& option) {
    const std::size_t in_four = std::min(count, option.log_scores.size());
    if (count != in_four + option.more_log_scores.size())
      throw InputError("damaged phrase-table entry: another number of scores than the table has");
    auto at = clear() + static_cast<std::ptrdiff_t>(first);
    at = std::copy_n(option.log_scores.begin(), in_four, at);
    std::copy(option.more_log_scores.begin(), option.more_log_scores.end(), at);
    return values_;
  }

 private:
  std::vector<float>::iterator clear() {
    std::fill_n(values_.begin(), components_, 0.0f);
    return values_.begin();
  }

  std::size_t components_ = 0;  // of the tables
  std::vector<float> values_;
};

/// Adds the translations of a table's spans, whose scores begin at component `first`.
class TableTiler {
 public:
  /// `oriented`: whether its scores of a reordering model count.
  TableTiler(Tiles& tiles, ScoreRow& row, const TableSpans& table, std::size_t first, bool oriented)
      : tiles_(tiles), row_(row), table_(table), first_(first),
        oriented_(oriented && tiles.orientation().scores() > 0), log_beam_(std::log(table.beam_probability)) {}

  /// @returns whether it added any
  bool add(const TableSpan& span) {
    OptionReader reader(span.value, table_.vocabulary->size());
    row_.set_marks(span.marks);
    double best = 0;
    bool any = false;
    for (bool first = true; reader.next(option_); first = false) {
      if (first) best = option_.log_scores[kDirect];
      if (option_.log_scores[kDirect] < best + log_beam_ - 1e-6) break;
      tiles_.add(span.begin, span.end, words(), row_.with(first_, table_.components, option_), false,
                 oriented_ ? option_.orientation : std::span<const float>());
      any = true;
    }
    return any;
  }

 private:
  /// In the vocabulary of the tiles.
  std::span<const WordId> words() {
    if (table_.vocabulary == &tiles_.vocabulary()) return option_.words;
    words_.clear();
    for (WordId word : option_.words) words_.push_back(tiles_.word_id(table_.vocabulary->word(word)));
    return words_;
  }

  Tiles& tiles_;
  ScoreRow& row_;
  const TableSpans& table_;
  std::size_t first_;
  bool oriented_;
  double log_beam_;  // -inf: everything
  PhraseOption option_;
  std::vector<WordId> words_;
};

void add_given(Tiles& tiles, const GivenSpan& given, std::size_t components, ScoreRow& row) {
  std::vector<WordId> words;
  for (std::string_view word : given.words) words.push_back(tiles.word_id(word));
  row.set_marks(given.marks);
  tiles.add(given.begin, given.end, words, row.filled(0, components, given.log_probability), given.copied);
}

}  // namespace

Tiles tile_sentence(std::span<const TableSpans> tables, std::span<const std::string_view> source,
                    std::span<const GivenSpan> given, std::size_t marks, const OrientationModel& orientation) {
  ScoreRow row(tables, marks);
  Tiles tiles(*tables.front().vocabulary, static_cast<std::uint32_t>(source.size()),
              static_cast<std::uint32_t>(row.size()), -1.0, orientation);
  std::vector<bool> translated(source.size());
  const GivenAlone alone(source.size(), given);
  for (const GivenSpan& one : given) {
    if (!alone.allows(one)) continue;
    add_given(tiles, one, tables.front().components, row);
    if (alone.covers(one) || one.end == one.begin + 1) std::fill_n(translated.begin() + one.begin, one.end - one.begin, true);
  }
  std::size_t first = 0;
  for (const TableSpans& table : tables) {
    TableTiler tiler(tiles, row, table, first, &table == tables.data());
    for (const TableSpan& span : table.spans)
      if (alone.allows(span.begin, span.end) && tiler.add(span) && span.end == span.begin + 1) translated[span.begin] = true;
    first += table.components;
  }
  row.set_marks({});
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    if (translated[i]) continue;
    WordId word = tiles.word_id(source[i]);
    tiles.add(i, i + 1, {&word, 1}, row.filled(0, 0, 0), true);
  }
  return tiles;
}

}  // namespace widl
