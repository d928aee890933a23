#include "alignment/candidate_pairs.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "parallel.hpp"

namespace widl {
namespace {

constexpr std::uint32_t kNoSentence = std::numeric_limits<std::uint32_t>::max();
constexpr double kMinAssociation = 12;  // log-likelihood ratio (Dunning 1993), in nats

/// 2 sum n log(n / expected) over the four cells "source word present or not, target word present or not".
double log_likelihood_ratio(double both, double source, double target, double all) {
  auto cell = [](double count, double expected) { return count > 0 ? count * std::log(count / expected) : 0.0; };
  return 2 * (cell(both, source * target / all) + cell(source - both, source * (all - target) / all) +
              cell(target - both, (all - source) * target / all) +
              cell(all - source - target + both, (all - source) * (all - target) / all));
}

/// The sentences of each source word, with one entry per occurrence.
struct Occurrences {
  explicit Occurrences(const BitextSide& side) : begins(side.vocabulary.size() + 1), sentences(side.words.size()) {
    for (WordId word : side.words) ++begins[word + 1];
    for (std::size_t word = 1; word < begins.size(); ++word) begins[word] += begins[word - 1];
    std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
    for (std::uint32_t sentence = 0; sentence < side.sentences(); ++sentence)
      for (std::uint32_t at = side.begins[sentence]; at < side.begins[sentence + 1]; ++at)
        sentences[next[side.words[at]]++] = sentence;
  }
  std::vector<std::uint32_t> begins, sentences;
};

std::vector<std::uint32_t> sentence_counts(const BitextSide& side) {
  std::vector<std::uint32_t> counts(side.vocabulary.size()), last(side.vocabulary.size(), kNoSentence);
  for (std::uint32_t sentence = 0; sentence < side.sentences(); ++sentence)
    for (std::uint32_t at = side.begins[sentence]; at < side.begins[sentence + 1]; ++at)
      if (std::exchange(last[side.words[at]], sentence) != sentence) ++counts[side.words[at]];
  return counts;
}

/// The target words that co-occur with one source word. Arrays over all target words, cleared between source words.
class Neighbors {
 public:
  Neighbors(const ParallelText& text, const Occurrences& occurrences, const std::vector<std::uint32_t>& target_counts)
      : text_(text),
        occurrences_(occurrences),
        target_counts_(target_counts),
        links_(target_counts.size()),
        together_(target_counts.size()),
        last_(target_counts.size(), kNoSentence) {}

  /// Calls keep(target word, expected links, association) in ascending order of target words.
  template <class Keep>
  void visit(WordId source, Keep&& keep) {
    const double sentences = count(source), all = static_cast<double>(text_.sentences());
    std::sort(seen_.begin(), seen_.end());
    for (WordId target : seen_) {
      const double both = together_[target], others = target_counts_[target];
      const double association = log_likelihood_ratio(both, sentences, others, all);
      const bool attracted = both * all > sentences * others && association > kMinAssociation;
      if (attracted || 4 * both >= sentences + others) keep(target, links_[target], association);
      links_[target] = 0;
      together_[target] = 0;
      last_[target] = kNoSentence;
    }
    seen_.clear();
  }

 private:
  /// The number of sentences with the word.
  double count(WordId word) {
    std::uint32_t sentences = 0, previous = kNoSentence;
    for (std::uint32_t i = occurrences_.begins[word]; i < occurrences_.begins[word + 1]; ++i) {
      const std::uint32_t sentence = occurrences_.sentences[i];
      const bool first_time = std::exchange(previous, sentence) != sentence;
      sentences += first_time;
      const std::uint32_t* source = &text_.source.begins[sentence];
      const std::uint32_t begin = text_.target.begins[sentence], end = text_.target.begins[sentence + 1];
      const float share = 2.0f / static_cast<float>(source[1] - source[0] + end - begin);
      for (std::uint32_t at = begin; at < end; ++at) {
        const WordId target = text_.target.words[at];
        if (links_[target] == 0) seen_.push_back(target);
        links_[target] += share;
        if (first_time && std::exchange(last_[target], sentence) != sentence) ++together_[target];
      }
    }
    return sentences;
  }

