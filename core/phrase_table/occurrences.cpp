#include "phrase_table/occurrences.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>

#include "errors.hpp"
#include "parallel.hpp"
#include "phrase_table/extraction.hpp"
#include "scratch_file.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace widl {
namespace {

constexpr std::size_t kSentencesPerTask = 1024;
constexpr std::size_t kMaxExtentBytes = 1 << 15;

/// Calls visit(task, pair) for all phrase pairs, on several threads; done(task) after each task's last.
template <class Visit, class Done>
void for_each_pair(const Bitext& bitext, std::uint32_t max_length, unsigned threads, std::size_t sentences_per_task,
                   Visit&& visit, Done&& done) {
  const std::size_t sentences = bitext.sentences();
  parallel_for((sentences + sentences_per_task - 1) / sentences_per_task, threads, [&](std::size_t task) {
    PhraseExtractor extractor(bitext, max_length);
    const std::size_t begin = task * sentences_per_task;
    for (std::size_t s = begin; s < std::min(begin + sentences_per_task, sentences); ++s)
      extractor.extract(s, [&](const PhrasePairSpan& pair) { visit(task, pair); });
    done(task);
  });
}

std::uint32_t add_one(std::uint32_t& counter) {
  return std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed);
}

/// Turns counts, that of i in counts[i + 2], into begins, that of i in counts[i + 1]. Placing things moves every
/// begin to its end, so that then counts[i] is where those of i begin.
void accumulate(std::vector<std::uint32_t>& counts) {
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
}

/// Gives freed memory back to the system, where the C library would keep it: what counts is what the process has.
void return_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void check_size(std::uint64_t occurrences) {
  if (occurrences > std::numeric_limits<std::uint32_t>::max())
    throw InputError("more than 2^32 phrase pairs: split the bitext or make phrases shorter");
}

class InMemory final : public PhraseOccurrences {
 public:
  InMemory(const Bitext& bitext, const OccurrenceOptions& options) {
    const SpanCode code(options.max_length);
    std::optional<PhraseIndex> source_index, target_index;
    parallel_for(2, options.threads, [&](std::size_t side) {
      if (side == 0) source_index.emplace(bitext.source(), options.max_length);
      if (side == 1) target_index.emplace(bitext.target(), options.max_length);
    });
    auto for_each = [&](auto&& visit) {
      for_each_pair(bitext, options.max_length, options.threads, kSentencesPerTask,
                    [&](std::size_t, const PhrasePairSpan& pair) {
                      const std::uint32_t source = code.encode(pair.source_begin, pair.source_length);
                      const std::uint32_t target = code.encode(pair.target_begin, pair.target_length);
                      visit(source_index->id(source), Occurrence{target_index->id(target), target, source});
                    },
                    [](std::size_t) {});
    };
    std::atomic<std::uint64_t> total = 0;
    offsets.resize(source_index->size() + 2);
    targets.counts.resize(target_index->size());
    for_each([&](PhraseNumber source, const Occurrence& occurrence) {
      add_one(offsets[source + 2]);
      add_one(targets.counts[occurrence.target]);
    });
    for (std::uint32_t count : offsets) total += count;
    check_size(size_ = total);
    accumulate(offsets);
    occurrences.resize(size_);
    for_each([&](PhraseNumber source, const Occurrence& occurrence) {
      occurrences[add_one(offsets[source + 1])] = occurrence;
    });
    offsets.pop_back();
  }

  std::size_t parts() const override { return 1; }
  void load(std::size_t) override {}
};

/// Counts on disk, one after the other, read where sorted indexes point.
class SpilledCounts {
 public:
  explicit SpilledCounts(const std::string& directory) : file_(directory) {}

  void append(const std::vector<std::uint32_t>& values) {
    file_.append(values.data(), values.size() * sizeof(std::uint32_t));
    size_ += values.size();
  }
  std::vector<std::uint32_t> gather(const std::vector<PhraseNumber>& indexes) const {
    std::vector<std::uint32_t> values, block;
    values.reserve(indexes.size());
    while (values.size() < indexes.size()) {
      const std::size_t begin = indexes[values.size()] / kBlock * kBlock;
      block.resize(std::min(kBlock, size_ - begin));
      file_.read(begin * sizeof(std::uint32_t), block.data(), block.size() * sizeof(std::uint32_t));
      while (values.size() < indexes.size() && indexes[values.size()] < begin + block.size())
        values.push_back(block[indexes[values.size()] - begin]);
    }
    return values;
  }

 private:
  static constexpr std::size_t kBlock = 1 << 16;

  ScratchFile file_;
  std::size_t size_ = 0;
};

