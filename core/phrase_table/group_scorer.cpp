#include "phrase_table/group_scorer.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace widl {
namespace {

/// Orders alignments by the sets of source positions of consecutive target words. Both are sorted by target, then
/// source position.
bool smaller_alignment(const std::vector<AlignmentPoint>& a, const std::vector<AlignmentPoint>& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](AlignmentPoint x, AlignmentPoint y) {
                                        // The alignment that has another point at this target word has the larger set.
                                        if (x.target != y.target) return x.target > y.target;
                                        return x.source < y.source;
                                      });
}

float product(const std::vector<float>& factors, std::uint32_t begin, std::uint32_t length) {
  double result = 1;
  for (std::uint32_t at = begin; at < begin + length; ++at) result *= factors[at];
  // A phrase of many rare words may have a probability that is too small for a float.
  return std::max(static_cast<float>(result), std::numeric_limits<float>::min());
}

}  // namespace

void GroupScorer::score(std::span<Occurrence> group) {
  scored_.clear();
  orientations_.clear();
  for_each_phrase_pair(group, [&](std::span<const Occurrence> same) { describe(same); });
  batch_.occurrences += group.size();
  set_probabilities(static_cast<std::uint32_t>(group.size()));
  sort();
  write(static_cast<std::uint32_t>(group.size()));
  batch_.pairs += scored_.size();
}

void GroupScorer::describe(std::span<const Occurrence> same) {
  const Occurrence& first = same.front();
  // Two single words can only be aligned in one way.
  const bool choice = same.size() > 1 && (model_.code.length(first.source_span) > 1 ||
                                          model_.code.length(first.target_span) > 1);
  Option option{choice ? most_frequent_alignment(same) : first, static_cast<std::uint32_t>(same.size()),
                {}, {}, static_cast<std::uint32_t>(scored_.size())};
  const auto [lexical_source, lexical_target] = lexical_weights(model_.lexical, option.occurrence);
  option.probabilities = {Probability(), Probability(), lexical_source, lexical_target};
  if (model_.in_domain)
    for (std::size_t i = 0; Probability weight : lexical_weights(*model_.in_domain, option.occurrence))
      option.in_domain[i++] = Probability::rounded(weight.value());
  scored_.push_back(option);
  if (model_.orientations) count_orientations(same);
}

void GroupScorer::count_orientations(std::span<const Occurrence> same) {
  orientations_.emplace_back();
  for (const Occurrence& occurrence : same)
    model_.orientations->count({model_.code.begin(occurrence.source_span), model_.code.length(occurrence.source_span),
                                model_.code.begin(occurrence.target_span), model_.code.length(occurrence.target_span)},
                               orientations_.back());
}

void GroupScorer::set_probabilities(std::uint32_t source_count) {
  PairsOfPhrase source;
  for (const Option& option : scored_) source.add(option.joint);
  for (Option& option : scored_) {
    const PhraseNumber target = option.occurrence.target;
    const double joint = option.joint, target_count = all_.target_counts[target];
    option.probabilities[0] = Probability::of(joint / target_count);
    option.probabilities[1] = Probability::of(joint / source_count);
    if (!model_.smoothing) continue;
    const PairsOfPhrase& of_target = all_.target_pairs[target];
    option.probabilities[0] = Probability::rounded(
        model_.smoothing->probability(option.joint, all_.target_counts[target], of_target, source));
    option.probabilities[1] =
        Probability::rounded(model_.smoothing->probability(option.joint, source_count, source, of_target));
  }
}

/// Sorts by table contents only, so that a table that is exported and imported again keeps its order.
void GroupScorer::sort() {
  std::sort(scored_.begin(), scored_.end(), [this](const Option& a, const Option& b) {
    for (std::size_t i : {1u, 0u})
      if (a.probabilities[i].bits() != b.probabilities[i].bits())
        return a.probabilities[i].value() > b.probabilities[i].value();
    return compare_phrases(model_.bitext.target().vocabulary, target_words(a.occurrence), target_words(b.occurrence)) < 0;
  });
}

const Occurrence& GroupScorer::most_frequent_alignment(std::span<const Occurrence> same) {
  std::size_t distinct = 0;  // used items of alignments_; the rest is spare memory
  for (const Occurrence& occurrence : same) {
    read_alignment(occurrence);
    std::size_t i = 0;
    while (i < distinct && alignments_[i].points != points_) ++i;
    if (i < distinct) {
      ++alignments_[i].count;
      continue;
    }
    if (distinct == alignments_.size()) alignments_.emplace_back();
    alignments_[distinct].points = points_;
    alignments_[distinct].count = 1;
    alignments_[distinct++].first = &occurrence;
  }
  return *std::max_element(alignments_.begin(), alignments_.begin() + static_cast<std::ptrdiff_t>(distinct),
                           [](const Alignment& a, const Alignment& b) {
                             return a.count != b.count ? a.count < b.count
                                                       : smaller_alignment(a.points, b.points);
                           })
              ->first;
}

void GroupScorer::read_alignment(const Occurrence& occurrence) {
  points_.clear();
  const std::uint32_t source_at = model_.code.begin(occurrence.source_span);
  const std::uint32_t target_at = model_.code.begin(occurrence.target_span);
  for (std::uint32_t target = 0; target < model_.code.length(occurrence.target_span); ++target)
    for (std::uint32_t source : model_.bitext.links(target_at + target))
      points_.push_back({static_cast<std::uint16_t>(source - source_at), static_cast<std::uint16_t>(target)});
}

std::array<Probability, 2> GroupScorer::lexical_weights(const LexicalWeights& weights,
                                                        const Occurrence& occurrence) const {
  const SpanCode& code = model_.code;
  return {Probability::of(product(weights.source, code.begin(occurrence.source_span), code.length(occurrence.source_span))),
          Probability::of(product(weights.target, code.begin(occurrence.target_span), code.length(occurrence.target_span)))};
}

std::span<const WordId> GroupScorer::target_words(const Occurrence& occurrence) const {
  const SpanCode& code = model_.code;
  return std::span(model_.bitext.target().words)
      .subspan(code.begin(occurrence.target_span), code.length(occurrence.target_span));
}

void GroupScorer::write(std::uint32_t source_count) {
  const BitextSide& source = model_.bitext.source();
  const std::uint32_t source_span = scored_.front().occurrence.source_span;
  for (std::uint32_t i = 0; i < model_.code.length(source_span); ++i) {
    if (i > 0) batch_.keys.push_back(' ');
    batch_.keys += source.vocabulary.word(source.words[model_.code.begin(source_span) + i]);
  }
  ValueWriter writer(batch_.values, scored_.size(), model_.in_domain ? scored_.front().in_domain.size() : 0);
  for (const Option& option : scored_) {
    read_alignment(option.occurrence);
    orientation_.clear();
    if (model_.orientations)
      OrientationCounter::score(orientations_[option.number], orientation_);
    writer.add({target_words(option.occurrence), option.probabilities,
                {all_.target_counts[option.occurrence.target], source_count, option.joint}, points_,
                model_.in_domain ? std::span<const Probability>(option.in_domain) : std::span<const Probability>(),
                orientation_});
  }
  batch_.end_phrase();
}

}  // namespace widl
