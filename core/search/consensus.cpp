#include "search/consensus.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "errors.hpp"
#include "search/lattice_ngrams.hpp"
#include "search/lattice_posterior.hpp"
#include "search/path_ranking.hpp"

namespace widl {

namespace {

/// What PathRanking wants to know of a lattice, or of one that is divided by n-grams.
class ScoredPaths {
 public:
  using NodeId = std::uint32_t;
  static constexpr NodeId kNone = ~NodeId{0};
  static constexpr double kWorst = -std::numeric_limits<double>::infinity();
  struct Arc {
    NodeId from, to;
    std::uint32_t label;   ///< number of the lattice's arc
    std::uint32_t phrase;
    double score;
  };

  ScoredPaths(const Lattice& lattice, std::size_t nodes) : size_(nodes) {
    std::map<std::string_view, WordId> numbers;
    for (const Lattice::Phrase& phrase : lattice.phrases()) {
      std::vector<WordId>& own = phrases_.emplace_back();
      for (const std::string& word : phrase)
        own.push_back(numbers.try_emplace(word, WordId{static_cast<std::uint32_t>(numbers.size())}).first->second);
    }
  }
  /// `ends`: the arc leads to the last node.
  void add(const Arc& arc, bool ends) {
    arcs_.push_back(arc);
    if (ends) goal_ = arc.to;
  }

  NodeId root() const { return 0; }
  NodeId goal() const { return goal_; }
  std::size_t size() const { return size_; }
  std::span<const Arc> arcs() const { return arcs_; }
  const ScoredPaths& scorer() const { return *this; }
  std::span<const WordId> words(std::uint32_t phrase) const { return phrases_[phrase]; }

  std::vector<ConsensusPath> best(std::size_t count) const {
    Budget budget;
    std::vector<RankedPath> found;
    PathRanking<ScoredPaths>(*this, budget).best(count, /*distinct=*/true, found);
    std::vector<ConsensusPath> paths;
    for (RankedPath& path : found)
      paths.push_back({std::move(path.labels), path.score});
    return paths;
  }

 private:
  std::size_t size_;
  NodeId goal_ = kNone;
  std::vector<Arc> arcs_;
  std::vector<std::vector<WordId>> phrases_;
};

/// The paths with the best scores.
std::vector<ConsensusPath> best_scores(const Lattice& lattice, std::span<const double> scores, std::size_t count) {
  ScoredPaths paths(lattice, lattice.nodes());
  for (std::uint32_t a = 0; a < lattice.arcs().size(); ++a) {
    const Lattice::Arc& arc = lattice.arcs()[a];
    paths.add({arc.from, arc.to, a, arc.phrase, scores[a]}, arc.to + 1 == lattice.nodes());
  }
  return paths.best(count);
}

constexpr double kTieBreak = 1e-9;

/// The gain of a derivation is linear in its words and n-grams w (Tromble et al. 2008), with N orders:
///
///   θ0 |e| + Σ_w θ_|w| · #_w(e) · p(w),   θ0 = -1,   θn = 1 / (N p r^(n-1))
///
/// where n-grams of two and more words may also end with the end of the sentence: else the last word is in the fewest
/// n-grams of all, and full stops get lost behind words that derivations don't agree about. And, to choose among the derivations of equal strings, a little of ln p of the derivation.
std::vector<ConsensusPath> linear(const Lattice& lattice, std::span<const double> scores,
                                  const ConsensusOptions& options) {
  const LatticePosterior posterior(lattice, scores);
  const NgramLattice divided(lattice, options.order, /*with_end=*/true);
  std::vector<double> gains = divided.posteriors(posterior);  // by n-gram, those of its suffixes included
  gains[0] = 0;
  for (std::uint32_t g = 1; g < gains.size(); ++g) {
    const double power = std::pow(options.ratio, divided.table().length(g) - 1.0);
    gains[g] = gains[g] / (options.order * options.precision * power) + gains[divided.table().suffix(g)];
  }
  const double of_every_end = 1 / (options.order * options.precision) - 1;
  ScoredPaths paths(lattice, divided.nodes());
  for (const NgramLattice::Arc& arc : divided.arcs()) {
    const Lattice::Arc& original = lattice.arcs()[arc.label];
    double gain = std::max(options.model, kTieBreak) * posterior.log_probability(arc.label);
    for (const std::uint32_t ngram : divided.ngrams(arc)) gain += gains[ngram] - 1;
    if (original.to + 1 == lattice.nodes()) gain -= of_every_end;
    paths.add({arc.from, arc.to, arc.label, original.phrase, gain}, original.to + 1 == lattice.nodes());
  }
  return paths.best(options.nbest);
}

/// n-grams with their numbers of occurrences, in the order of their numbers.
using NgramCounts = std::vector<std::pair<std::uint32_t, double>>;

NgramCounts counted(const NgramLattice& ngrams, std::span<const std::uint32_t> ends) {
  std::map<std::uint32_t, double> counts;
  for (std::uint32_t ngram : ends)
    for (; ngram != 0; ngram = ngrams.table().suffix(ngram)) ++counts[ngram];
  return {counts.begin(), counts.end()};
}

/// Candidates in the order of their gains, the first among equals.
std::vector<ConsensusPath> ranked(std::vector<ConsensusPath> candidates, std::size_t count) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const ConsensusPath& a, const ConsensusPath& b) { return a.gain > b.gain; });
  candidates.resize(std::min(candidates.size(), count));
  return candidates;
}