/// What the phrases of each first word take of memory: words of the vocabulary by number, in bytes.
using WordCosts = std::vector<std::uint64_t>;

// Of a position: its slot in the sorted suffixes; ids and per-phrase numbers up to max_length times.
std::uint64_t position_bytes(std::uint32_t max_length) { return 4 + 8ull * max_length; }
// Of an occurrence: itself, and its target phrase with its count.
constexpr std::uint64_t kOccurrenceBytes = sizeof(Occurrence) + sizeof(PhraseNumber) + sizeof(std::uint32_t);

std::vector<WordRange> split(const WordCosts& costs, std::uint64_t limit) {
  std::vector<WordRange> ranges;
  std::uint64_t sum = 0;
  WordId first = 0;
  for (WordId word = 0; word < costs.size(); ++word) {
    if (word > first && sum + costs[word] > limit) {
      ranges.emplace_back(first, word);
      first = word;
      sum = 0;
    }
    sum += costs[word];
  }
  if (first < costs.size()) ranges.emplace_back(first, static_cast<WordId>(costs.size()));
  return ranges;
}

class Spilled final : public PhraseOccurrences {
 public:
  /// `occurrences` of source phrases by their first word.
  Spilled(const Bitext& bitext, const OccurrenceOptions& options, const std::vector<std::uint32_t>& occurrences)
      : bitext_(bitext), options_(options), code_(options.max_length), file_(options.temporary_directory),
        counts_(options.temporary_directory) {
    size_ = std::accumulate(occurrences.begin(), occurrences.end(), std::uint64_t{0});
    check_size(size_);
    plan(occurrences);
    PhraseNumber first_id = 0;
    for (WordRange range : target_ranges_) {
      return_memory();
      first_id = spill(range, first_id);
    }
    part_of_word_ = {};
  }

  std::size_t parts() const override { return parts_.size(); }

  void load(std::size_t part) override {
    if (part == loaded_) return;
    loaded_ = part;
    offsets = {};
    occurrences = {};
    targets = {};
    return_memory();
    const PhraseIndex index(bitext_.source(), options_.max_length, parts_[part].range, 0, options_.threads);
    offsets.assign(index.size() + 2, 0);
    read(part, [&](const Occurrence& occurrence) { add_one(offsets[index.id(occurrence.source_span) + 2]); });
    accumulate(offsets);
    occurrences.resize(parts_[part].size);
    read(part, [&](const Occurrence& occurrence) {
      occurrences[add_one(offsets[index.id(occurrence.source_span) + 1])] = occurrence;
    });
    offsets.pop_back();
    load_targets();
  }

 private:
  struct Part {
    WordRange range;
    std::uint64_t size = 0;  // occurrences
    std::vector<std::pair<std::uint64_t, std::uint32_t>> extents;  // where in the file, and how many
  };

  void plan(const std::vector<std::uint32_t>& occurrences) {
    const std::uint64_t of_position = position_bytes(options_.max_length);
    WordCosts source(bitext_.source().vocabulary.size()), target(bitext_.target().vocabulary.size());
    for (WordId word : bitext_.source().words) source[word] += of_position;
    for (WordId word : bitext_.target().words) target[word] += of_position;
    for (WordId word = 0; word < source.size(); ++word) source[word] += kOccurrenceBytes * occurrences[word];
    // Always needed: the slots and rooms of a side's positions.
    const std::uint64_t fixed = 5 * std::max(bitext_.source().words.size(), bitext_.target().words.size());
    std::uint64_t largest = 0;
    for (const WordCosts* costs : {&source, &target})
      for (std::uint64_t cost : *costs) largest = std::max(largest, cost);
    const std::uint64_t least = fixed + largest;
    if (least > options_.memory)
      throw InputError("too little memory: the phrases of the most frequent word alone take " +
                       std::to_string(((least - options_.memory) >> 20) + 1) + " MB more; raise the limit");
    for (WordRange range : split(source, options_.memory - fixed)) parts_.push_back({range, 0, {}});
    target_ranges_ = split(target, options_.memory - fixed);
    part_of_word_.resize(source.size());
    for (std::uint32_t part = 0; part < parts_.size(); ++part)
      std::fill(part_of_word_.begin() + parts_[part].range.first, part_of_word_.begin() + parts_[part].range.second,
                part);
  }

