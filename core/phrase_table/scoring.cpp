#include "phrase_table/scoring.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <span>
#include <string>
#include <system_error>

#include "errors.hpp"
#include "parallel.hpp"
#include "phrase_table/group_scorer.hpp"
#include "phrase_table/occurrences.hpp"
#include "phrase_table/phrase_shards.hpp"

namespace widl {
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
