#include "phrase_table/bitext.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "errors.hpp"

namespace widl {
namespace {

/// Renumbers the words: the first in `order` becomes 0.
void renumber(BitextSide& side, const std::vector<WordId>& order) {
  std::vector<WordId> renumbered(order.size());
  for (WordId id = 0; id < order.size(); ++id) renumbered[order[id]] = id;
  for (WordId& word : side.words) word = renumbered[word];
  side.vocabulary = reordered(side.vocabulary, order);
}

std::vector<WordId> all_words(const Vocabulary& vocabulary) {
  std::vector<WordId> order(vocabulary.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace

std::vector<WordId> in_byte_order(const Vocabulary& vocabulary) {
  std::vector<WordId> order = all_words(vocabulary);
  std::sort(order.begin(), order.end(), [&](WordId a, WordId b) { return vocabulary.word(a) < vocabulary.word(b); });
  return order;
}

std::vector<WordId> by_frequency(const Vocabulary& vocabulary, const std::vector<std::uint64_t>& frequencies) {
  std::vector<WordId> order = all_words(vocabulary);
  std::sort(order.begin(), order.end(), [&](WordId a, WordId b) {
    if (frequencies[a] != frequencies[b]) return frequencies[a] > frequencies[b];
    return vocabulary.word(a) < vocabulary.word(b);
  });
  return order;
}

Vocabulary reordered(const Vocabulary& vocabulary, const std::vector<WordId>& order) {
  Vocabulary result;
  for (WordId word : order) result.intern(vocabulary.word(word));
  return result;
}

Bitext::Bitext(const Vocabulary& source, const Vocabulary& target) {
  numbered_ = {source.size(), target.size()};
  source_.vocabulary = reordered(source, all_words(source));
  target_.vocabulary = reordered(target, all_words(target));
}

void Bitext::append(std::string_view source, std::string_view target, std::vector<Link> links) {
  if (frozen_) throw InternalError("a frozen bitext takes no more sentences");
  source_.append(source);
  target_.append(target);
  if (numbered_ && *numbered_ != std::pair(source_.vocabulary.size(), target_.vocabulary.size()))
    throw InputError("a word that was not in the text when its words were counted");
  append_links(std::move(links));
}

void Bitext::append(std::span<const WordId> source, std::span<const WordId> target, std::vector<Link> links) {
  source_.words.insert(source_.words.end(), source.begin(), source.end());
  source_.begins.push_back(static_cast<std::uint32_t>(source_.words.size()));
  target_.words.insert(target_.words.end(), target.begin(), target.end());
  target_.begins.push_back(static_cast<std::uint32_t>(target_.words.size()));
  append_links(std::move(links));
}

void Bitext::append_links(std::vector<Link> links) {
  const std::uint32_t source_begin = source_.begins.end()[-2], target_begin = target_.begins.end()[-2];
  const std::uint32_t source_size = source_.begins.back() - source_begin;
  const std::uint32_t target_size = target_.begins.back() - target_begin;
  std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
    return std::pair(a.target, a.source) < std::pair(b.target, b.source);
  });
  links.erase(std::unique(links.begin(), links.end()), links.end());
  std::size_t next = 0;
  for (std::uint32_t target_at = 0; target_at < target_size; ++target_at) {
    for (; next < links.size() && links[next].target == target_at; ++next) {
      if (links[next].source >= source_size) break;
      link_sources_.push_back(source_begin + links[next].source);
    }
    link_begins_.push_back(static_cast<std::uint32_t>(link_sources_.size()));
  }
  if (next < links.size())
    throw InputError("alignment point " + std::to_string(links[next].source) + "-" +
                     std::to_string(links[next].target) + " is outside the sentences of " +
                     std::to_string(source_size) + " and " + std::to_string(target_size) + " words");
}

void Bitext::freeze() {
  if (frozen_) return;
  frozen_ = true;
  if (!numbered_) {
    renumber(source_, in_byte_order(source_.vocabulary));
    std::vector<std::uint64_t> frequencies(target_.vocabulary.size());
    for (WordId word : target_.words) ++frequencies[word];
    renumber(target_, by_frequency(target_.vocabulary, frequencies));
  }
  for (BitextSide* side : {&source_, &target_}) {
    side->words.shrink_to_fit();
    side->begins.shrink_to_fit();
  }
  link_begins_.shrink_to_fit();
  link_sources_.shrink_to_fit();
}

}  // namespace widl
