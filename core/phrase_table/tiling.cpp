#include "phrase_table/tiling.hpp"

#include <algorithm>
#include <cmath>

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
  explicit ScoreRow(const TilingOptions& options) {
    for (std::size_t components : options.components) components_ += components;
    values_.resize(components_ + options.marks);
  }

  std::size_t size() const { return values_.size(); }
  void set_marks(std::span<const float> marks) {
    if (marks.size() > values_.size() - components_) throw InputError("a span has too many marks");
    auto rest = std::copy(marks.begin(), marks.end(), values_.begin() + static_cast<std::ptrdiff_t>(components_));
    std::fill(rest, values_.end(), 0.0f);
  }
  /// `mark`: from 1; 0: no mark at all.
  void set_mark(std::size_t mark, float value) {
    set_marks({});
    if (mark > 0) values_.at(components_ + mark - 1) = value;
  }
  /// With a number for each of a table's components, which begin at `first`.
  std::span<const float> filled(std::size_t first, std::size_t count, float value) {
    const auto begin = clear() + static_cast<std::ptrdiff_t>(first);
    std::fill(begin, begin + static_cast<std::ptrdiff_t>(count), value);
    return values_;
  }
  std::span<const float> with(std::size_t first, std::size_t count, const StoredOption& option) {
    const std::size_t in_four = std::min(count, option.probabilities.size());
    if (count != in_four + option.more.size())
      throw InputError("damaged phrase-table entry: another number of scores than the table has");
    auto at = clear() + static_cast<std::ptrdiff_t>(first);
    for (std::size_t i = 0; i < in_four; ++i) *at++ = option.probabilities[i].float_log();
    for (Probability score : option.more) *at++ = score.float_log();
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

/// Adds the translations that a table has, whose scores begin at component `first`.
class TableTiler {
 public:
  TableTiler(Tiles& tiles, ScoreRow& row, const SentencePhrases& phrases, std::size_t number, std::size_t first,
             const TilingOptions& options)
      : tiles_(tiles), row_(row), phrases_(phrases), number_(number),
        vocabulary_(phrases.tables()[number].table->target_vocabulary()), first_(first),
        components_(options.components[number]), cut_off_mark_(options.cut_off_mark),
        oriented_(number == 0 && tiles.is_oriented()), log_beam_(std::log(options.beams[number])),
        most_(options.distribution_size.value_or(0)) {}

  /// @returns whether it added any
  bool add(const SentencePhrases::Phrase& phrase) {
    PhraseTable::Options options = phrase.options;
    row_.set_mark(phrase.cut_off > 0 ? cut_off_mark_ : 0, static_cast<float>(phrase.cut_off));
    double least = 0;
    std::size_t added = 0;
    for (StoredOption option; options.next_without_links(option);) {
      if (!phrases_.meets(phrase, option, number_)) continue;
      const double direct = option.probabilities[kDirect].float_log();
      if (added == 0) least = direct + log_beam_ - 1e-6;
      if (direct < least || (most_ > 0 && added == most_)) break;
      tiles_.add(phrase.begin, phrase.end, words(option), row_.with(first_, components_, option), false,
                 orientation(option));
      ++added;
    }
    return added > 0;
  }

 private:
  /// In the vocabulary of the tiles.
  std::span<const WordId> words(const StoredOption& option) {
    if (&vocabulary_ == &tiles_.vocabulary()) return option.words;
    words_.clear();
    for (WordId word : option.words) words_.push_back(tiles_.word_id(vocabulary_.word(word)));
    return words_;
  }
  std::span<const float> orientation(const StoredOption& option) {
    logs_.clear();
    if (oriented_)
      for (Probability score : option.orientation) logs_.push_back(score.float_log());
    return logs_;
  }

  Tiles& tiles_;
  ScoreRow& row_;
  const SentencePhrases& phrases_;
  std::size_t number_;
  const Vocabulary& vocabulary_;
  std::size_t first_, components_, cut_off_mark_;
  bool oriented_;
  double log_beam_;  // -inf: everything
  std::size_t most_;  // translations; 0: all
  std::vector<WordId> words_;
  std::vector<float> logs_;
};

void add_given(Tiles& tiles, const GivenSpan& given, std::size_t components, ScoreRow& row) {
  std::vector<WordId> words;
  for (std::string_view word : given.words) words.push_back(tiles.word_id(word));
  row.set_marks(given.marks);
  tiles.add(given.begin, given.end, words, row.filled(0, components, given.log_probability), given.copied);
}

}  // namespace

Tiles tile_sentence(const SentencePhrases& phrases, std::span<const std::string_view> source,
                    std::span<const GivenSpan> given, const TilingOptions& options) {
  ScoreRow row(options);
  Tiles tiles(phrases.tables().front().table->target_vocabulary(), static_cast<std::uint32_t>(source.size()),
              static_cast<std::uint32_t>(row.size()), -1.0, options.reordering);
  std::vector<bool> translated(source.size());
  const GivenAlone alone(source.size(), given);
  for (const GivenSpan& one : given) {
    if (!alone.allows(one)) continue;
    add_given(tiles, one, options.components.front(), row);
    if (alone.covers(one) || one.end == one.begin + 1 || phrases.is_number(one.begin, one.end))
      std::fill_n(translated.begin() + one.begin, one.end - one.begin, true);
  }
  std::size_t first = 0;
  for (std::size_t t = 0; t < phrases.tables().size(); ++t) {
    TableTiler tiler(tiles, row, phrases, t, first, options);
    for (const SentencePhrases::Phrase& phrase : phrases.phrases(t))
      if (alone.allows(phrase.begin, phrase.end) && tiler.add(phrase) && phrase.end == phrase.begin + 1)
        translated[phrase.begin] = true;
    first += options.components[t];
  }
  row.set_marks({});
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    if (translated[i]) continue;
    WordId word = tiles.word_id(source[i]);
    tiles.add(i, i + 1, {&word, 1}, row.filled(0, 0, 0), true);
  }
  if (options.distribution_size) tiles.normalize(row.size() - options.marks);
  return tiles;
}

}  // namespace widl
