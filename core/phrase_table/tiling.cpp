#include "phrase_table/tiling.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "errors.hpp"
#include "phrase_table/stored_option.hpp"

namespace widl {
namespace {

constexpr std::size_t kDirect = 1;            // ln p(e|f) among the scores; records store the best first
constexpr std::uint32_t kLongestEntry = 8;    // tokens that an entry of the dictionary translates
constexpr std::size_t kGlosses = 10;          // translations of an entry
constexpr std::uint32_t kSeenAcrossMark = 3;  // least count of a phrase pair with words on both sides of a clause mark

using Range = SourceLine::Range;

bool contains(const std::vector<Range>& sorted, std::uint32_t begin, std::uint32_t end) {
  return std::ranges::binary_search(sorted, Range(begin, end));
}

/// The positions that exclusive spans claim. Exclusive spans may overlap.
class ExclusiveSpans {
 public:
  explicit ExclusiveSpans(std::size_t length) : first_(length), shared_(length) {}

  void add(const GivenSpan& span) {
    any_ = true;
    for (std::uint32_t i = span.begin; i < span.end; ++i) {
      const Range range(span.begin, span.end);
      if (first_[i].second == 0) first_[i] = range;
      if (first_[i] != range) shared_[i] = true;
    }
  }
  /// Whether no other exclusive span overlaps this exclusive span.
  bool is_alone(const GivenSpan& span) const {
    return std::none_of(shared_.begin() + span.begin, shared_.begin() + span.end, [](bool b) { return b; });
  }
  /// Whether a phrase that is not exclusive may cover [begin, end).
  bool allow(std::uint32_t begin, std::uint32_t end) const {
    const auto is_free = [](const Range& first) { return first.second == 0; };
    return !any_ || std::all_of(first_.begin() + begin, first_.begin() + end, is_free);
  }

 private:
  bool any_ = false;
  std::vector<Range> first_;  // by position: the first exclusive span there
  std::vector<bool> shared_;  // by position: whether different ones overlap there
};

/// The components of a translation: scores of each table, then features of origin.
class ComponentRow {
 public:
  explicit ComponentRow(const TilingOptions& options) {
    for (const TableInUse& table : options.tables) scores_ += table.components;
    values_.resize(scores_ + options.origins);
  }

  std::size_t size() const { return values_.size(); }
  /// Sets at most one origin feature, and clears the others.
  void set_origin(std::uint32_t origin, float count) {
    std::fill(values_.begin() + static_cast<std::ptrdiff_t>(scores_), values_.end(), 0.0f);
    if (origin != GivenTranslations::kNoOrigin) values_.at(scores_ + origin) = count;
  }
  /// The `count` scores from `first` on are `value`; the others are 0.
  std::span<const float> filled(std::size_t first, std::size_t count, float value) {
    const auto begin = clear() + static_cast<std::ptrdiff_t>(first);
    std::fill(begin, begin + static_cast<std::ptrdiff_t>(count), value);
    return values_;
  }
  std::span<const float> with(std::size_t first, std::size_t count, const StoredOption& option) {
    const std::size_t in_four = std::min(count, option.probabilities.size());
    if (count != in_four + option.more.size())
      throw InputError("damaged phrase-table entry: its number of scores differs from the table's");
    auto at = clear() + static_cast<std::ptrdiff_t>(first);
    for (std::size_t i = 0; i < in_four; ++i) *at++ = option.probabilities[i].float_log();
    for (Probability score : option.more) *at++ = score.float_log();
    return values_;
  }

 private:
  std::vector<float>::iterator clear() {
    std::fill_n(values_.begin(), scores_, 0.0f);
    return values_.begin();
  }

  std::size_t scores_ = 0;
  std::vector<float> values_;
};

/// Makes the tiles of one line.
class LineTiler {
 public:
  LineTiler(const SourceLine& line, const TilingOptions& options, const Fallback& fallback)
      : line_(line),
        options_(options),
        fallback_(fallback),
        matches_(line, options.tables, options.longest),
        row_(options),
        exclusive_(line.tokens.size()),
        done_(line.tokens.size()),
        tiles_(options.tables.front().table->target_vocabulary(), static_cast<std::uint32_t>(line.tokens.size()),
               static_cast<std::uint32_t>(row_.size()), -1.0, options.reordering) {}

