#include "phrase_table/sentence_phrases.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace widl {
namespace {

constexpr WordId kNotInTable = ~WordId{0};

/// A sequence of words from a position on, under one table.
struct Path {
  std::uint32_t end;
  std::uint32_t cut_off;
  bool known;  ///< whether the table has all of its words in some phrase
  std::uint64_t hash;
  std::vector<WordId> words;
};

/// All paths that begin at a position, shorter ones first.
class Paths {
 public:
  /// numbers: of the edges' words, by position.
  Paths(const std::vector<std::vector<WordEdge>>& edges, const std::vector<std::vector<WordId>>& numbers, std::size_t longest)
      : edges_(edges), numbers_(numbers), longest_(longest) {}

  const std::vector<Path>& from(std::uint32_t begin) {
    all_.assign(1, {begin, 0, true, kNoWords, {}});
    std::size_t first = 0;
    for (std::size_t length = 1; length <= longest_; ++length) {
      const std::size_t last = all_.size();
      for (std::size_t p = first; p < last; ++p) extend(p, last);
      if (all_.size() == last) break;
      first = last;
    }
    all_.erase(all_.begin());
    return all_;
  }

 private:
  void extend(std::size_t p, std::size_t first_longer) {
    const std::uint32_t at = all_[p].end;
    if (at >= edges_.size()) return;
    for (std::size_t e = 0; e < edges_[at].size(); ++e) {
      if (all_.size() - first_longer == SentencePhrases::kMostPaths) return;
      const WordEdge& edge = edges_[at][e];
      const WordId word = numbers_[at][e];
      Path longer{edge.end, all_[p].cut_off + edge.cut_off, all_[p].known && word != kNotInTable, 0, {}};
      if (longer.known) {
        longer.hash = with_word(all_[p].hash, word);
        longer.words = all_[p].words;
        longer.words.push_back(word);
      }
      all_.push_back(std::move(longer));
    }
  }

  const std::vector<std::vector<WordEdge>>& edges_;
  const std::vector<std::vector<WordId>>& numbers_;
  std::size_t longest_;
  std::vector<Path> all_;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), lower);
  return result;
}

/// Digits with what may stand among them, and perhaps the ending of an ordinal or a plural: 1,234.5, 10:30, 19th, 1990s.
bool is_digital(std::string_view text) {
  if (text.size() > 1 && text.front() == '\'') text.remove_prefix(1);  // '90s
  if (text.empty() || !is_digit(text.front())) return false;
  const std::size_t end = std::min(text.find_first_not_of("0123456789.,:/"), text.size());
  const std::string rest = lower_case(text.substr(end));
  return rest.empty() || rest == "st" || rest == "nd" || rest == "rd" || rest == "th" || rest == "s" || rest == "'s";
}

/// Whether a word is one of a number, in any case, or a compound with it: 30 is said by 30 and 30-year.
bool says(std::string_view word, std::string_view number) {
  const auto equal = [](char a, char b) { return lower(a) == lower(b); };
  if (word.size() == number.size()) return std::ranges::equal(word, number, equal);
  if (word.size() < number.size() + 2) return false;
  const std::size_t rest = word.size() - number.size();
  return (word[number.size()] == '-' && std::ranges::equal(word.substr(0, number.size()), number, equal)) ||
         (word[rest - 1] == '-' && std::ranges::equal(word.substr(rest), number, equal));
}

}  // namespace

NumberWords::NumberWords(const Vocabulary& vocabulary, const std::vector<std::string>& words) : says_(vocabulary.size()) {
  const std::set<std::string, std::less<>> listed(words.begin(), words.end());
  for (std::size_t id = 0; id < says_.size(); ++id) {
    std::string_view word = vocabulary.word(static_cast<WordId>(id));
    bool any = false, is_name = false;
    for (std::string_view rest = word; !rest.empty();) {
      const std::string_view part = rest.substr(0, rest.find('-'));
      rest.remove_prefix(std::min(part.size() + 1, rest.size()));
      if (is_digital(part) || listed.contains(lower_case(part))) any = true;
      else is_name |= std::ranges::any_of(part, is_upper);
    }
    says_[id] = any && !is_name;
  }
}

SentencePhrases::SentencePhrases(const std::vector<std::vector<WordEdge>>& edges, std::vector<TableInUse> tables,
                                 std::size_t longest)
    : tables_(std::move(tables)), phrases_(tables_.size()) {
  std::set<Span> before;  // spans that a table before translates
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const PhraseTable& table = *tables_[t].table;
    std::vector<std::vector<WordId>> numbers(edges.size());
    for (std::size_t at = 0; at < edges.size(); ++at)
      for (const WordEdge& edge : edges[at]) numbers[at].push_back(table.source_word(edge.word).value_or(kNotInTable));
    Paths paths(edges, numbers, longest);
    for (std::uint32_t begin = 0; begin < edges.size(); ++begin) {
      const std::vector<Path>& here = paths.from(begin);
      for (const Path& path : here)
        if (path.known) table.prefetch(path.hash);
      for (const Path& path : here) {
        if (!path.known || (tables_[t].backs_off && before.contains({begin, path.end}))) continue;
        if (std::optional<PhraseTable::Options> options = table.find(path.hash, path.words))
          phrases_[t].push_back({begin, path.end, static_cast<std::uint32_t>(path.words.size()), path.cut_off,
                                 std::move(*options), {}, {}});
      }
    }
    for (const Phrase& phrase : phrases_[t]) before.insert({phrase.begin, phrase.end});
  }
}

