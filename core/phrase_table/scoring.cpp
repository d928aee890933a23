#include "phrase_table/scoring.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <span>

#include "errors.hpp"
#include "parallel.hpp"
#include "phrase_table/extraction.hpp"
#include "phrase_table/value.hpp"

namespace widl {
namespace {

constexpr std::size_t kSentencesPerTask = 1024;
constexpr std::uint32_t kOccurrencesPerBatch = 1 << 17;

/// Order of alignments as the sets of source positions of the target words in turn, both sorted by target,
/// then source position.
bool smaller_alignment(const std::vector<AlignmentPoint>& a, const std::vector<AlignmentPoint>& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](AlignmentPoint x, AlignmentPoint y) {
                                        // The one that goes on at this target word has the larger set.
                                        if (x.target != y.target) return x.target > y.target;
                                        return x.source < y.source;
                                      });
}

float product(const std::vector<float>& factors, std::uint32_t begin, std::uint32_t length) {
  double result = 1;
  for (std::uint32_t at = begin; at < begin + length; ++at) result *= factors[at];
  // A phrase of many rare words: still a probability, if one too small for a float.
  return std::max(static_cast<float>(result), std::numeric_limits<float>::min());
}

/// Ranges of `offsets` (ascending) of about `size` each; a single large entry is a range of its own.
std::vector<std::pair<PhraseId, PhraseId>> split(std::span<const std::uint32_t> offsets, std::uint64_t size) {
  std::vector<std::pair<PhraseId, PhraseId>> ranges;
  PhraseId first = 0;
  for (PhraseId i = 1; i < offsets.size(); ++i) {
    const bool last = i + 1 == offsets.size();
    if (!last && offsets[i + 1] - offsets[first] <= size) continue;
    ranges.emplace_back(first, i);
    first = i;
  }
  return ranges;
}

}  // namespace

/// Scores the phrase pairs of one source phrase after the other, reusing its working memory.
class PhraseScorer::GroupScorer {
 public:
  GroupScorer(const PhraseScorer& scorer, ScoredBatch& batch) : scorer_(scorer), batch_(batch) {}

  void score(PhraseId source, std::span<Occurrence> group) {
    std::sort(group.begin(), group.end());
    const std::uint32_t source_length = scorer_.sources_->length(group.front().source_at, source);
    options_.clear();
    for (auto begin = group.begin(); begin != group.end();) {
      const auto end = std::find_if(begin, group.end(), [&](auto& o) { return o.target != begin->target; });
      options_.push_back(describe({begin, end}, source_length));
      begin = end;
    }
    // Equal counts of f: by p(e|f), then p(f|e), then the order of the target phrases.
    std::sort(options_.begin(), options_.end(), [](const Option& a, const Option& b) {
      if (a.joint != b.joint) return a.joint > b.joint;
      if (a.target_count != b.target_count) return a.target_count < b.target_count;
      return a.occurrence.target < b.occurrence.target;
    });
    write(source_length, static_cast<std::uint32_t>(group.size()));
    batch_.pairs += options_.size();
    batch_.occurrences += group.size();
  }

 private:
  struct Option {
    Occurrence occurrence;  // one with the alignment that was chosen
    std::uint32_t target_length, joint, target_count;
  };
  struct Alignment {
    std::vector<AlignmentPoint> points;
    std::uint32_t count;
    const Occurrence* first;
  };

  Option describe(std::span<const Occurrence> same, std::uint32_t source_length) {
    const Occurrence& first = same.front();
    const std::uint32_t target_length = scorer_.targets_->length(first.target_at, first.target);
    // Two single words can only be aligned in one way.
    const bool choice = same.size() > 1 && (source_length > 1 || target_length > 1);
    return {choice ? most_frequent_alignment(same, target_length) : first, target_length,
            static_cast<std::uint32_t>(same.size()), scorer_.target_counts_[first.target]};
  }

