#include "alignment/model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "errors.hpp"
#include "parallel.hpp"

namespace widl {
namespace {

constexpr double kStepsPerOctave = 16, kLowestOctave = -8;

void fill_side(LexiconSide& side, const std::vector<AlignmentCounts::Word>& words, const AlignmentModel::Split& split) {
  std::vector<double> unaligned;
  for (const auto& word : words) {
    side.add(word.word, static_cast<double>(word.frequency), split(word.word));
    unaligned.push_back(decode_count(word.unaligned));
  }
  if (side.vocabulary().size() != words.size()) throw InputError("a word is listed twice");
  side.estimate_unaligned(unaligned);
}

JumpDistribution jump_distribution(const std::vector<std::uint32_t>& codes) {
  JumpDistribution::Counts counts;
  if (codes.size() != counts.size())
    throw InputError(std::to_string(codes.size()) + " jumps, expected " + std::to_string(counts.size()));
  std::transform(codes.begin(), codes.end(), counts.begin(), decode_count);
  return JumpDistribution(counts);
}

}  // namespace

std::uint32_t encode_count(double count) {
  if (!(count >= std::exp2(kLowestOctave))) return 0;
  return static_cast<std::uint32_t>(std::lround((std::log2(count) - kLowestOctave) * kStepsPerOctave)) + 1;
}

double decode_count(std::uint32_t code) {
  return code == 0 ? 0 : std::exp2((code - 1) / kStepsPerOctave + kLowestOctave);
}

AlignmentModel::AlignmentModel(AlignmentCounts counts, Split split_source, Split split_target, unsigned threads)
    : counts_(std::move(counts)), split_source_(std::move(split_source)), split_target_(std::move(split_target)),
      source_jumps_(jump_distribution(counts_.source_jumps)), target_jumps_(jump_distribution(counts_.target_jumps)) {
  if (counts_.links.size() != counts_.sources.size()) throw InputError("each source word needs a row of links");
  fill_side(lexicon_.source, counts_.sources, split_source_);
  fill_side(lexicon_.target, counts_.targets, split_target_);
  LinkCounts rows(counts_.links.size());
  for (std::size_t word = 0; word < rows.size(); ++word) {
    for (const auto& entry : counts_.links[word]) {
      if (entry.target >= counts_.targets.size()) throw InputError("a link to an unknown target word");
      rows[word].push_back({entry.target, static_cast<float>(decode_count(entry.count))});
    }
  }
  lexicon_.table = LexicalTable(rows);
  lexicon_.estimate(threads);
}

void AlignmentModel::compute(SentencePosteriors& posteriors, const SentenceSide& source, const SentenceSide& target) const {
  posteriors.compute(lexicon_, source, target, AlignmentModelKind::HiddenMarkov, {source_jumps_, target_jumps_}, true);
}

SentencePosteriors AlignmentModel::posteriors(const TextWords& source, const TextWords& target, std::size_t sentence) const {
  SentencePosteriors posteriors(kNull);
  compute(posteriors, SentenceSide::of(source, sentence), SentenceSide::of(target, sentence));
  return posteriors;
}

std::vector<DirectedLinks> AlignmentModel::align(const ParallelText& text, const TextWords& source, const TextWords& target,
                                                 std::size_t begin, std::size_t end, unsigned threads) const {
  static constexpr std::size_t kBlock = 64;
  if (begin > end || end > text.sentences()) throw InternalError("sentences outside of the text");
  std::vector<DirectedLinks> links(end - begin);
  parallel_for((links.size() + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
    SentencePosteriors posteriors(kNull);
    LinkChooser chooser;
    for (std::size_t at = block * kBlock; at < std::min(links.size(), (block + 1) * kBlock); ++at) {
      const auto source_side = SentenceSide::of(source, begin + at), target_side = SentenceSide::of(target, begin + at);
      if (source_side.size() == 0 || target_side.size() == 0) continue;
      compute(posteriors, source_side, target_side);
      links[at] = chooser.choose(posteriors);
    }
  });
  return links;
}

namespace {

/// Expected counts that are set to the counts of given links.
class LinkCounter {
 public:
  explicit LinkCounter(const ParallelText& text) : text_(text), rows_(text.source.vocabulary.size()) {}

  void add(std::size_t sentence, const std::vector<Link>& links) {
    for (const Link& link : links)
      rows_[text_.source.words[text_.source.begins[sentence] + link.source]]
           [text_.target.words[text_.target.begins[sentence] + link.target]] += 0.5;
  }

  std::vector<std::vector<AlignmentCounts::Entry>> rows() const {
    std::vector<std::vector<AlignmentCounts::Entry>> rows(rows_.size());
    for (std::size_t word = 0; word < rows.size(); ++word)
      for (auto [target, count] : rows_[word]) rows[word].push_back({target, encode_count(count)});
    return rows;
  }

 private:
  const ParallelText& text_;
  std::vector<std::map<WordId, double>> rows_;
};

/// Words of `side` without links, and jumps between the partners of its words. `partners` are (position, partner).
void count_partners(const BitextSide& side, std::size_t sentence, std::vector<std::pair<std::uint32_t, std::uint32_t>> partners,
                    std::vector<double>& unaligned, JumpDistribution::Counts& jumps) {
  std::sort(partners.begin(), partners.end());
  int last = -1;
  std::size_t next = 0;
  const std::uint32_t begin = side.begins[sentence], size = side.begins[sentence + 1] - begin;
  for (std::uint32_t position = 0; position < size; ++position) {
    if (next == partners.size() || partners[next].first != position) {
      ++unaligned[side.words[begin + position]];
      continue;
    }
    const int partner = static_cast<int>(partners[next].second);
    ++jumps[JumpDistribution::index(partner - last)];
    last = partner;
    while (next < partners.size() && partners[next].first == position) ++next;
  }
}

std::vector<std::uint32_t> codes(const JumpDistribution::Counts& counts) {
  std::vector<std::uint32_t> codes(counts.size());
  std::transform(counts.begin(), counts.end(), codes.begin(), encode_count);
  return codes;
}

std::vector<AlignmentCounts::Word> words(const BitextSide& side, const std::vector<double>& unaligned) {
  std::vector<AlignmentCounts::Word> words;
  for (WordId word = 0; word < side.vocabulary.size(); ++word)
    words.push_back({std::string(side.vocabulary.word(word)), 0, encode_count(unaligned[word])});
  for (WordId word : side.words) ++words[word].frequency;
  return words;
}

}  // namespace

AlignmentCounts count_links(const ParallelText& text, const std::vector<std::vector<Link>>& forward,
                            const std::vector<std::vector<Link>>& reverse) {
  LinkCounter counter(text);
  std::vector<double> unaligned_source(text.source.vocabulary.size()), unaligned_target(text.target.vocabulary.size());
  JumpDistribution::Counts source_jumps{}, target_jumps{};
  for (std::size_t sentence = 0; sentence < text.sentences(); ++sentence) {
    counter.add(sentence, forward[sentence]);
    counter.add(sentence, reverse[sentence]);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> of_targets, of_sources;
    for (const Link& link : forward[sentence]) of_targets.emplace_back(link.target, link.source);
    for (const Link& link : reverse[sentence]) of_sources.emplace_back(link.source, link.target);
    count_partners(text.target, sentence, std::move(of_targets), unaligned_target, source_jumps);
    count_partners(text.source, sentence, std::move(of_sources), unaligned_source, target_jumps);
  }
  return {words(text.source, unaligned_source), words(text.target, unaligned_target), counter.rows(), codes(source_jumps),
          codes(target_jumps)};
}

}  // namespace widl
