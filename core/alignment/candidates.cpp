#include "alignment/candidates.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "parallel.hpp"

namespace widl {
namespace {

constexpr std::uint32_t kNoSentence = std::numeric_limits<std::uint32_t>::max();

/// 2 sum n log(n / expected) over the four cells "source word there or not, target word there or not".
double log_likelihood_ratio(double both, double source, double target, double all) {
  auto cell = [](double count, double expected) { return count > 0 ? count * std::log(count / expected) : 0.0; };
  return 2 * (cell(both, source * target / all) + cell(source - both, source * (all - target) / all) +
              cell(target - both, (all - source) * target / all) +
              cell(all - source - target + both, (all - source) * (all - target) / all));
}

/// The sentences that each source word is in, once for each time.
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

/// What one source word is together with; arrays over all target words, clean between two words.
class Neighbours {
 public:
  Neighbours(const ParallelText& text, const Occurrences& occurrences, const std::vector<std::uint32_t>& target_counts)
      : text_(text), occurrences_(occurrences), target_counts_(target_counts), links_(target_counts.size()),
        together_(target_counts.size()), last_(target_counts.size(), kNoSentence) {}

  /// Calls keep(target word, expected links, association) in ascending order of target words.
  template <class Keep>
  void visit(WordId source, double least_association, Keep&& keep) {
    const double sentences = count(source), all = static_cast<double>(text_.sentences());
    std::sort(seen_.begin(), seen_.end());
    for (WordId target : seen_) {
      const double both = together_[target], others = target_counts_[target];
      const double association = log_likelihood_ratio(both, sentences, others, all);
      const bool attracted = both * all > sentences * others && association > least_association;
      if (attracted || 4 * both >= sentences + others) keep(target, links_[target], association);
      links_[target] = 0;
      together_[target] = 0;
      last_[target] = kNoSentence;
    }
    seen_.clear();
  }

 private:
  /// The number of sentences that the word is in.
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

/// Associations in steps of a tenth, so that a limit on pairs becomes a limit on association.
class Histogram {
 public:
  static std::size_t bin(double association) {
    return std::min(static_cast<std::size_t>(association * 10), kBins - 1);
  }
  void add(double association) { bins_[bin(association)].fetch_add(1, std::memory_order_relaxed); }
  /// The lowest bin that may stay when at most so many pairs may.
  std::size_t first_kept(std::size_t most) const {
    std::size_t kept = 0, at = kBins;
    while (at > 0 && kept + bins_[at - 1] <= most) kept += bins_[--at];
    return at;
  }

 private:
  static constexpr std::size_t kBins = 1000;
  std::vector<std::atomic<std::size_t>> bins_ = std::vector<std::atomic<std::size_t>>(kBins);
};

}  // namespace

LinkCounts candidate_pairs(const ParallelText& text, const CandidateOptions& options, unsigned threads) {
  const Occurrences occurrences(text.source);
  const std::vector<std::uint32_t> target_counts = sentence_counts(text.target);
  const std::size_t words = text.source.vocabulary.size(), parts = std::min<std::size_t>(64, words);
  LinkCounts rows(words);
  std::vector<std::vector<std::uint16_t>> bins(words);
  Histogram histogram;
  parallel_for(parts, threads, [&](std::size_t part) {
    Neighbours neighbours(text, occurrences, target_counts);
    for (std::size_t word = part; word < words; word += parts)
      neighbours.visit(static_cast<WordId>(word), options.least_association,
                       [&](WordId target, float links, double association) {
                         rows[word].push_back({target, links});
                         bins[word].push_back(static_cast<std::uint16_t>(Histogram::bin(association)));
                         histogram.add(association);
                       });
  });
  const std::size_t first = histogram.first_kept(options.most_pairs);
  for (std::size_t word = 0; word < words; ++word) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rows[word].size(); ++i)
      if (bins[word][i] >= first) rows[word][kept++] = rows[word][i];
    rows[word].resize(kept);
    rows[word].shrink_to_fit();
  }
  return rows;
}

}  // namespace widl