  Tiles made() {
    for (const GivenSpan& span : line_.given)
      if (is_exclusive(span)) exclusive_.add(span);
    for (const GivenSpan& span : line_.given)
      if (is_exclusive(span) || span.given.use == GivenUse::alternative) add(span);
    if (options_.dictionary) add_entries(*options_.dictionary);
    if (fallback_) add_fallbacks();
    std::size_t first = 0;
    for (std::size_t t = 0; t < options_.tables.size(); ++t) {
      add_phrases(t, first);
      first += options_.tables[t].components;
    }
    pass_through();
    if (options_.distribution_size) tiles_.normalize(first);
    tiles_.restrict_order(line_.zones, line_.walls);
    tiles_.mark_clauses(line_.clause_marks);
    return std::move(tiles_);
  }

 private:
  bool is_exclusive(const GivenSpan& span) const {
    if (span.given.alternatives.empty()) return false;
    return span.given.use == GivenUse::exclusive || (span.given.use == GivenUse::required && !matches_.is_met(span));
  }

  void add(const GivenSpan& span) {
    const GivenTranslations& given = span.given;
    if (given.alternatives.empty()) return;
    given_.emplace_back(span.begin, span.end);
    if (!is_exclusive(span) && !exclusive_.allow(span.begin, span.end)) return;
    if (given.origin != GivenTranslations::kNoOrigin && given.origin >= options_.origins)
      throw InputError("a given translation has an unknown feature of origin");
    row_.set_origin(given.origin, given.count);
    for (const auto& [words, probability] : given.alternatives) {
      if (words.empty()) throw InputError("a translation that is given has no words");
      if (!(probability > 0 && std::isfinite(probability)))
        throw InputError("the probability of a given translation must be a number above 0");
      words_.clear();
      for (const std::string& word : words) words_.push_back(tiles_.word_id(word));
      add_given_words(span.begin, span.end, static_cast<float>(std::log(probability)), given.copied);
    }
    if ((is_exclusive(span) && exclusive_.is_alone(span)) || matches_.is_number(span.begin, span.end))
      std::fill_n(done_.begin() + span.begin, span.end - span.begin, true);
  }
  void add_given_words(std::uint32_t begin, std::uint32_t end, float log_probability, bool copied) {
    tiles_.add(begin, end, words_, row_.filled(0, options_.tables.front().components, log_probability), copied);
    if (end == begin + 1) done_[begin] = true;
  }

  /// Entries of the dictionary for spans that the tables lack or have rarely seen, except in numbers.
  void add_entries(const DictionaryInUse& dictionary) {
    row_.set_origin(dictionary.origin, 1);
    const std::vector<Range> frequent = matches_.frequent(dictionary.rare);
    std::vector<std::pair<std::string, Range>> keys;
    std::string key;
    for (std::uint32_t begin = 0; begin < line_.tokens.size(); ++begin) {
      key.clear();
      const std::size_t last = std::min<std::size_t>(begin + kLongestEntry, line_.tokens.size());
      for (std::uint32_t end = begin + 1; end <= last && !matches_.in_number(end - 1); ++end) {
        if (end > begin + 1) key += dictionary.between;
        key += line_.tokens[end - 1];
        if (contains(frequent, begin, end) || matches_.splits_number(begin, end)) continue;
        dictionary.table->prefetch_word(key);
        keys.emplace_back(key, Range(begin, end));
      }
    }
    for (const auto& [text, span] : keys) add_entry(*dictionary.table, text, span.first, span.second);
  }
  void add_entry(const PhraseTable& dictionary, std::string_view key, std::uint32_t begin, std::uint32_t end) {
    std::optional<OptionReader> entry = dictionary.find(key);
    if (!entry) return;
    given_.emplace_back(begin, end);
    if (!exclusive_.allow(begin, end)) return;
    StoredOption gloss;
    for (std::size_t i = 0; i < kGlosses && entry->next_without_links(gloss); ++i) {
      translate(gloss.words, dictionary.target_vocabulary());
      add_given_words(begin, end, gloss.probabilities[kDirect].float_log(), false);
    }
  }