/// BLEU of a candidate against expected counts: n-grams match as often as is expected at most, and the expected length is
/// that of the reference (DeNero et al. 2009). Orders above the candidate's length don't count.
std::vector<ConsensusPath> against_expectation(const Lattice& lattice, std::span<const double> scores,
                                               const ConsensusOptions& options) {
  const NgramLattice ngrams(lattice, options.order);
  const std::vector<double> expected = ngrams.expected_counts(LatticePosterior(lattice, scores));
  double expected_length = 0;
  for (std::uint32_t g = 1; g < expected.size(); ++g)
    if (ngrams.table().length(g) == 1) expected_length += expected[g];
  std::vector<ConsensusPath> candidates = best_scores(lattice, scores, options.candidates);
  for (ConsensusPath& candidate : candidates) {
    const std::vector<std::uint32_t> ends = ngrams.ngrams_of(candidate.arcs);
    std::vector<double> matches(options.order + 1, 0.0);
    for (const auto& [ngram, count] : counted(ngrams, ends))
      matches[ngrams.table().length(ngram)] += std::min(count, expected[ngram]);
    const std::size_t length = ends.size(), orders = std::min<std::size_t>(options.order, length);
    double gain = length == 0 ? 0.0 : std::min(0.0, 1 - expected_length / static_cast<double>(length));
    for (std::size_t n = 1; n <= orders; ++n)
      gain += std::log(matches[n] / static_cast<double>(length - n + 1)) / static_cast<double>(orders);
    candidate.gain = length == 0 ? std::exp(-expected_length) : std::exp(gain);
  }
  return ranked(std::move(candidates), options.nbest);
}

/// The expected BLEU + 1 (Lin & Och 2004) of a candidate against the others and itself, each as probable as its best
/// derivation among theirs.
std::vector<ConsensusPath> against_others(const Lattice& lattice, std::span<const double> scores,
                                          const ConsensusOptions& options) {
  const NgramLattice ngrams(lattice, options.order);
  std::vector<ConsensusPath> candidates = best_scores(lattice, scores, options.candidates);
  const std::size_t size = candidates.size();
  std::vector<std::size_t> lengths;
  std::vector<NgramCounts> counts;
  std::vector<double> probabilities;
  std::vector<std::vector<std::pair<std::size_t, double>>> owners(ngrams.table().size());  // by n-gram
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::vector<std::uint32_t> ends = ngrams.ngrams_of(candidates[i].arcs);
    lengths.push_back(ends.size());
    counts.push_back(counted(ngrams, ends));
    for (const auto& [ngram, count] : counts[i]) owners[ngram].emplace_back(i, count);
    sum += probabilities.emplace_back(std::exp(candidates[i].gain - candidates[0].gain));
  }
  const std::size_t orders = options.order;
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<double> matches(size * orders, 0.0);
    for (const auto& [ngram, count] : counts[i])
      for (const auto& [other, others] : owners[ngram])
        matches[other * orders + ngrams.table().length(ngram) - 1] += std::min(count, others);
    const auto length = static_cast<double>(lengths[i]);
    candidates[i].gain = 0;
    for (std::size_t other = 0; other < size; ++other) {
      const double reference = static_cast<double>(lengths[other]);
      if (lengths[i] == 0) {
        candidates[i].gain += reference == 0 ? probabilities[other] / sum : 0.0;
        continue;
      }
      double bleu = std::min(0.0, 1 - reference / length);
      for (std::size_t n = 1; n <= orders; ++n) {
        const double more = n > 1 ? 1 : 0, possible = std::max(0.0, length - static_cast<double>(n) + 1) + more;
        bleu += std::log((matches[other * orders + n - 1] + more) / possible) / static_cast<double>(orders);
      }
      candidates[i].gain += probabilities[other] / sum * std::exp(bleu);
    }
  }
  return ranked(std::move(candidates), options.nbest);
}

}  // namespace

void validate_options(const ConsensusOptions& options) {
  const auto positive = [](double value, const char* what) {
    if (!(value > 0 && std::isfinite(value))) throw InputError(std::string(what) + " must be above 0");
  };
  positive(options.scale, "the scale");
  positive(options.precision, "the precision of unigrams");
  positive(options.ratio, "the ratio of precisions");
  if (!(options.model >= 0 && std::isfinite(options.model)))
    throw InputError("the weight of the model must be a finite number, at least 0");
  if (options.order == 0 || options.order > 16) throw InputError("the order of n-grams must be from 1 to 16");
  if (options.candidates == 0 || options.nbest == 0) throw InputError("there must be candidates to choose from");
}

std::vector<ConsensusPath> consensus_paths(const Lattice& lattice, std::span<const double> weights,
                                           const ConsensusOptions& options) {
  validate_options(options);
  std::vector<double> scores;
  lattice.dot(weights, scores);
  for (double& score : scores) score *= options.scale;
  switch (options.rule) {
    case ConsensusOptions::Rule::nbest: return against_others(lattice, scores, options);
    case ConsensusOptions::Rule::lattice: return linear(lattice, scores, options);
    case ConsensusOptions::Rule::consensus: return against_expectation(lattice, scores, options);
  }
  throw InternalError("no such rule");
}

}  // namespace widl
