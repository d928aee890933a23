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

/// What PathRanking wants to know of a lattice that is divided by n-grams.
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

constexpr double kTieBreak = 1e-9;

/// The gain of a derivation is linear in its words and n-grams w (Tromble et al. 2008), with N orders:
///
///   θ0 |e| + Σ_w θ_|w| · #_w(e) · p(w),   θ0 = -1,   θn = 1 / (N p r^(n-1))
///
/// where n-grams of two and more words may also end with the end of the sentence: else the last word is in the fewest
/// n-grams of all, and full stops get lost behind words that derivations don't agree about. And, to choose among the
/// derivations of equal strings, a little of ln p of the derivation.
std::vector<ConsensusPath> linear(const Lattice& lattice, std::span<const double> scores,
                                  const ConsensusOptions& options) {
  const LatticePosterior posterior(lattice, scores);
  const NgramLattice divided(lattice, options.order);
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
    double gain = kTieBreak * posterior.log_probability(arc.label);
    for (const std::uint32_t ngram : divided.ngrams(arc)) gain += gains[ngram] - 1;
    if (original.to + 1 == lattice.nodes()) gain -= of_every_end;
    paths.add({arc.from, arc.to, arc.label, original.phrase, gain}, original.to + 1 == lattice.nodes());
  }
  return paths.best(options.nbest);
}

}  // namespace

void validate_options(const ConsensusOptions& options) {
  const auto positive = [](double value, const char* what) {
    if (!(value > 0 && std::isfinite(value))) throw InputError(std::string(what) + " must be above 0");
  };
  positive(options.scale, "the scale");
  positive(options.precision, "the precision of unigrams");
  positive(options.ratio, "the ratio of precisions");
  if (options.order == 0 || options.order > 16) throw InputError("the order of n-grams must be from 1 to 16");
  if (options.nbest == 0) throw InputError("there must be candidates to choose from");
}

std::vector<ConsensusPath> consensus_paths(const Lattice& lattice, std::span<const double> weights,
                                           const ConsensusOptions& options) {
  validate_options(options);
  std::vector<double> scores;
  lattice.dot(weights, scores);
  for (double& score : scores) score *= options.scale;
  return linear(lattice, scores, options);
}

}  // namespace widl
