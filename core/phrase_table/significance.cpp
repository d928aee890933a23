#include "phrase_table/significance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>

#include "errors.hpp"
#include "parallel.hpp"

namespace widl {
namespace {

// From this many occurrences on, the number of a target phrase's sentences is remembered.
constexpr std::uint32_t kFrequent = 64;

/// ln n!, without lgamma's global variable.
double log_factorial(std::uint32_t n) {
  static const std::vector<double> small = [] {
    std::vector<double> logs(256);
    for (std::size_t i = 2; i < logs.size(); ++i) logs[i] = logs[i - 1] + std::log(static_cast<double>(i));
    return logs;
  }();
  if (n < small.size()) return small[n];
  const double x = n;  // Stirling's series: at 256 the next term is 1e-15
  return x * std::log(x) - x + 0.5 * std::log(2 * std::numbers::pi * x) + 1 / (12 * x) - 1 / (360 * x * x * x);
}

double log_choose(std::uint32_t n, std::uint32_t k) {
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/// Counts on from `mark`; when the numbers are used up, all marks are removed.
void next_mark(std::uint32_t& mark, std::vector<std::uint32_t>& marks) {
  if (++mark != 0) return;
  std::fill(marks.begin(), marks.end(), 0);
  mark = 1;
}

}  // namespace

double negative_log_p(std::uint32_t joint, std::uint32_t source, std::uint32_t target, std::uint32_t sentences) {
  if (std::max(source, target) > sentences || joint > std::min(source, target))
    throw InternalError("phrases in more sentences than there are");
  const std::uint32_t least = source + static_cast<std::uint64_t>(target) > sentences ? source + target - sentences : 0;
  if (joint <= least) return 0;
  const double s = source, t = target, n = sentences;
  auto ratio = [&](double k) { return (s - k) * (t - k) / ((k + 1) * (n - s - t + k + 1)); };  // h(k+1) / h(k)
  auto log_h = [&](std::uint32_t k) {
    return log_choose(source, k) + log_choose(sentences - source, target - k) - log_choose(sentences, target);
  };
  if (source == 1 && target == 1) return std::log(n);  // exactly alpha
  double sum = 0, term = 1;
  if (joint > s * t / n) {  // the upper tail, falling from its first term on
    for (double k = joint; term > sum * std::numeric_limits<double>::epsilon() / 4; ++k) {
      sum += term;
      term *= ratio(k);
    }
    return std::max(0.0, -(log_h(joint) + std::log(sum)));
  }
  // Below the mean: one minus the lower tail, falling towards 0.
  for (double k = joint - 1.0; term > sum * std::numeric_limits<double>::epsilon() / 4; --k) {
    sum += term;
    if (k <= least) break;
    term /= ratio(k - 1);
  }
  return -std::log1p(-std::min(1.0, std::exp(log_h(joint - 1) + std::log(sum))));
}

SuffixArray::SuffixArray(const BitextSide& side, std::uint32_t max_length)
    : side_(side), room_(phrase_room(side, max_length)), order_(sort_suffixes(side, max_length, room_)) {
  sentences_.resize(order_.size());
  for (std::uint32_t s = 0; s < side.sentences(); ++s)
    std::fill(sentences_.begin() + side.begins[s], sentences_.begin() + side.begins[s + 1], s);
}

int SuffixArray::compare(std::uint32_t suffix, std::span<const WordId> phrase) const {
  const std::uint32_t at = order_[suffix];
  const std::size_t length = std::min<std::size_t>(phrase.size(), room_[at]);
  for (std::size_t i = 0; i < length; ++i)
    if (side_.words[at + i] != phrase[i]) return side_.words[at + i] < phrase[i] ? -1 : 1;
  return length < phrase.size() ? -1 : 0;
}

SuffixArray::Range SuffixArray::find(std::span<const WordId> phrase) const {
  auto boundary = [&](int least) {  // the first suffix that compares to at least this
    std::uint32_t begin = 0, end = static_cast<std::uint32_t>(order_.size());
    while (begin < end) {
      const std::uint32_t middle = begin + (end - begin) / 2;
      if (compare(middle, phrase) < least) begin = middle + 1; else end = middle;
    }
    return begin;
  };
  return {boundary(0), boundary(1)};
}

SearchableBitext::SearchableBitext(const Bitext& bitext, std::uint32_t max_length, unsigned threads)
    : sentences(static_cast<std::uint32_t>(bitext.sentences())) {
  std::vector<std::optional<SuffixArray>> built(2);
  parallel_for(2, threads, [&](std::size_t i) {
    built[i].emplace(i == 0 ? bitext.source() : bitext.target(), max_length);
  });
  for (auto& side : built) sides.push_back(std::move(*side));
}

SignificanceTest::SignificanceTest(const SearchableBitext& bitext, double threshold)
    : bitext_(bitext),
      threshold_(threshold),
      alpha_(std::log(static_cast<double>(bitext.sentences))),
      source_marks_(bitext.sentences), marks_(bitext.sentences) {}

void SignificanceTest::set_source(SuffixArray::Range source) {
  next_mark(source_mark_, source_marks_);
  source_sentences_.clear();
  for (std::uint32_t i = source.begin; i < source.end; ++i) {
    std::uint32_t& mark = source_marks_[bitext_.sides[0].sentence(i)];
    if (mark == source_mark_) continue;
    mark = source_mark_;
    source_sentences_.push_back(bitext_.sides[0].sentence(i));
  }
  // A phrase that isn't in the text, or in one sentence, can't do better than 0, or alpha.
  hopeless_ = threshold_ > (source_sentences_.empty() ? 0 : source_sentences_.size() == 1 ? alpha_ : INFINITY);
}

bool SignificanceTest::passes_range(SuffixArray::Range target, std::uint32_t target_length) {
  const auto sources = static_cast<std::uint32_t>(source_sentences_.size());
  if (target.size() == 0) return threshold_ <= 0;
  if (target.size() == 1 && threshold_ > alpha_) return false;
  const std::uint32_t joint = count_joint(target, target_length);
  return negative_log_p(joint, sources, count_target(target, target_length), bitext_.sentences) >= threshold_;
}

std::uint32_t SignificanceTest::count_target(SuffixArray::Range target, std::uint32_t length) {
  if (target.size() == 1) return 1;
  std::uint32_t* known = nullptr;
  if (target.size() >= kFrequent) {
    known = &frequent_[static_cast<std::uint64_t>(target.begin) << 16 | length];
    if (*known > 0) return *known;
  }
  next_mark(mark_, marks_);
  std::uint32_t count = 0;
  for (std::uint32_t i = target.begin; i < target.end; ++i) {
    std::uint32_t& mark = marks_[bitext_.sides[1].sentence(i)];
    count += mark != mark_;
    mark = mark_;
  }
  if (known != nullptr) *known = count;
  return count;
}

std::uint32_t SignificanceTest::count_joint(SuffixArray::Range target, std::uint32_t length) {
  const std::size_t sources = source_sentences_.size();
  std::uint32_t count = 0;
  if (target.size() / 4 > sources) {  // fewer sentences to read than occurrences to look up
    const std::uint32_t at = bitext_.sides[1].position(target.begin);
    for (std::uint32_t sentence : source_sentences_) count += sentence_has(sentence, at, length);
    return count;
  }
  next_mark(mark_, marks_);
  for (std::uint32_t i = target.begin; i < target.end; ++i) {
    const std::uint32_t sentence = bitext_.sides[1].sentence(i);
    if (source_marks_[sentence] != source_mark_ || marks_[sentence] == mark_) continue;
    marks_[sentence] = mark_;
    ++count;
  }
  return count;
}

bool SignificanceTest::sentence_has(std::uint32_t sentence, std::uint32_t phrase_at, std::uint32_t length) const {
  const BitextSide& side = bitext_.sides[1].side();
  const auto phrase = side.words.begin() + phrase_at, begin = side.words.begin() + side.begins[sentence],
             end = side.words.begin() + side.begins[sentence + 1];
  return std::search(begin, end, phrase, phrase + length) != end;
}

}  // namespace widl
