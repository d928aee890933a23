#include "phrase_table/scoring.hpp"

#include <algorithm>
#include <limits>
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
constexpr std::size_t kBatchesAhead = 4;                    // for each thread, waiting to be written
constexpr std::size_t kBytesPerScored = 256;                // for each occurrence of a batch, the caller's copy included
constexpr std::size_t kBatchShare = 16;                     // of the memory, for all batches together
constexpr std::size_t kBytesPerLink = 16;                   // sorted for lexical weights

/// Ranges of `offsets` (ascending) of about `size` each; a single large entry is a range of its own.
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

std::size_t occurrences_per_batch(const ScoringOptions& options) {
  if (options.memory == 0) return kOccurrencesPerBatch;
  const std::uint64_t batches = (kBatchesAhead + 1) * options.threads;
  return std::clamp<std::uint64_t>(options.memory / kBatchShare / batches / kBytesPerScored, 1, kOccurrencesPerBatch);
}

/// What is left of options.memory beside the bitext, lexical weights and batches.
/// @throws InputError when nothing is
std::uint64_t working_memory(const Bitext& bitext, const ScoringOptions& options, const ScratchSpace& space) {
  if (options.memory == 0) return 0;
  const std::uint64_t sources = bitext.source().words.size(), targets = bitext.target().words.size();
  const auto held = [&](std::uint64_t numbers) { return std::min<std::uint64_t>(4 * numbers, space.in_memory); };
  std::uint64_t taken = bitext.bytes() + held(sources) + held(targets);  // with the lexical weights
  taken += std::max(held(bitext.link_count()) + held(sources), held(2 * sources));  // while they are made; orientations
  taken += (sources + targets) / 8 + bitext.target().vocabulary.size() * sizeof(std::uint32_t);  // these, too; TextOrder
  taken += options.memory / kBatchShare;
  if (taken + kBytesPerLink > options.memory)
    throw InputError("too little memory for this bitext: it takes " + std::to_string((taken >> 20) + 1) +
                     " MB before the first phrase; raise the limit");
  return options.memory - taken;
}

}  // namespace

PhraseScorer::PhraseScorer(Bitext& bitext, const ScoringOptions& options)
    : bitext_(bitext), options_(options), batches_(kBatchesAhead * std::max(1u, options.threads)) {
  bitext_.freeze();
  options_.threads = std::max(1u, options_.threads);
  const ScratchSpace space = ScratchSpace::beside(options_.memory, options_.temporary_directory);
  const std::uint64_t memory = working_memory(bitext_, options_, space);
  const OccurrenceOptions kept{options_.max_length, options_.threads, memory, options_.temporary_directory};
  const std::size_t max_links = memory > 0 ? memory / kBytesPerLink : bitext_.link_count();
  LexicalWeights lexical = widl::lexical_weights(bitext_, max_links, space);
  model_.reset(new ScoringModel{bitext_, SpanCode(options_.max_length), std::move(lexical), TextOrder(bitext_.target().vocabulary), {}});
  if (options_.reordering) model_->orientations.emplace(bitext_);
  occurrences_ = collect_occurrences(bitext_, kept);
  start();
}

PhraseScorer::PhraseScorer(std::unique_ptr<ShardToScore> shard, const ScoringOptions& options)
    : shard_(std::move(shard)), bitext_(shard_->text), options_(options),
      batches_(kBatchesAhead * std::max(1u, options.threads)) {
  if (options_.memory > 0) throw InternalError("a shard has no limit of memory");
  options_.threads = std::max(1u, options_.threads);
  model_.reset(new ScoringModel{bitext_, SpanCode(options_.max_length), std::move(shard_->lexical),
                                TextOrder(bitext_.target().vocabulary), {}});
  if (options_.reordering) model_->orientations.emplace(bitext_, std::move(shard_->orientations));
  occurrences_ = std::move(shard_->occurrences);
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

std::uint64_t PhraseScorer::occurrences() const { return occurrences_->size(); }

std::size_t PhraseScorer::parts() const { return occurrences_->parts(); }

void PhraseScorer::run() {
  try {
    produce();
  } catch (const OrderedQueue<ScoredBatch>::Stopped&) {
  } catch (...) {
    batches_.fail(std::current_exception());
  }
  batches_.finish();
}

void PhraseScorer::produce() {
  const std::size_t batch_size = occurrences_per_batch(options_);
  std::size_t batches = 0;
  for (std::size_t part = 0; part < occurrences_->parts(); ++part) {
    occurrences_->load(part);
    const std::vector<GroupRange> tasks = split(occurrences_->offsets, batch_size);
    parallel_for(tasks.size(), options_.threads,
                 [&](std::size_t i) { batches_.put(batches + i, [&] { return score(tasks[i]); }); });
    batches += tasks.size();
  }
}

ScoredBatch PhraseScorer::score(GroupRange range) {
  ScoredBatch batch;
  GroupScorer scorer(*model_, occurrences_->targets, batch);
  const std::vector<std::uint32_t>& offsets = occurrences_->offsets;
  for (std::size_t source = range.first; source < range.second; ++source) {
    const std::uint32_t begin = offsets[source], end = offsets[source + 1];
    if (end > begin) scorer.score(std::span(occurrences_->occurrences).subspan(begin, end - begin));
  }
  return batch;
}

}  // namespace widl