  /// Writes the occurrences of a range of target phrases; where the numbers of the next range begin.
  PhraseNumber spill(WordRange range, PhraseNumber first_id) {
    const PhraseIndex index(bitext_.target(), options_.max_length, range, first_id, options_.threads);
    std::vector<std::uint32_t> counts(index.size());
    const std::size_t per_task = bitext_.sentences() / (4 * options_.threads) + 1;
    // All buffers together should not take more than an eighth of the memory.
    const std::size_t extent_bytes = std::clamp<std::size_t>(
        options_.memory / 8 / (parts_.size() * options_.threads + 1), sizeof(Occurrence), kMaxExtentBytes);
    std::vector<std::vector<std::vector<Occurrence>>> buffers(bitext_.sentences() / per_task + 1);
    for_each_pair(
        bitext_, options_.max_length, options_.threads, per_task,
        [&](std::size_t task, const PhrasePairSpan& pair) {
          const WordId word = bitext_.target().words[pair.target_begin];
          if (word < range.first || word >= range.second) return;
          const std::uint32_t span = code_.encode(pair.target_begin, pair.target_length);
          const PhraseNumber id = index.id(span);
          add_one(counts[id - first_id]);
          auto& parts = buffers[task];
          if (parts.empty()) parts.resize(parts_.size());
          const std::uint32_t part = part_of_word_[bitext_.source().words[pair.source_begin]];
          parts[part].push_back({id, span, code_.encode(pair.source_begin, pair.source_length)});
          if (parts[part].size() * sizeof(Occurrence) >= extent_bytes) write(part, parts[part]);
        },
        [&](std::size_t task) {
          for (std::uint32_t part = 0; part < buffers[task].size(); ++part) write(part, buffers[task][part]);
          buffers[task] = {};
        });
    counts_.append(counts);
    return static_cast<PhraseNumber>(first_id + index.size());
  }

  void write(std::uint32_t part, std::vector<Occurrence>& buffer) {
    if (buffer.empty()) return;
    const std::uint64_t offset = file_.append(buffer.data(), buffer.size() * sizeof(Occurrence));
    std::scoped_lock hold(mutex_);
    parts_[part].extents.emplace_back(offset, static_cast<std::uint32_t>(buffer.size()));
    parts_[part].size += buffer.size();
    buffer.clear();
  }

  /// Calls visit(occurrence) for those of a part, on several threads.
  template <class Visit>
  void read(std::size_t part, Visit&& visit) const {
    const auto& extents = parts_[part].extents;
    parallel_for(extents.size(), options_.threads, [&](std::size_t i) {
      std::vector<Occurrence> block(extents[i].second);
      file_.read(extents[i].first, block.data(), block.size() * sizeof(Occurrence));
      for (const Occurrence& occurrence : block) visit(occurrence);
    });
  }

  void load_targets() {
    targets.ids.clear();
    targets.ids.reserve(occurrences.size());
    for (const Occurrence& occurrence : occurrences) targets.ids.push_back(occurrence.target);
    std::sort(targets.ids.begin(), targets.ids.end());
    targets.ids.erase(std::unique(targets.ids.begin(), targets.ids.end()), targets.ids.end());
    targets.counts = counts_.gather(targets.ids);
  }

  const Bitext& bitext_;
  OccurrenceOptions options_;
  SpanCode code_;
  ScratchFile file_;
  SpilledCounts counts_;
  std::vector<Part> parts_;
  std::vector<WordRange> target_ranges_;
  std::vector<std::uint32_t> part_of_word_;  // of source words
  std::mutex mutex_;
  std::size_t loaded_ = ~std::size_t{0};
};

/// Occurrences of phrase pairs by the source phrase's first word.
std::vector<std::uint32_t> count_by_first_word(const Bitext& bitext, const OccurrenceOptions& options) {
  std::vector<std::uint32_t> counts(bitext.source().vocabulary.size());
  for_each_pair(bitext, options.max_length, options.threads, kSentencesPerTask,
                [&](std::size_t, const PhrasePairSpan& pair) { add_one(counts[bitext.source().words[pair.source_begin]]); },
                [](std::size_t) {});
  return counts;
}

}  // namespace

std::size_t TargetPhrases::slot(PhraseNumber id) const {
  if (ids.empty()) return id;
  return static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
}

std::unique_ptr<PhraseOccurrences> collect_occurrences(const Bitext& bitext, const OccurrenceOptions& options) {
  if (options.memory > 0) {
    const std::vector<std::uint32_t> counts = count_by_first_word(bitext, options);
    const std::uint64_t positions = bitext.source().words.size() + bitext.target().words.size();
    const std::uint64_t occurrences = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    const std::uint64_t needed = positions * position_bytes(options.max_length) + occurrences * sizeof(Occurrence);
    if (needed > options.memory && positions > 0) return std::make_unique<Spilled>(bitext, options, counts);
  }
  return std::make_unique<InMemory>(bitext, options);
}

}  // namespace widl
