#include "phrase_table/scoring.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "errors.hpp"
#include "parallel.hpp"
#include "phrase_table/extraction.hpp"
#include "phrase_table/orientation_counts.hpp"
#include "phrase_table/phrase_shards.hpp"
#include "phrase_table/stored_option.hpp"

namespace widl {

/// Data shared by the scoring of all groups of a table.
struct ScoringModel {
  const Bitext& bitext;
  SpanCode code;
  LexicalWeights lexical;
  std::optional<LexicalWeights> in_domain;  // weights that become two more scores
  std::optional<OrientationCounter> orientations;
  std::optional<PhraseSmoothing> smoothing;
};

/// Scores the phrase pairs of each source phrase, and reuses its working memory.
class GroupScorer {
 public:
  GroupScorer(const ScoringModel& model, const PhraseOccurrences& occurrences, PhraseBatch& batch)
      : model_(model), all_(occurrences), batch_(batch) {}

  /// Appends the group of all occurrences of a source phrase to the batch.
  void score(std::span<Occurrence> group);

 private:
  struct Option {
    Occurrence occurrence;  // an occurrence with the chosen alignment
    std::uint32_t joint;
    std::array<Probability, 4> probabilities;
    std::array<Probability, 2> in_domain;
    std::uint32_t number;   // in the group, as described
  };
  struct Alignment {
    std::vector<AlignmentPoint> points;
    std::uint32_t count;
    const Occurrence* first;
  };

  void describe(std::span<const Occurrence> same);
  void count_orientations(std::span<const Occurrence> same);
  void set_probabilities(std::uint32_t source_count);
  void sort();
  const Occurrence& most_frequent_alignment(std::span<const Occurrence> same);
  void read_alignment(const Occurrence& occurrence);
  std::array<Probability, 2> lexical_weights(const LexicalWeights& weights, const Occurrence& occurrence) const;
  std::span<const WordId> target_words(const Occurrence& occurrence) const;
  void write(std::uint32_t source_count);

  const ScoringModel& model_;
  const PhraseOccurrences& all_;
  PhraseBatch& batch_;
  std::vector<Option> scored_;
  std::vector<Alignment> alignments_;
  std::vector<AlignmentPoint> points_;
  std::vector<OrientationCounts> orientations_;  // by number of the pair
  std::vector<Probability> orientation_;
};

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

namespace {

constexpr std::size_t kOccurrencesPerBatch = 1 << 17;
constexpr std::size_t kBatchesAhead = 4;  // for each thread, waiting to be written

/// Splits `offsets` (ascending) into ranges of about `size` each; a larger entry gets a range to itself.
std::vector<std::pair<std::size_t, std::size_t>> split(std::span<const std::uint32_t> offsets, std::size_t size) {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  std::size_t first = 0;
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    const bool last = i + 1 == offsets.size();
    if (!last && offsets[i + 1] - offsets[first] <= size) continue;
    ranges.emplace_back(first, i);
    first = i;
  }
  return ranges;
}

}  // namespace

PhraseScorer::PhraseScorer(Bitext& bitext, const ScoringOptions& options)
    : bitext_(bitext), options_(options), batches_(kBatchesAhead * std::max(1u, options.threads)) {
  bitext_.freeze();
  options_.threads = std::max(1u, options_.threads);
  const auto [all, in_domain] = link_counts(bitext_);
  model_.reset(new ScoringModel{bitext_, SpanCode(options_.max_length), widl::lexical_weights(bitext_, all), {}, {}, {}});
  if (bitext_.has_in_domain()) model_->in_domain = widl::lexical_weights(bitext_, all, &in_domain);
  if (options_.reordering) model_->orientations.emplace(bitext_);
  occurrences_ = std::make_unique<PhraseOccurrences>(
      collect_occurrences(bitext_, options_.max_length, options_.threads));
  start();
}

PhraseScorer::PhraseScorer(std::unique_ptr<ShardToScore> shard, const ScoringOptions& options)
    : shard_(std::move(shard)), bitext_(shard_->text), options_(options),
      batches_(kBatchesAhead * std::max(1u, options.threads)) {
  options_.threads = std::max(1u, options_.threads);
  model_.reset(new ScoringModel{bitext_, SpanCode(options_.max_length), std::move(shard_->lexical),
                                std::move(shard_->in_domain), {}, {}});
  if (options_.smoothed) model_->smoothing.emplace(shard_->pairs);
  if (options_.reordering) model_->orientations.emplace(bitext_, std::move(shard_->orientations));
  occurrences_ = std::make_unique<PhraseOccurrences>(std::move(shard_->occurrences));
  start();
}

void PhraseScorer::start() {
  try {
    producer_ = std::jthread([this] { run(); });
  } catch (const std::system_error& error) {
    throw InputError(std::string("no thread can be started (") + error.code().message() +
                     "); end other programs, or raise the limit of processes (ulimit -u)");
  }
}

PhraseScorer::~PhraseScorer() { batches_.stop(); }

bool PhraseScorer::has_in_domain() const { return model_->in_domain.has_value(); }

std::uint64_t PhraseScorer::occurrences() const { return occurrences_->occurrences.size(); }

void PhraseScorer::run() {
  try {
    produce();
  } catch (const OrderedQueue<PhraseBatch>::Stopped&) {
  } catch (...) {
    batches_.fail(std::current_exception());
  }
  batches_.finish();
}

void PhraseScorer::produce() {
  const std::vector<GroupRange> tasks = split(occurrences_->offsets, kOccurrencesPerBatch);
  if (options_.smoothed && !model_->smoothing) model_->smoothing.emplace(count_pairs(tasks));
  parallel_for(tasks.size(), options_.threads, [&](std::size_t i) { batches_.put(i, [&] { return score(tasks[i]); }); });
}

/// Also counts the distinct pairs of each target phrase.
PairsByCount PhraseScorer::count_pairs(const std::vector<GroupRange>& tasks) {
  auto& [offsets, occurrences, target_counts, target_pairs] = *occurrences_;
  target_pairs.resize(target_counts.size());
  PairsByCount pairs;
  std::mutex pairs_mutex;
  parallel_for(tasks.size(), options_.threads, [&](std::size_t i) {
    batches_.check_stopped();
    PairsByCount of_task;
    for (std::size_t source = tasks[i].first; source < tasks[i].second; ++source)
      for_each_phrase_pair(
          std::span(occurrences).subspan(offsets[source], offsets[source + 1] - offsets[source]),
          [&](std::span<const Occurrence> same) {
            const auto joint = static_cast<std::uint32_t>(same.size());
            of_task.add(joint);
            PairsOfPhrase& of_target = target_pairs[same.front().target];
            std::atomic_ref(of_target.all).fetch_add(1, std::memory_order_relaxed);
            if (joint == 1) std::atomic_ref(of_target.once).fetch_add(1, std::memory_order_relaxed);
            if (joint == 2) std::atomic_ref(of_target.twice).fetch_add(1, std::memory_order_relaxed);
          });
    std::scoped_lock hold(pairs_mutex);
    pairs.add(of_task);
  });
  return pairs;
}

PhraseBatch PhraseScorer::score(GroupRange range) {
  PhraseBatch batch;
  GroupScorer scorer(*model_, *occurrences_, batch);
  const std::vector<std::uint32_t>& offsets = occurrences_->offsets;
  for (std::size_t source = range.first; source < range.second; ++source) {
    const std::uint32_t begin = offsets[source], end = offsets[source + 1];
    if (end > begin) scorer.score(std::span(occurrences_->occurrences).subspan(begin, end - begin));
  }
  return batch;
}

}  // namespace widl
