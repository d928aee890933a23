#include "phrase_table/lexical.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace widl {
namespace {

constexpr double kPrior = 5;  // number of occurrences that w(e|f) of all text counts as, in the in-domain weights

Probability weight(double product) {
  // A phrase of many rare words may have a probability that is too small for a float.
  return Probability::of(std::max(static_cast<float>(product), std::numeric_limits<float>::min()));
}

}  // namespace

double LexicalWeights::probability(LinkFrequency part, LinkFrequency whole) const {
  const double w = static_cast<double>(part.all) / whole.all;
  return in_domain_ ? (part.in_domain + kPrior * w) / (whole.in_domain + kPrior) : w;
}

std::array<Probability, 2> LexicalWeights::of(std::span<const WordId> source, std::span<const WordId> target,
                                              std::span<const AlignmentPoint> links) {
  const SideCounts &sources = counts_.source(), &targets = counts_.target();
  sums_.assign(source.size(), 0);
  degrees_.assign(source.size(), 0);
  double of_target = 1;
  auto link = links.begin();
  for (std::size_t to = 0; to < target.size(); ++to) {
    const WordId word = target[to];
    double sum = 0;
    std::size_t degree = 0;
    for (; link != links.end() && link->target == to; ++link, ++degree) {
      const WordId from = source[link->source];
      const LinkFrequency both = counts_.linked(from, word);
      sum += probability(both, sources.words[from].linked);
      sums_[link->source] += static_cast<float>(probability(both, targets.words[word].linked));
      ++degrees_[link->source];
    }
    of_target *= static_cast<float>(degree > 0 ? sum / static_cast<double>(degree)
                                               : probability(targets.words[word].to_null, targets.null));
  }
  double of_source = 1;
  for (std::size_t from = 0; from < source.size(); ++from) {
    const WordId word = source[from];
    of_source *= degrees_[from] > 0 ? std::min(1.0f, sums_[from] / static_cast<float>(degrees_[from]))
                                    : static_cast<float>(probability(sources.words[word].to_null, sources.null));
  }
  return {weight(of_source), weight(of_target)};
}

}  // namespace widl