bool SentencePhrases::meets(const Phrase& phrase, const StoredOption& option, std::size_t table) const {
  return contains_required(phrase, option, tables_[table].table->target_vocabulary()) &&
         (number_words_.empty() || says_its_numbers(phrase, option, table));
}

bool SentencePhrases::contains_required(const Phrase& phrase, const StoredOption& option,
                                        const Vocabulary& vocabulary) const {
  const auto contains = [&](const std::vector<std::string>& part) {
    const auto equal = [&](WordId word, const std::string& text) { return vocabulary.word(word) == text; };
    return std::search(option.words.begin(), option.words.end(), part.begin(), part.end(), equal) != option.words.end() ||
           part.empty();
  };
  return std::ranges::all_of(phrase.required, [&](std::uint32_t number) {
    return std::ranges::any_of(required_[number].alternatives, contains);
  });
}

bool SentencePhrases::says_its_numbers(const Phrase& phrase, const StoredOption& option, std::size_t table) const {
  const NumberWords& words = *number_words_[table];
  const auto is_number = [&](WordId word) { return words.contains(word); };
  if (phrase.numbers.empty()) return std::ranges::none_of(option.words, is_number);
  const Vocabulary& vocabulary = tables_[table].table->target_vocabulary();
  std::vector<bool> said(option.words.size());
  // Marks the first place where a wording stands that no other number has taken.
  const auto mark = [&](const std::vector<std::string>& wording) {
    for (std::size_t at = 0; at + wording.size() <= option.words.size(); ++at) {
      bool stands = true;
      for (std::size_t i = 0; stands && i < wording.size(); ++i)
        stands = !said[at + i] && says(vocabulary.word(option.words[at + i]), wording[i]);
      if (stands) return std::fill_n(said.begin() + static_cast<std::ptrdiff_t>(at), wording.size(), true), true;
    }
    return false;
  };
  for (const bool required : {true, false})
    for (std::uint32_t index : phrase.numbers) {
      const NumberSpan& number = numbers_[index];
      if (number.required == required && !std::ranges::any_of(number.wordings, mark) && required) return false;
    }
  for (std::size_t i = 0; i < option.words.size(); ++i)
    if (!said[i] && is_number(option.words[i])) return false;
  return true;
}

std::vector<bool> SentencePhrases::require(std::vector<RequiredSpan> spans) {
  required_ = std::move(spans);
  std::vector<bool> met(required_.size());
  for (std::size_t t = 0; t < phrases_.size(); ++t) {
    std::erase_if(phrases_[t], [&](Phrase& phrase) {
      for (std::uint32_t number = 0; number < required_.size(); ++number) {
        const RequiredSpan& span = required_[number];
        if (phrase.end <= span.begin || span.end <= phrase.begin) continue;
        if (span.begin < phrase.begin || phrase.end < span.end) return true;
        phrase.required.push_back(number);
      }
      if (phrase.required.empty()) return false;
      PhraseTable::Options options = phrase.options;
      bool any = false;
      for (StoredOption option; !any && options.next_without_links(option);) any = meets(phrase, option, t);
      if (any)
        for (std::uint32_t number : phrase.required) met[number] = true;
      return !any;
    });
  }
  return met;
}

void SentencePhrases::keep_numbers(std::vector<NumberSpan> spans, std::vector<const NumberWords*> words) {
  numbers_ = std::move(spans);
  number_words_ = std::move(words);
  for (std::size_t t = 0; t < phrases_.size(); ++t)
    std::erase_if(phrases_[t], [&](Phrase& phrase) {
      for (std::uint32_t index = 0; index < numbers_.size(); ++index) {
        const NumberSpan& number = numbers_[index];
        if (phrase.end <= number.begin || number.end <= phrase.begin) continue;
        if (phrase.begin <= number.begin && number.end <= phrase.end) phrase.numbers.push_back(index);
        else if (number.required) return true;
      }
      PhraseTable::Options options = phrase.options;
      for (StoredOption option; options.next_without_links(option);)
        if (meets(phrase, option, t)) return false;
      return true;
    });
}

bool SentencePhrases::is_number(std::uint32_t begin, std::uint32_t end) const {
  return std::ranges::any_of(numbers_, [&](const NumberSpan& number) {
    return number.required && number.begin == begin && number.end == end;
  });
}

std::vector<SentencePhrases::Span> SentencePhrases::translated() const {
  std::set<Span> spans;
  for (const std::vector<Phrase>& of_table : phrases_)
    for (const Phrase& phrase : of_table) spans.insert({phrase.begin, phrase.end});
  return {spans.begin(), spans.end()};
}

std::vector<SentencePhrases::Span> SentencePhrases::frequent(std::uint32_t rare) const {
  std::set<Span> spans;
  for (const std::vector<Phrase>& of_table : phrases_)
    for (const Phrase& phrase : of_table) {
      bool is_frequent = phrase.words > 1;
      if (!is_frequent) {
        PhraseTable::Options options = phrase.options;
        StoredOption first;
        const std::uint32_t count = options.next_without_links(first) ? first.counts[1] : 0;
        is_frequent = count == 0 || count > rare;
      }
      if (is_frequent) spans.insert({phrase.begin, phrase.end});
    }
  return {spans.begin(), spans.end()};
}

}  // namespace widl
