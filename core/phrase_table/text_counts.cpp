#include "phrase_table/text_counts.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "byte_reader.hpp"
#include "errors.hpp"
#include "phrase_table/table_format.hpp"

namespace widl {
namespace {

void append_count(std::string& bytes, LinkFrequency count) {
  append_varint(bytes, count.all);
  append_varint(bytes, count.in_domain);
}

LinkFrequency read_count(ByteReader& reader) {
  LinkFrequency count;
  count.all = reader.number32();
  count.in_domain = static_cast<std::uint32_t>(reader.number(count.all));
  return count;
}

void append_side(std::string& bytes, const SideCounts& side) {
  append_varint(bytes, side.vocabulary.size());
  for (WordId word = 0; word < side.vocabulary.size(); ++word) {
    append_text(bytes, side.vocabulary.word(word));
    append_varint(bytes, side.words[word].occurrences);
    append_count(bytes, side.words[word].linked);
    append_count(bytes, side.words[word].to_null);
  }
  append_count(bytes, side.null);
}

/// Makes room for the counts of a word, which may be new.
WordId intern(SideCounts& side, std::string_view word) {
  const WordId id = side.vocabulary.intern(word);
  side.words.resize(side.vocabulary.size());
  return id;
}

/// Returns the ids here of the words that were read.
std::vector<WordId> add_side(SideCounts& side, ByteReader& reader) {
  std::vector<WordId> words;
  for (std::uint64_t left = reader.number32(); left > 0; --left) {
    WordCounts& word = side.words[words.emplace_back(intern(side, reader.text()))];
    word.occurrences += reader.number();
    word.linked.add(read_count(reader));
    word.to_null.add(read_count(reader));
  }
  side.null.add(read_count(reader));
  return words;
}

/// Counts the words of a side of a text. `degrees`: each position's number of links.
void count_side(SideCounts& counts, const BitextSide& side, const std::vector<std::uint32_t>& degrees,
                std::uint32_t in_domain) {
  std::vector<WordId> words;
  for (WordId word = 0; word < side.vocabulary.size(); ++word)
    words.push_back(intern(counts, side.vocabulary.word(word)));
  for (std::uint32_t at = 0; at < side.words.size(); ++at) {
    WordCounts& word = counts.words[words[side.words[at]]];
    const std::uint32_t here = at < in_domain;
    const std::uint32_t links = std::max(1u, degrees[at]);
    ++word.occurrences;
    word.linked.add({links, here * links});
    if (degrees[at] > 0) continue;
    word.to_null.add({1, here});
    counts.null.add({1, here});
  }
}

/// Gives the words other ids, and returns them by old id. `uses`: the words' numbers of uses, which order them.
std::vector<WordId> renumber(SideCounts& side, std::span<const std::uint64_t> uses) {
  const WordNumbering numbering(side.vocabulary, uses);
  SideCounts renumbered;
  for (std::string_view word : numbering.words()) intern(renumbered, word);
  std::vector<WordId> words;
  for (WordId old = 0; old < side.vocabulary.size(); ++old)
    renumbered.words[words.emplace_back(numbering(old))] = side.words[old];
  renumbered.null = side.null;
  side = std::move(renumbered);
  return words;
}

}  // namespace

void LinkFrequency::add(LinkFrequency more) {
  if (more.all > std::numeric_limits<std::uint32_t>::max() - all)
    throw InputError("a word is linked more than 2^32 times: split the bitext");
  all += more.all;
  in_domain += more.in_domain;
}

TextCounts::TextCounts(std::string_view numbered) {
  add(numbered);
  add_up();
  begins_.resize(source_.vocabulary.size() + 1);
  for (const LinkedWords& link : linked_) ++begins_[link.source + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
}

std::string TextCounts::of(const Bitext& part) {
  const BitextSide &source = part.source(), &target = part.target();
  TextCounts counts;
  std::vector<std::uint32_t> source_degrees(source.words.size()), target_degrees(target.words.size());
  const std::uint32_t in_domain = target.begins[part.in_domain()];
  counts.linked_.reserve(part.link_count());
  for (std::uint32_t to = 0; to < target.words.size(); ++to)
    for (std::uint32_t from : part.links(to)) {
      counts.linked_.push_back({source.words[from], target.words[to], {1, to < in_domain}});
      ++source_degrees[from];
      ++target_degrees[to];
    }
  count_side(counts.source_, source, source_degrees, source.begins[part.in_domain()]);
  count_side(counts.target_, target, target_degrees, in_domain);
  counts.add_up();
  return counts.serialized();
}

std::string TextCounts::serialized() const {
  std::string bytes;
  append_side(bytes, source_);
  append_side(bytes, target_);
  append_varint(bytes, linked_.size());
  WordId source_before = 0, target_before = 0;
  for (const auto& [source, target, count] : linked_) {
    append_varint(bytes, source - source_before);
    append_varint(bytes, target - (source == source_before ? target_before : 0));
    append_count(bytes, count);
    source_before = source;
    target_before = target;
  }
  return bytes;
}

void TextCounts::add(std::string_view part) {
  ByteReader reader(part);
  const std::vector<WordId> sources = add_side(source_, reader), targets = add_side(target_, reader);
  std::uint64_t source = 0, target = 0;
  for (std::uint64_t left = reader.number(); left > 0; --left) {
    const std::uint64_t step = reader.number32();
    source += step;
    target = reader.number32() + (step == 0 ? target : 0);
    if (source >= sources.size() || target >= targets.size()) reader.fail("a link of unknown words");
    linked_.push_back({sources[source], targets[target], read_count(reader)});
  }
  // Not done after each part, because each time would take as long as all parts together.
  constexpr std::size_t kFew = std::size_t{1} << 20;
  if (linked_.size() >= 2 * added_up_ + kFew) add_up();
}

/// Sorts the linked words, and adds up the counts of equal ones.
void TextCounts::add_up() {
  std::sort(linked_.begin(), linked_.end(), [](const auto& a, const auto& b) { return a.key() < b.key(); });
  std::size_t size = 0;
  for (const LinkedWords& link : linked_)
    if (size > 0 && linked_[size - 1].key() == link.key())
      linked_[size - 1].count.add(link.count);
    else
      linked_[size++] = link;
  linked_.resize(size);
  added_up_ = size;
}

std::string TextCounts::numbered() {
  const std::vector<std::uint64_t> equal_uses(source_.vocabulary.size(), 1);  // then words are in the order of bytes
  const std::vector<WordId> sources = renumber(source_, equal_uses);
  std::vector<std::uint64_t> uses;
  for (const WordCounts& word : target_.words) uses.push_back(word.occurrences);
  const std::vector<WordId> targets = renumber(target_, uses);
  for (LinkedWords& link : linked_) link = {sources[link.source], targets[link.target], link.count};
  add_up();
  return serialized();
}

LinkFrequency TextCounts::linked(WordId source, WordId target) const {
  const auto begin = linked_.begin() + static_cast<std::ptrdiff_t>(begins_[source]);
  const auto end = linked_.begin() + static_cast<std::ptrdiff_t>(begins_[source + 1]);
  const auto link =
      std::lower_bound(begin, end, target, [](const LinkedWords& a, WordId word) { return a.target < word; });
  if (link == end || link->target != target)
    throw InputError("a link that was not in the text when its links were counted");
  return link->count;
}

bool TextCounts::has_in_domain() const {
  const auto is_in_domain = [](const WordCounts& word) { return word.linked.in_domain > 0; };
  return std::ranges::any_of(source_.words, is_in_domain) || std::ranges::any_of(target_.words, is_in_domain);
}

}  // namespace widl