  void add_fallbacks() {
    std::ranges::sort(given_);
    const std::vector<Range> translated = matches_.translated(), given = given_;
    for (std::uint32_t i = 0; i < line_.tokens.size(); ++i) {
      if (contains(translated, i, i + 1) || contains(given, i, i + 1) || matches_.in_number(i)) continue;
      if (std::optional<GivenTranslations> translations = fallback_(line_.tokens[i]))
        add({i, i + 1, std::move(*translations)});
    }
  }

  /// The options of a table, whose scores begin at component `first`.
  void add_phrases(std::size_t t, std::size_t first) {
    for (const PhraseMatches::Phrase& phrase : matches_.phrases(t))
      if (exclusive_.allow(phrase.begin, phrase.end) && add_options(phrase, t, first) && phrase.end == phrase.begin + 1)
        done_[phrase.begin] = true;
  }
  /// Returns whether it added options.
  bool add_options(const PhraseMatches::Phrase& phrase, std::size_t t, std::size_t first) {
    const TableInUse& table = options_.tables[t];
    row_.set_origin(phrase.split > 0 ? options_.split_origin : GivenTranslations::kNoOrigin,
                    static_cast<float>(phrase.split));
    const double log_threshold = std::log(table.table_threshold);
    const std::size_t most = options_.distribution_size.value_or(0);
    const std::uint32_t least_count = spans_mark(phrase.begin, phrase.end) ? kSeenAcrossMark : 0;
    double least = 0;
    std::size_t added = 0;
    OptionReader options = phrase.options;
    for (StoredOption option; options.next_without_links(option);) {
      if (!matches_.meets(phrase, option, t)) continue;
      if (const std::uint32_t count = option.counts[2]; count > 0 && count < least_count) continue;
      const double direct = option.probabilities[kDirect].float_log();
      if (added == 0) least = direct + log_threshold - 1e-6;
      if (direct < least || (most > 0 && added == most)) break;
      translate(option.words, table.table->target_vocabulary());
      tiles_.add(phrase.begin, phrase.end, words_, row_.with(first, table.components, option), false,
                 orientation(option, t));
      ++added;
    }
    return added > 0;
  }
  /// Whether a clause mark has words of the phrase on both sides.
  bool spans_mark(std::uint32_t begin, std::uint32_t end) const {
    return std::ranges::any_of(line_.clause_marks, [&](std::uint32_t mark) { return begin < mark && mark + 1 < end; });
  }
  std::span<const float> orientation(const StoredOption& option, std::size_t t) {
    orientation_.clear();
    if (t == 0 && options_.reordering)
      for (Probability score : option.orientation) orientation_.push_back(score.float_log());
    return orientation_;
  }

  /// Sets words_ to these words in the vocabulary of the tiles.
  void translate(std::span<const WordId> words, const Vocabulary& vocabulary) {
    if (&vocabulary == &tiles_.vocabulary()) return words_.assign(words.begin(), words.end());
    words_.clear();
    for (WordId word : words) words_.push_back(tiles_.word_id(vocabulary.word(word)));
  }

  void pass_through() {
    row_.set_origin(GivenTranslations::kNoOrigin, 0);
    for (std::uint32_t i = 0; i < line_.tokens.size(); ++i) {
      if (done_[i]) continue;
      words_.assign(1, tiles_.word_id(line_.tokens[i]));
      tiles_.add(i, i + 1, words_, row_.filled(0, 0, 0), true);
    }
  }

  const SourceLine& line_;
  const TilingOptions& options_;
  const Fallback& fallback_;
  PhraseMatches matches_;
  ComponentRow row_;
  ExclusiveSpans exclusive_;
  std::vector<bool> done_;    // by position: whether its word needs no pass-through tile
  std::vector<Range> given_;  // spans with translations from outside the tables
  Tiles tiles_;
  std::vector<WordId> words_;
  std::vector<float> orientation_;
};

}  // namespace

Tiles tile(const SourceLine& line, const TilingOptions& options, const Fallback& fallback) {
  return LineTiler(line, options, fallback).made();
}

}  // namespace widl
