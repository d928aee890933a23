#include "metrics/metric_statistics.hpp"

#include <algorithm>
#include <cstdlib>

#include "metrics/translation_edit_rate.hpp"
#include "text_fields.hpp"

namespace widl {
namespace {

constexpr WordId kUnknown = ~WordId{0};

std::uint64_t edge(std::uint32_t node, WordId word) { return std::uint64_t{node} << 32 | word; }

double ngrams_of(std::size_t length, std::size_t order) {
  return length >= order ? static_cast<double>(length - order + 1) : 0;
}

std::size_t longest_common_subsequence(std::span<const WordId> a, std::span<const WordId> b) {
  std::vector<std::uint32_t> row(b.size() + 1, 0);
  for (WordId word : a) {
    std::uint32_t diagonal = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint32_t above = row[j];
      row[j] = word == b[j - 1] ? diagonal + 1 : std::max(above, row[j - 1]);
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

MetricStatistics::MetricStatistics(const std::vector<std::vector<std::string>>& references, std::size_t max_order)
    : max_order_(max_order), sentences_(references.size()) {
  for (std::size_t s = 0; s < references.size(); ++s) {
    Sentence& sentence = sentences_[s];
    for (const std::string& text : references[s]) {
      Words& words = sentence.references.emplace_back();
      for_each_word(text, [&](std::string_view word) {
        if (!word.empty()) words.push_back(vocabulary_.intern(word));
      });
    }
    sentence.counts.assign(sentence.references.size(), 0);  // of the root
    sentence.orders.assign(1, 0);
    for (std::size_t r = 0; r < sentence.references.size(); ++r) add_reference(sentence, r, sentence.references[r]);
  }
}

void MetricStatistics::add_reference(Sentence& sentence, std::size_t reference, const Words& words) const {
  const std::size_t width = sentence.references.size();
  for (std::size_t i = 0; i < words.size(); ++i) {
    NodeId node = 0;
    for (std::size_t n = 0; n < max_order_ && i + n < words.size(); ++n) {
      const auto [child, added] =
          sentence.children.try_emplace(edge(node, words[i + n]), static_cast<NodeId>(sentence.orders.size()));
      if (added) {
        sentence.counts.resize(sentence.counts.size() + width, 0);
        sentence.orders.push_back(static_cast<std::uint8_t>(n + 1));
      }
      node = child->second;
      ++sentence.counts[node * width + reference];
    }
  }
}

MetricStatistics::Words MetricStatistics::known_words(std::string_view text) const {
  Words words;
  for_each_word(text, [&](std::string_view word) {
    if (!word.empty()) words.push_back(vocabulary_.find(word).value_or(kUnknown));
  });
  return words;
}

std::vector<std::uint32_t> MetricStatistics::count_nodes(const Sentence& sentence, const Words& words) const {
  std::vector<std::uint32_t> counts(sentence.orders.size(), 0);
  for (std::size_t i = 0; i < words.size(); ++i) {
    NodeId node = 0;
    for (std::size_t n = 0; n < max_order_ && i + n < words.size(); ++n) {
      const auto child = sentence.children.find(edge(node, words[i + n]));
      if (child == sentence.children.end()) break;
      node = child->second;
      ++counts[node];
    }
  }
  return counts;
}

void MetricStatistics::bleu(std::size_t sentence_index, std::string_view text, std::span<double> result) const {
  const Sentence& sentence = sentences_[sentence_index];
  const Words words = known_words(text);
  const std::size_t width = sentence.references.size();
  std::fill(result.begin(), result.end(), 0.0);
  const auto counts = count_nodes(sentence, words);
  for (std::size_t node = 1; node < counts.size(); ++node) {
    if (counts[node] == 0) continue;
    const auto first = sentence.counts.begin() + static_cast<std::ptrdiff_t>(node * width);
    const std::uint32_t allowed = *std::max_element(first, first + static_cast<std::ptrdiff_t>(width));
    result[sentence.orders[node] - 1u] += std::min(counts[node], allowed);
  }
  for (std::size_t n = 1; n <= max_order_; ++n) result[max_order_ + n - 1] = ngrams_of(words.size(), n);
  const auto distance = [&](std::size_t length) {
    return std::abs(static_cast<std::int64_t>(length) - static_cast<std::int64_t>(words.size()));
  };
  std::size_t closest = sentence.references.front().size();
  for (const Words& reference : sentence.references) {
    const std::size_t length = reference.size();
    if (distance(length) < distance(closest) || (distance(length) == distance(closest) && length < closest))
      closest = length;
  }
  result[2 * max_order_] = static_cast<double>(words.size());
  result[2 * max_order_ + 1] = static_cast<double>(closest);
}

std::array<double, 3> MetricStatistics::rouge(std::size_t sentence_index, std::size_t reference, std::string_view text,
                                              std::size_t order) const {
  const Sentence& sentence = sentences_[sentence_index];
  const Words words = known_words(text);
  const Words& reference_words = sentence.references[reference];
  if (order == 0)
    return {static_cast<double>(longest_common_subsequence(words, reference_words)), static_cast<double>(words.size()),
            static_cast<double>(reference_words.size())};
  const std::size_t width = sentence.references.size();
  const auto counts = count_nodes(sentence, words);
  double shared = 0;
  for (std::size_t node = 1; node < counts.size(); ++node)
    if (sentence.orders[node] == order) shared += std::min(counts[node], sentence.counts[node * width + reference]);
  return {shared, ngrams_of(words.size(), order), ngrams_of(reference_words.size(), order)};
}

std::array<double, 2> MetricStatistics::ter(std::size_t sentence_index, std::string_view text) const {
  const Sentence& sentence = sentences_[sentence_index];
  const Words words = known_words(text);
  std::size_t fewest = ~std::size_t{0}, length = 0;
  for (const Words& reference : sentence.references) {
    fewest = std::min(fewest, translation_edits(words, reference));
    length += reference.size();
  }
  return {static_cast<double>(fewest), static_cast<double>(length) / static_cast<double>(sentence.references.size())};
}

}  // namespace widl