  const ParallelText& text_;
  const Occurrences& occurrences_;
  const std::vector<std::uint32_t>& target_counts_;
  std::vector<float> links_;
  std::vector<std::uint32_t> together_, last_;
  std::vector<WordId> seen_;
};

/// Bins of association, so that a limit on pairs becomes a limit on association. Bins have a width of 0.1 up to 100,
/// then of 0.7 %, because association grows without limit with the size of the text.
class Histogram {
 public:
  static std::size_t bin(double association) {
    if (association < kFine) return static_cast<std::size_t>(association * 10);
    return std::min(static_cast<std::size_t>(kFine * 10 + 100 * std::log2(association / kFine)), kBins - 1);
  }
  void add(std::size_t bin) { bins_[bin].fetch_add(1, std::memory_order_relaxed); }
  /// The lowest bin to keep so that at most `most` pairs stay.
  std::size_t first_kept(std::size_t most) const {
    std::size_t count = 0, at = kBins;
    while (at > 0 && count + bins_[at - 1] <= most) count += bins_[--at];
    return at;
  }

 private:
  static constexpr double kFine = 100;
  static constexpr std::size_t kBins = 8000;  // up to 10^23
  std::vector<std::atomic<std::size_t>> bins_ = std::vector<std::atomic<std::size_t>>(kBins);
};

/// Collects the pairs. Pairs that can no longer be among the most associated are dropped repeatedly, so that memory
/// does not grow with the text.
class Candidates {
 public:
  Candidates(std::size_t words, std::size_t most_pairs) : most_pairs_(most_pairs), rows_(words), bins_(words) {}

  /// Adds the pairs of a source word. Thread-safe if each thread has different words.
  void find(WordId word, Neighbors& neighbors) {
    auto& row = rows_[word];
    auto& bins = bins_[word];
    neighbors.visit(word, [&](WordId target, float links, double association) {
      const std::size_t bin = Histogram::bin(association);
      histogram_.add(bin);
      if (bin < first_kept_) return;
      row.push_back({target, links});
      bins.push_back(static_cast<std::uint16_t>(bin));
    });
    row.shrink_to_fit();
    bins.shrink_to_fit();
    held_ += row.size();
  }

  /// Drops pairs if too many pairs are better; must not run concurrently with `find`. The limit only rises, so no pair
  /// is lost.
  void drop_if_many() {
    if (held_ > most_pairs_ + most_pairs_ / 2) drop();
  }

  LinkCounts take() {
    drop();
    return std::move(rows_);
  }

 private:
  void drop() {
    first_kept_ = histogram_.first_kept(most_pairs_);
    held_ = 0;
    for (std::size_t word = 0; word < rows_.size(); ++word) {
      auto& row = rows_[word];
      auto& bins = bins_[word];
      std::size_t count = 0;
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (bins[i] < first_kept_) continue;
        row[count] = row[i];
        bins[count++] = bins[i];
      }
      held_ += count;
      if (count == row.size()) continue;
      row.resize(count);
      bins.resize(count);
      row.shrink_to_fit();
      bins.shrink_to_fit();
    }
  }

  std::size_t most_pairs_, first_kept_ = 0;
  std::atomic<std::size_t> held_{0};
  Histogram histogram_;
  LinkCounts rows_;
  std::vector<std::vector<std::uint16_t>> bins_;
};

}  // namespace

LinkCounts candidate_pairs(const ParallelText& text, std::size_t most_pairs, unsigned threads) {
  static constexpr std::size_t kBlock = 4096;  // words between two checks of the number of pairs
  const Occurrences occurrences(text.source);
  const std::vector<std::uint32_t> target_counts = sentence_counts(text.target);
  const std::size_t words = text.source.vocabulary.size();
  Candidates candidates(words, most_pairs);
  const unsigned workers = std::max(1u, threads);
  std::vector<Neighbors> neighbors;
  for (unsigned worker = 0; worker < workers; ++worker) neighbors.emplace_back(text, occurrences, target_counts);
  for (std::size_t begin = 0; begin < words; begin += kBlock) {
    std::atomic<std::size_t> next{begin};
    const std::size_t end = std::min(begin + kBlock, words);
    parallel_for(workers, workers, [&](std::size_t worker) {
      for (std::size_t word; (word = next.fetch_add(1)) < end;)
        candidates.find(static_cast<WordId>(word), neighbors[worker]);
    });
    candidates.drop_if_many();
  }
  return candidates.take();
}

}  // namespace widl
