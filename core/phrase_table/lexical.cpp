#include "phrase_table/lexical.hpp"

#include <algorithm>
#include <utility>

namespace widl {
namespace {

double ratio(std::uint64_t part, std::uint64_t all) { return static_cast<double>(part) / static_cast<double>(all); }

using WordPair = std::uint64_t;  // source word above target word

template <class Visit>
void for_each_link(const Bitext& bitext, Visit&& visit) {
  for (std::uint32_t target = 0; target < bitext.target().words.size(); ++target)
    for (std::uint32_t source : bitext.links(target)) visit(source, target);
}

constexpr double kPrior = 5;  // number of occurrences that w(e|f) of all text counts as, in the in-domain weights

/// The number of links in the in-domain part.
std::uint32_t in_domain_links(const Bitext& bitext) {
  return bitext.in_domain() == 0 ? 0 : bitext.first_link(bitext.target().begins[bitext.in_domain()]);
}

/// Joint counts of each link's word pair, by link index: in the whole text and in its in-domain part.
std::array<std::vector<std::uint32_t>, 2> joint_counts(const Bitext& bitext) {
  std::vector<std::pair<WordPair, std::uint32_t>> links;  // with their numbers
  links.reserve(bitext.link_count());
  for_each_link(bitext, [&](std::uint32_t from, std::uint32_t to) {
    const WordPair pair = WordPair{bitext.source().words[from]} << 32 | bitext.target().words[to];
    links.emplace_back(pair, static_cast<std::uint32_t>(links.size()));
  });
  std::sort(links.begin(), links.end());
  const std::uint32_t in_domain = in_domain_links(bitext);
  std::array<std::vector<std::uint32_t>, 2> joint;
  joint[0].resize(links.size());
  if (bitext.in_domain() > 0) joint[1].resize(links.size());
  for (auto begin = links.begin(); begin != links.end();) {
    const auto end = std::find_if(begin, links.end(), [&](auto& link) { return link.first != begin->first; });
    const auto out = std::find_if(begin, end, [&](auto& link) { return link.second >= in_domain; });
    for (auto link = begin; link != end; ++link) {
      joint[0][link->second] = static_cast<std::uint32_t>(end - begin);
      if (bitext.in_domain() > 0) joint[1][link->second] = static_cast<std::uint32_t>(out - begin);
    }
    begin = end;
  }
  return joint;
}

}  // namespace

WordCounts count_words(const Bitext& bitext, std::size_t sentences) {
  const BitextSide &source = bitext.source(), &target = bitext.target();
  WordCounts counts;
  counts.source.resize(source.vocabulary.size());
  counts.source_null = counts.source;
  counts.target.resize(target.vocabulary.size());
  counts.target_null = counts.target;
  std::vector<bool> linked(source.begins[sentences]);
  for (std::uint32_t at = 0; at < target.begins[sentences]; ++at) {
    const WordId word = target.words[at];
    const auto links = bitext.links(at);
    counts.target[word] += std::max<std::uint32_t>(1, static_cast<std::uint32_t>(links.size()));
    counts.target_null[word] += links.empty();
    counts.null_source += links.empty();
    for (std::uint32_t from : links) {
      linked[from] = true;
      ++counts.source[source.words[from]];
    }
  }
  for (std::uint32_t at = 0; at < linked.size(); ++at) {
    if (linked[at]) continue;
    ++counts.source[source.words[at]];
    ++counts.source_null[source.words[at]];
    ++counts.null_target;
  }
  return counts;
}

void add_up(std::vector<LinkedWords>& words) {
  std::sort(words.begin(), words.end(), [](const LinkedWords& a, const LinkedWords& b) { return a.key() < b.key(); });
  std::size_t size = 0;
  for (const LinkedWords& link : words)
    if (size > 0 && words[size - 1].key() == link.key()) {
      words[size - 1].count += link.count;
      words[size - 1].in_domain += link.in_domain;
    } else {
      words[size++] = link;
    }
  words.resize(size);
}

std::vector<LinkedWords> linked_words(const Bitext& bitext) {
  std::vector<LinkedWords> words;
  words.reserve(bitext.link_count());
  const std::uint32_t in_domain = in_domain_links(bitext);
  for_each_link(bitext, [&](std::uint32_t from, std::uint32_t to) {
    words.push_back({bitext.source().words[from], bitext.target().words[to], 1, words.size() < in_domain});
  });
  add_up(words);
  return words;
}

std::array<LinkCounts, 2> link_counts(const Bitext& bitext) {
  auto [all, in_domain] = joint_counts(bitext);
  return {LinkCounts{count_words(bitext, bitext.sentences()), std::move(all)},
          LinkCounts{count_words(bitext, bitext.in_domain()), std::move(in_domain)}};
}

LexicalWeights lexical_weights(const Bitext& bitext, const LinkCounts& all, const LinkCounts* in_domain) {
  const BitextSide &source = bitext.source(), &target = bitext.target();
  // Estimates a probability from the counts that `part` and `whole` select.
  const auto probability = [&](auto&& part, auto&& whole) {
    const double w = ratio(part(all), whole(all));
    return in_domain == nullptr
               ? w
               : (static_cast<double>(part(*in_domain)) + kPrior * w) / (static_cast<double>(whole(*in_domain)) + kPrior);
  };
  LexicalWeights weights{std::vector<float>(source.words.size()), std::vector<float>(target.words.size())};
  std::vector<std::uint32_t> degree(source.words.size());
  for (std::uint32_t to = 0; to < target.words.size(); ++to) {
    const WordId word = target.words[to];
    const auto linked = bitext.links(to);
    double sum = 0;
    for (std::size_t i = 0; i < linked.size(); ++i) {
      const std::size_t link = bitext.first_link(to) + i;
      const auto both = [&](const LinkCounts& counts) { return counts.joint[link]; };
      sum += probability(both, [&](const LinkCounts& counts) { return counts.words.source[source.words[linked[i]]]; });
      weights.source[linked[i]] +=
          static_cast<float>(probability(both, [&](const LinkCounts& counts) { return counts.words.target[word]; }));
      ++degree[linked[i]];
    }
    weights.target[to] = static_cast<float>(
        linked.empty() ? probability([&](const LinkCounts& counts) { return counts.words.target_null[word]; },
                                     [](const LinkCounts& counts) { return counts.words.null_source; })
                       : sum / static_cast<double>(linked.size()));
  }
  for (std::uint32_t from = 0; from < source.words.size(); ++from) {
    const WordId word = source.words[from];
    if (degree[from] > 0)
      weights.source[from] = std::min(1.0f, weights.source[from] / static_cast<float>(degree[from]));
    else
      weights.source[from] =
          static_cast<float>(probability([&](const LinkCounts& counts) { return counts.words.source_null[word]; },
                                         [](const LinkCounts& counts) { return counts.words.null_target; }));
  }
  return weights;
}

}  // namespace widl
