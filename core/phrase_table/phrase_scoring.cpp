#include "phrase_table/phrase_scoring.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "phrase_table/lexical.hpp"
#include "phrase_table/orientation_counts.hpp"
#include "phrase_table/phrase_variants.hpp"

namespace widl {
namespace {

/// Orders alignments by the sets of source positions of consecutive target words. Both are sorted by target, then
/// source position.
bool smaller_alignment(const std::vector<AlignmentPoint>& a, const std::vector<AlignmentPoint>& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](AlignmentPoint x, AlignmentPoint y) {
    // The alignment that has another point at this target word has the larger set.
    if (x.target != y.target) return x.target > y.target;
    return x.source < y.source;
  });
}

/// Scores the phrase pairs of each source phrase, and reuses its working memory.
class SourceScorer {
 public:
  SourceScorer(const TextCounts& text, const PairsByCount& pairs, const ScoringOptions& options)
      : text_(text), options_(options), lexical_(text, false) {
    if (text.has_in_domain()) in_domain_.emplace(text, true);
    if (options.smoothed) smoothing_.emplace(pairs);
  }

  /// Appends the options of a source phrase to the batch.
  void score(std::span<const PhraseVariant> of_source, PhraseBatch& batch) {
    read_phrase(of_source.front().first(), text_.source().vocabulary.size(), source_);
    source_count_ = sum_of_counts(of_source);
    pairs_.clear();
    for_each_group(of_source, &PhraseVariant::second,
                   [&](std::span<const PhraseVariant> variants) { add_pair(variants); });
    set_probabilities();
    sort();
    write(batch);
    batch.pairs += pairs_.size();
  }

 private:
  struct Pair {
    std::vector<WordId> target;
    TargetCounts target_counts;
    std::uint32_t joint = 0;
    std::vector<AlignmentPoint> links;
    std::array<Probability, 4> probabilities{};
    std::array<Probability, 2> in_domain{};
    OrientationCounts orientations{};
  };

  void add_pair(std::span<const PhraseVariant> variants) {
    Pair& pair = pairs_.emplace_back();
    read_phrase(variants.front().second(), text_.target().vocabulary.size(), pair.target);
    pair.target_counts = variants.front().target;
    std::uint32_t most = 0;
    for_each_group(variants, &PhraseVariant::links, [&](std::span<const PhraseVariant> same_links) {
      std::uint32_t count = 0;
      for (const PhraseVariant& variant : same_links) {
        const Orientations orientations = read_form(variant.form(), links_);
        pair.orientations[orientations.backward] += variant.count;
        pair.orientations[kFirstForward + orientations.forward] += variant.count;
        count += variant.count;
      }
      pair.joint += count;
      if (count > most || (count == most && smaller_alignment(pair.links, links_))) pair.links = links_;
      most = std::max(most, count);
    });
    const auto [lexical_source, lexical_target] = lexical_.of(source_, pair.target, pair.links);
    pair.probabilities = {Probability(), Probability(), lexical_source, lexical_target};
    if (!in_domain_) return;
    pair.in_domain = in_domain_->of(source_, pair.target, pair.links);
    for (Probability& weight : pair.in_domain) weight = Probability::rounded(weight.value());
  }

  void set_probabilities() {
    PairsOfPhrase of_source;
    for (const Pair& pair : pairs_) of_source.add(pair.joint);
    for (Pair& pair : pairs_) {
      const double joint = pair.joint;
      const auto& [target_count, of_target] = pair.target_counts;
      pair.probabilities[0] = Probability::of(joint / target_count);
      pair.probabilities[1] = Probability::of(joint / source_count_);
      if (!smoothing_) continue;
      pair.probabilities[0] =
          Probability::rounded(smoothing_->probability(pair.joint, target_count, of_target, of_source));
      pair.probabilities[1] =
          Probability::rounded(smoothing_->probability(pair.joint, source_count_, of_source, of_target));
    }
  }

  /// Sorts by table contents only, so that a table that is exported and imported again keeps its order.
  void sort() {
    order_.clear();
    for (const Pair& pair : pairs_) order_.push_back(&pair);
    std::sort(order_.begin(), order_.end(), [this](const Pair* a, const Pair* b) {
      for (std::size_t i : {1u, 0u})
        if (a->probabilities[i].bits() != b->probabilities[i].bits())
          return a->probabilities[i].value() > b->probabilities[i].value();
      return compare_phrases(text_.target().vocabulary, a->target, b->target) < 0;
    });
  }

  void write(PhraseBatch& batch) {
    for (std::size_t i = 0; i < source_.size(); ++i) {
      if (i > 0) batch.keys.push_back(' ');
      batch.keys += text_.source().vocabulary.word(source_[i]);
    }
    ValueWriter writer(batch.values, pairs_.size(), in_domain_ ? pairs_.front().in_domain.size() : 0);
    for (const Pair* pair : order_) {
      orientation_.clear();
      if (options_.reordering) score_orientations(pair->orientations, orientation_);
      writer.add({pair->target,
                  pair->probabilities,
                  {pair->target_counts.occurrences, source_count_, pair->joint},
                  pair->links,
                  in_domain_ ? std::span<const Probability>(pair->in_domain) : std::span<const Probability>(),
                  orientation_});
    }
    batch.end_phrase();
    batch.occurrences += source_count_;
  }

  const TextCounts& text_;
  ScoringOptions options_;
  LexicalWeights lexical_;
  std::optional<LexicalWeights> in_domain_;  // weights that become two more scores
  std::optional<PhraseSmoothing> smoothing_;
  std::vector<WordId> source_;
  std::uint32_t source_count_ = 0;
  std::vector<Pair> pairs_;
  std::vector<const Pair*> order_;
  std::vector<AlignmentPoint> links_;
  std::vector<Probability> orientation_;
};

}  // namespace

PhraseBatch score_sources(std::span<const std::string_view> files, const TextCounts& text, const PairsByCount& pairs,
                          const ScoringOptions& options) {
  const std::vector<PhraseVariant> variants = sorted_variants(files);
  SourceScorer scorer(text, pairs, options);
  PhraseBatch batch;
  for_each_group(std::span(variants), &PhraseVariant::first, [&](auto of_source) { scorer.score(of_source, batch); });
  return batch;
}

}  // namespace widl
