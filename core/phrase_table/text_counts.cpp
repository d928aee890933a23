#include "phrase_table/text_counts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "byte_reader.hpp"
#include "errors.hpp"

namespace widl {
namespace {

constexpr std::uint64_t kMostLinked = std::numeric_limits<std::uint32_t>::max();

std::string written(const Vocabulary& source, const Vocabulary& target,
                    const std::vector<std::uint64_t>& target_frequencies, const std::array<WordCounts, 2>& counts,
                    const std::vector<LinkedWords>& linked) {
  std::string bytes;
  append_varint(bytes, source.size());
  for (WordId word = 0; word < source.size(); ++word) {
    append_text(bytes, source.word(word));
    for (const WordCounts& words : counts) {
      append_varint(bytes, words.source[word]);
      append_varint(bytes, words.source_null[word]);
    }
  }
  append_varint(bytes, target.size());
  for (WordId word = 0; word < target.size(); ++word) {
    append_text(bytes, target.word(word));
    append_varint(bytes, target_frequencies[word]);
    for (const WordCounts& words : counts) {
      append_varint(bytes, words.target[word]);
      append_varint(bytes, words.target_null[word]);
    }
  }
  for (const WordCounts& words : counts) {
    append_varint(bytes, words.null_source);
    append_varint(bytes, words.null_target);
  }
  append_varint(bytes, linked.size());
  LinkedWords before{0, 0, 0, 0};
  for (const LinkedWords& link : linked) {
    append_varint(bytes, link.source - before.source);
    append_varint(bytes, link.target - (link.source == before.source ? before.target : 0));
    append_varint(bytes, link.count);
    append_varint(bytes, link.in_domain);
    before = link;
  }
  return bytes;
}

void add_count(std::vector<std::uint32_t>& counts, WordId word, std::uint64_t count) {
  if (word >= counts.size()) counts.resize(word + 1);
  if (count > kMostLinked - counts[word]) throw InputError("a word is linked more than 2^32 times: split the bitext");
  counts[word] += static_cast<std::uint32_t>(count);
}

}  // namespace

TextCounts::TextCounts(std::string_view numbered) {
  add(numbered);
  add_up(linked_);
  begins_.resize(source_.size() + 1);
  for (const LinkedWords& link : linked_) ++begins_[link.source + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
}

std::string TextCounts::of(const Bitext& part) {
  std::vector<std::uint64_t> frequencies(part.target().vocabulary.size());
  for (WordId word : part.target().words) ++frequencies[word];
  return written(part.source().vocabulary, part.target().vocabulary, frequencies,
                 {count_words(part, part.sentences()), count_words(part, part.in_domain())}, linked_words(part));
}

void TextCounts::add(std::string_view part) {
  ByteReader reader(part);
  std::vector<WordId> sources, targets;  // the part's words, by this object's word ids
  for (std::uint64_t left = reader.number(kMostLinked); left > 0; --left) {
    sources.push_back(source_.intern(reader.text()));
    for (WordCounts& words : words_) {
      add_count(words.source, sources.back(), reader.number());
      add_count(words.source_null, sources.back(), reader.number());
    }
  }
  for (std::uint64_t left = reader.number(kMostLinked); left > 0; --left) {
    targets.push_back(target_.intern(reader.text()));
    target_frequencies_.resize(target_.size());
    target_frequencies_[targets.back()] += reader.number(kMostLinked);
    for (WordCounts& words : words_) {
      add_count(words.target, targets.back(), reader.number());
      add_count(words.target_null, targets.back(), reader.number());
    }
  }
  for (WordCounts& words : words_) {
    words.null_source += reader.number(kMostLinked);
    words.null_target += reader.number(kMostLinked);
  }
  std::uint64_t source = 0, target = 0;
  for (std::uint64_t left = reader.number(); left > 0; --left) {
    const std::uint64_t step = reader.number(kMostLinked);
    source += step;
    target = reader.number(kMostLinked) + (step == 0 ? target : 0);
    if (source >= sources.size() || target >= targets.size())
      throw InputError("damaged: a link of unknown words");
    const auto count = static_cast<std::uint32_t>(reader.number(kMostLinked));
    linked_.push_back({sources[source], targets[target], count, static_cast<std::uint32_t>(reader.number(count))});
  }
  if (!reader.at_end()) throw InputError("damaged: extra data at the end");
  // Not done after each part, because each time would take as long as all parts together.
  constexpr std::size_t kFew = std::size_t{1} << 20;
  if (linked_.size() < 2 * added_up_ + kFew) return;
  add_up(linked_);
  added_up_ = linked_.size();
}

std::string TextCounts::numbered() {
  number();
  return written(source_, target_, target_frequencies_, words_, linked_);
}

/// Assigns the words their ids in the whole text.
void TextCounts::number() {
  const auto renumber = [](Vocabulary& vocabulary, const std::vector<WordId>& order, auto&... counts) {
    std::vector<WordId> numbers(order.size());
    for (WordId id = 0; id < order.size(); ++id) numbers[order[id]] = id;
    vocabulary = reordered(vocabulary, order);
    const auto reorder = [&](auto& values) {
      auto sorted = values;
      for (WordId id = 0; id < order.size(); ++id) sorted[id] = values[order[id]];
      values = std::move(sorted);
    };
    (reorder(counts), ...);
    return numbers;
  };
  auto& [all, in_domain] = words_;
  const std::vector<WordId> sources = renumber(source_, in_byte_order(source_), all.source, all.source_null,
                                               in_domain.source, in_domain.source_null);
  const std::vector<WordId> targets = renumber(target_, by_frequency(target_, target_frequencies_), target_frequencies_,
                                               all.target, all.target_null, in_domain.target, in_domain.target_null);
  for (LinkedWords& link : linked_) link = {sources[link.source], targets[link.target], link.count, link.in_domain};
  add_up(linked_);
  added_up_ = linked_.size();
}

std::array<LinkCounts, 2> TextCounts::link_counts(const Bitext& text) const {
  if (begins_.empty()) throw InternalError("words without numbers");
  std::array<std::vector<std::uint32_t>, 2> joint;
  for (std::vector<std::uint32_t>& counts : joint) counts.reserve(text.link_count());
  for (std::uint32_t at = 0; at < text.target().words.size(); ++at)
    for (std::uint32_t from : text.links(at)) {
      const LinkedWords words{text.source().words[from], text.target().words[at], 0};
      const auto begin = linked_.begin() + static_cast<std::ptrdiff_t>(begins_[words.source]);
      const auto end = linked_.begin() + static_cast<std::ptrdiff_t>(begins_[words.source + 1]);
      const auto entry = std::lower_bound(begin, end, words.key(),
                                          [](const LinkedWords& link, std::uint64_t key) { return link.key() < key; });
      if (entry == end || entry->key() != words.key())
        throw InputError("a link that was not in the text when its links were counted");
      joint[0].push_back(entry->count);
      joint[1].push_back(entry->in_domain);
    }
  return {LinkCounts{words_[0], std::move(joint[0])}, LinkCounts{words_[1], std::move(joint[1])}};
}

bool TextCounts::has_in_domain() const {
  return words_[1].null_source > 0 || words_[1].null_target > 0 ||
         std::any_of(words_[1].source.begin(), words_[1].source.end(), [](std::uint32_t count) { return count > 0; });
}

}  // namespace widl
