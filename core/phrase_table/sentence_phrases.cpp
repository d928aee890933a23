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

}  // namespace

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
                                 std::move(*options), {}});
      }
    }
    for (const Phrase& phrase : phrases_[t]) before.insert({phrase.begin, phrase.end});
  }
}

bool SentencePhrases::meets(const Phrase& phrase, const StoredOption& option, std::size_t table) const {
  const Vocabulary& vocabulary = tables_[table].table->target_vocabulary();
  const auto contains = [&](const std::vector<std::string>& part) {
    const auto equal = [&](WordId word, const std::string& text) { return vocabulary.word(word) == text; };
    return std::search(option.words.begin(), option.words.end(), part.begin(), part.end(), equal) != option.words.end() ||
           part.empty();
  };
  return std::ranges::all_of(phrase.required, [&](std::uint32_t number) {
    return std::ranges::any_of(required_[number].alternatives, contains);
  });
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
