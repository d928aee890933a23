#include "phrase_table/phrase_matches.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "errors.hpp"

namespace widl {
namespace {

constexpr WordId kNotInTable = ~WordId{0};

using Range = SourceLine::Range;

void require_inside(std::uint32_t begin, std::uint32_t end, std::size_t length) {
  if (begin >= end || end > length) throw InputError("a span lies outside of the sentence");
}

std::string joined(std::span<const std::string> tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

// Words with bytes beyond ASCII are uncertain: neither has_letter nor is_punctuation holds for them.
bool has_letter(std::string_view word) {
  return std::ranges::any_of(word, [](unsigned char byte) { return byte < 0x80 && std::isalnum(byte) != 0; });
}
bool is_punctuation(std::string_view word) {
  return !word.empty() &&
         std::ranges::all_of(word, [](unsigned char byte) { return byte < 0x80 && std::ispunct(byte) != 0; });
}

bool overlap(const auto& a, const auto& b) { return a.begin < b.end && b.begin < a.end; }
bool covers(const auto& a, const auto& b) { return a.begin <= b.begin && b.end <= a.end; }

/// Whether any option of a phrase satisfies `chosen(option)`.
template <class Chosen>
bool has_option(const PhraseMatches::Phrase& phrase, Chosen&& chosen) {
  OptionReader options = phrase.options;
  for (StoredOption option; options.next_without_links(option);)
    if (chosen(option)) return true;
  return false;
}

/// The word sequences that start at a position, shorter sequences first, under one table.
class Paths {
 public:
  struct Path {
    std::uint32_t end;
    std::uint32_t split;
    std::uint32_t length;  ///< in words
    bool known;            ///< whether the table has each of its words in some phrase
    std::uint64_t hash;
    WordId last;
    std::uint32_t before;  ///< the path without the last word
  };

  Paths(const WordLattice& lattice, const PhraseTable& table, std::size_t longest)
      : lattice_(lattice), numbers_(lattice.size()), longest_(longest) {
    for (std::uint32_t at = 0; at < lattice.size(); ++at)
      for (const WordLattice::Edge& edge : lattice.edges_at(at))
        numbers_[at].push_back(table.source_word(edge.word).value_or(kNotInTable));
  }

  std::span<const Path> from(std::uint32_t begin) {
    all_.assign(1, {begin, 0, 0, true, kNoWords, 0, 0});
    std::size_t first = 0;
    for (std::size_t length = 1; length <= longest_; ++length) {
      const std::size_t last = all_.size();
      for (std::size_t p = first; p < last; ++p) extend(p, last);
      if (all_.size() == last) break;
      first = last;
    }
    return std::span(all_).subspan(1);
  }
  /// The words of a path of the last `from`, valid until the next call.
  std::span<const WordId> words(const Path& path) {
    words_.resize(path.length);
    for (const Path* at = &path; at->length > 0; at = &all_[at->before]) words_[at->length - 1] = at->last;
    return words_;
  }

 private:
  void extend(std::size_t p, std::size_t first_longer) {
    const Path path = all_[p];
    const std::uint32_t at = path.end;
    if (at >= lattice_.size()) return;
    for (std::size_t e = 0; e < lattice_.edges_at(at).size(); ++e) {
      if (all_.size() - first_longer == PhraseMatches::kMaxPaths) return;
      const WordLattice::Edge& edge = lattice_.edges_at(at)[e];
      const WordId word = numbers_[at][e];
      const bool in_table = path.known && word != kNotInTable;
      all_.push_back({edge.end, path.split + edge.is_split, path.length + 1, in_table,
                      in_table ? with_word(path.hash, word) : 0, word, static_cast<std::uint32_t>(p)});
    }
  }

  const WordLattice& lattice_;
  std::vector<std::vector<WordId>> numbers_;  // of the edges' words
  std::size_t longest_;
  std::vector<Path> all_;
  std::vector<WordId> words_;
};

}  // namespace

WordLattice::WordLattice(const SourceLine& line, std::span<const TableInUse> tables) : edges_(line.tokens.size()) {
  for (std::uint32_t i = 0; i < size(); ++i) edges_[i].push_back({i + 1, line.tokens[i], false});
  for (const std::uint32_t i : line.split) edges_.at(i).front().is_split = true;
  for (const auto& [begin, end] : line.longer) {
    require_inside(begin, end, size());
    const auto tokens = std::span(line.tokens).subspan(begin, end - begin);
    edges_[begin].push_back({end, words_.emplace_back(joined(tokens)), false});
  }
  if (!line.joinable.empty()) join(line, tables);
}

void WordLattice::join(const SourceLine& line, std::span<const TableInUse> tables) {
  std::vector<std::pair<std::string, Range>> joined;
  std::string word;
  for (std::uint32_t begin = 0; begin < size(); ++begin) {
    if (!line.joinable[begin]) continue;
    word = line.tokens[begin];
    const std::uint32_t last = std::min(size(), begin + kLongestJoined);
    for (std::uint32_t end = begin + 1; end < last && line.joinable[end]; ++end) {
      word += line.tokens[end];
      if (std::ranges::find(line.longer, Range(begin, end + 1)) != line.longer.end()) continue;
      for (const TableInUse& used : tables) used.table->prefetch_word(word);
      joined.emplace_back(word, Range(begin, end + 1));
    }
  }
  for (auto& [text, span] : joined)
    if (std::ranges::any_of(tables, [&](const TableInUse& used) { return used.table->find(text).has_value(); }))
      edges_[span.first].push_back({span.second, words_.emplace_back(std::move(text)), false});
}

PhraseMatches::PhraseMatches(const SourceLine& line, std::span<const TableInUse> tables, std::size_t longest)
    : line_(line),
      tables_(tables),
      phrases_(tables.size()),
      in_number_(line.tokens.size()),
      is_mark_(line.tokens.size() + 1),
      is_end_(line.tokens.size() + 1) {
  const WordLattice lattice(line, tables);
  for (std::size_t t = 0; t < tables.size(); ++t) look_up(lattice, t, longest);
  for (const GivenSpan& span : line.given) require_inside(span.begin, span.end, lattice.size());
  for (const NumberSpan& number : line.numbers) {
    require_inside(number.begin, number.end, lattice.size());
    if (number.use == NumberUse::required)
      std::fill(in_number_.begin() + number.begin, in_number_.begin() + number.end, true);
  }
  for (const std::uint32_t mark : line.marks) is_mark_.at(mark) = true;
  for (const std::uint32_t end : line.ends) is_end_.at(end) = true;
  require();
  keep_marks();
  if (!line.keeps_numbers) return;
  if (!std::ranges::all_of(tables, [](const TableInUse& table) { return table.number_words; }))
    throw InternalError("a line keeps its numbers, but a table has no number words");
  keep_numbers();
}

void PhraseMatches::look_up(const WordLattice& lattice, std::size_t t, std::size_t longest) {
  const PhraseTable& table = *tables_[t].table;
  std::set<Range> before;
  if (tables_[t].backs_off)
    for (std::size_t earlier = 0; earlier < t; ++earlier)
      for (const Phrase& phrase : phrases_[earlier]) before.insert({phrase.begin, phrase.end});
  Paths paths(lattice, table, longest);
  for (std::uint32_t begin = 0; begin < lattice.size(); ++begin) {
    const auto here = paths.from(begin);
    for (const Paths::Path& path : here)
      if (path.known) table.prefetch(path.hash);
    for (const Paths::Path& path : here) {
      if (!path.known || before.contains({begin, path.end})) continue;
      if (std::optional<OptionReader> options = table.find(path.hash, paths.words(path)))
        phrases_[t].push_back({begin, path.end, path.length, path.split, std::move(*options)});
    }
  }
}

bool PhraseMatches::meets(const Phrase& phrase, const StoredOption& option, std::size_t t) const {
  const TableInUse& table = tables_[t];
  return contains_required(phrase, option, table.table->target_vocabulary()) &&
         fits_marks(phrase, option, table.table->target_vocabulary()) &&
         (!line_.keeps_numbers || table.number_words->say_exactly(option.words, phrase.numbers));
}

bool PhraseMatches::contains_required(const Phrase& phrase, const StoredOption& option,
                                      const Vocabulary& vocabulary) const {
  const auto contains = [&](const GivenTranslations::Alternative& part) {
    const auto equal = [&](WordId word, const std::string& text) { return vocabulary.word(word) == text; };
    return part.words.empty() || !std::ranges::search(option.words, part.words, equal).empty();
  };
  return std::ranges::all_of(
      phrase.required, [&](const GivenSpan* span) { return std::ranges::any_of(span->given.alternatives, contains); });
}

bool PhraseMatches::fits_marks(const Phrase& phrase, const StoredOption& option, const Vocabulary& vocabulary) const {
  const auto says_mark = [&](WordId word) { return is_punctuation(vocabulary.word(word)); };
  const auto begin = is_mark_.begin() + phrase.begin, end = is_mark_.begin() + phrase.end;
  const bool are_marks = std::all_of(begin, end, std::identity());
  if (are_marks)
    return std::ranges::none_of(option.words, [&](WordId word) { return has_letter(vocabulary.word(word)); });
  if (option.words.empty() || !says_mark(option.words.front())) return true;
  const bool is_repeated = option.words.size() > 1 &&
                           std::ranges::all_of(option.words, [&](WordId word) { return word == option.words.front(); });
  const bool has_end = std::any_of(is_end_.begin() + phrase.begin, is_end_.begin() + phrase.end, std::identity());
  if (has_end || !(is_repeated || is_end_[phrase.end])) return true;
  return !std::ranges::all_of(option.words, says_mark);
}

void PhraseMatches::keep_marks() {
  for (std::size_t t = 0; t < phrases_.size(); ++t) {
    const Vocabulary& vocabulary = tables_[t].table->target_vocabulary();
    std::erase_if(phrases_[t], [&](const Phrase& phrase) {
      return !has_option(phrase, [&](const StoredOption& option) { return fits_marks(phrase, option, vocabulary); });
    });
  }
}

void PhraseMatches::require() {
  std::vector<const GivenSpan*> required;
  for (const GivenSpan& span : line_.given)
    if (span.given.use == GivenUse::required) required.push_back(&span);
  if (required.empty()) return;
  for (std::size_t t = 0; t < phrases_.size(); ++t)
    std::erase_if(phrases_[t], [&](Phrase& phrase) {
      for (const GivenSpan* span : required) {
        if (!overlap(phrase, *span)) continue;
        if (!covers(phrase, *span)) return true;
        phrase.required.push_back(span);
      }
      if (phrase.required.empty()) return false;
      const Vocabulary& vocabulary = tables_[t].table->target_vocabulary();
      const bool any =
          has_option(phrase, [&](const StoredOption& option) { return contains_required(phrase, option, vocabulary); });
      if (any) met_.insert(met_.end(), phrase.required.begin(), phrase.required.end());
      return !any;
    });
}

void PhraseMatches::keep_numbers() {
  for (std::size_t t = 0; t < phrases_.size(); ++t)
    std::erase_if(phrases_[t], [&](Phrase& phrase) {
      for (const NumberSpan& number : line_.numbers) {
        if (!overlap(phrase, number)) continue;
        if (covers(phrase, number))
          phrase.numbers.push_back(&number);
        else if (number.use != NumberUse::optional)
          return true;
      }
      return !has_option(phrase, [&](const StoredOption& option) { return meets(phrase, option, t); });
    });
}

bool PhraseMatches::is_met(const GivenSpan& span) const { return std::ranges::find(met_, &span) != met_.end(); }

bool PhraseMatches::is_number(std::uint32_t begin, std::uint32_t end) const {
  return std::ranges::any_of(line_.numbers, [&](const NumberSpan& number) {
    return number.use != NumberUse::optional && number.begin == begin && number.end == end;
  });
}

bool PhraseMatches::splits_number(std::uint32_t begin, std::uint32_t end) const {
  return std::ranges::any_of(line_.numbers, [&](const NumberSpan& number) {
    const bool inside = begin <= number.begin && number.end <= end;
    return number.use != NumberUse::optional && number.begin < end && begin < number.end && !inside;
  });
}

template <class Chosen>
std::vector<Range> PhraseMatches::spans(Chosen&& chosen) const {
  std::vector<Range> matches;
  for (const std::vector<Phrase>& phrases : phrases_)
    for (const Phrase& phrase : phrases)
      if (chosen(phrase)) matches.emplace_back(phrase.begin, phrase.end);
  std::ranges::sort(matches);
  return matches;
}

std::vector<Range> PhraseMatches::translated() const {
  return spans([](const Phrase&) { return true; });
}

std::vector<Range> PhraseMatches::frequent(std::uint32_t rare) const {
  return spans([&](const Phrase& phrase) {
    if (phrase.words > 1) return true;
    OptionReader options = phrase.options;
    StoredOption first;
    const std::uint32_t count = options.next_without_links(first) ? first.counts[1] : 0;
    return count == 0 || count > rare;
  });
}

}  // namespace widl