  const Occurrence& most_frequent_alignment(std::span<const Occurrence> same, std::uint32_t target_length) {
    std::size_t distinct = 0;  // of alignments_, the rest is memory kept
    for (const Occurrence& occurrence : same) {
      read_alignment(occurrence, target_length);
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

  void read_alignment(const Occurrence& occurrence, std::uint32_t target_length) {
    points_.clear();
    for (std::uint32_t target = 0; target < target_length; ++target)
      for (std::uint32_t source : scorer_.bitext_.links(occurrence.target_at + target))
        points_.push_back({static_cast<std::uint16_t>(source - occurrence.source_at),
                           static_cast<std::uint16_t>(target)});
  }

  void write(std::uint32_t source_length, std::uint32_t source_count) {
    const BitextSide &source = scorer_.bitext_.source(), &target = scorer_.bitext_.target();
    for (std::uint32_t i = 0; i < source_length; ++i) {
      if (i > 0) batch_.keys.push_back(' ');
      batch_.keys += source.vocabulary.word(source.words[options_.front().occurrence.source_at + i]);
    }
    ValueWriter writer(batch_.values, options_.size());
    for (const Option& option : options_) {
      read_alignment(option.occurrence, option.target_length);
      const double joint = option.joint;
      const std::uint32_t at = option.occurrence.target_at;
      writer.add(std::span(target.words).subspan(at, option.target_length),
                 {joint / option.target_count, joint / source_count,
                  product(scorer_.lexical_.source, option.occurrence.source_at, source_length),
                  product(scorer_.lexical_.target, at, option.target_length)},
                 {option.target_count, source_count, option.joint}, points_);
    }
    batch_.ends.push_back({batch_.keys.size(), batch_.values.size()});
  }

  const PhraseScorer& scorer_;
  ScoredBatch& batch_;
  std::vector<Option> options_;
  std::vector<Alignment> alignments_;
  std::vector<AlignmentPoint> points_;
};

PhraseScorer::PhraseScorer(Bitext& bitext, const ScoringOptions& options) : bitext_(bitext), options_(options) {
  bitext_.freeze();
  parallel_for(3, options_.threads, [&](std::size_t part) {
    if (part == 0) sources_.emplace(bitext_.source(), options_.max_length);
    if (part == 1) targets_.emplace(bitext_.target(), options_.max_length);
    if (part == 2) lexical_ = lexical_weights(bitext_);
  });
  count();
  producer_ = std::jthread([this] { produce(); });
}

PhraseScorer::~PhraseScorer() {
  std::scoped_lock hold(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

std::optional<ScoredBatch> PhraseScorer::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failure_ || finished_ || ready_.contains(taken_); });
  if (failure_) std::rethrow_exception(failure_);
  auto found = ready_.find(taken_);
  if (found == ready_.end()) return std::nullopt;
  ScoredBatch batch = std::move(found->second);
  ready_.erase(found);
  ++taken_;
  changed_.notify_all();
  return batch;
}

template <class Visit>
void PhraseScorer::for_each_pair(Visit&& visit) const {
  const std::size_t sentences = bitext_.sentences();
  parallel_for((sentences + kSentencesPerTask - 1) / kSentencesPerTask, options_.threads, [&](std::size_t task) {
    PhraseExtractor extractor(bitext_, options_.max_length);
    const std::size_t begin = task * kSentencesPerTask;
    for (std::size_t s = begin; s < std::min(begin + kSentencesPerTask, sentences); ++s)
      extractor.extract(s, [&](const PhrasePairSpan& pair) {
        visit(sources_->id(pair.source_begin, pair.source_length),
              Occurrence{targets_->id(pair.target_begin, pair.target_length), pair.target_begin,
                         pair.source_begin});
      });
  });
}

void PhraseScorer::count() {
  offsets_.resize(sources_->size() + 2);
  target_counts_.resize(targets_->size());
  for_each_pair([&](PhraseId source, const Occurrence& occurrence) {
    std::atomic_ref(offsets_[source + 1]).fetch_add(1, std::memory_order_relaxed);
    std::atomic_ref(target_counts_[occurrence.target]).fetch_add(1, std::memory_order_relaxed);
  });
  for (std::size_t source = 1; source < offsets_.size(); ++source) {
    const std::uint32_t count = offsets_[source];
    offsets_[source] = static_cast<std::uint32_t>(occurrences_);
    occurrences_ += count;
  }
  if (occurrences_ > std::numeric_limits<std::uint32_t>::max())
    throw InputError("more than 2^32 phrase pairs: split the bitext or make phrases shorter");
}

void PhraseScorer::produce() {
  try {
    const std::uint64_t limit = options_.max_occurrences > 0 ? options_.max_occurrences : occurrences_ + 1;
    const std::span<const std::uint32_t> offsets(offsets_);
    std::size_t batches = 0;
    for (const PhraseRange& range : split(offsets.subspan(1), limit)) {
      collect(range);
      const std::vector<PhraseRange> tasks =
          split(offsets.subspan(range.first, range.second - range.first + 1), kOccurrencesPerBatch);
      parallel_for(tasks.size(), options_.threads, [&](std::size_t i) {
        hand_out(batches + i, score({range.first + tasks[i].first, range.first + tasks[i].second}));
      });
      batches += tasks.size();
    }
  } catch (const Stopped&) {
  } catch (...) {
    std::scoped_lock hold(mutex_);
    failure_ = std::current_exception();
  }
  std::scoped_lock hold(mutex_);
  finished_ = true;
  changed_.notify_all();
}

void PhraseScorer::collect(PhraseRange range) {
  collected_begin_ = offsets_[range.first + 1];
  collected_.clear();
  collected_.resize(offsets_[range.second + 1] - collected_begin_);
  for_each_pair([&](PhraseId source, const Occurrence& occurrence) {
    if (source < range.first || source >= range.second) return;
    const std::uint32_t at = std::atomic_ref(offsets_[source + 1]).fetch_add(1, std::memory_order_relaxed);
    collected_[at - collected_begin_] = occurrence;
  });
}

ScoredBatch PhraseScorer::score(PhraseRange range) {
  ScoredBatch batch;
  GroupScorer scorer(*this, batch);
  const std::span occurrences(collected_);
  for (PhraseId source = range.first; source < range.second; ++source) {
    const std::uint32_t begin = offsets_[source], end = offsets_[source + 1];
    if (end > begin) scorer.score(source, occurrences.subspan(begin - collected_begin_, end - begin));
  }
  return batch;
}

void PhraseScorer::hand_out(std::size_t number, ScoredBatch batch) {
  // Tasks are taken in order, so the one that the caller waits for is never held back here.
  const std::size_t ahead = 4 * std::max(1u, options_.threads);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopped_ || number < taken_ + ahead; });
  if (stopped_) throw Stopped();
  ready_.emplace(number, std::move(batch));
  changed_.notify_all();
}

}  // namespace widl
