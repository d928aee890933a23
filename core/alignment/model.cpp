#include "alignment/model.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <system_error>
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
    : counts_(std::move(counts)),
      split_source_(std::move(split_source)),
      split_target_(std::move(split_target)),
      source_jumps_(jump_distribution(counts_.source_jumps)),
      target_jumps_(jump_distribution(counts_.target_jumps)) {
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

void AlignmentModel::compute(SentencePosteriors& posteriors, const SentenceSide& source,
                             const SentenceSide& target) const {
  posteriors.compute(lexicon_, source, target, AlignmentModelKind::HiddenMarkov, {source_jumps_, target_jumps_}, true);
}

SentencePosteriors AlignmentModel::posteriors(const TextWords& source, const TextWords& target,
                                              std::size_t sentence) const {
  SentencePosteriors posteriors(kNull);
  compute(posteriors, SentenceSide::of(source, sentence), SentenceSide::of(target, sentence));
  return posteriors;
}

std::vector<DirectedLinks> AlignmentModel::align(const ParallelText& text, const TextWords& source,
                                                 const TextWords& target, std::size_t begin, std::size_t end,
                                                 unsigned threads) const {
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
void count_partners(const BitextSide& side, std::size_t sentence,
                    std::vector<std::pair<std::uint32_t, std::uint32_t>> partners, std::vector<double>& unaligned,
                    JumpDistribution::Counts& jumps) {
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
  return {words(text.source, unaligned_source), words(text.target, unaligned_target), counter.rows(),
          codes(source_jumps), codes(target_jumps)};
}

namespace {

constexpr std::string_view kTitle = "widl alignment model 1";
constexpr std::string_view kSourceJumps = "jumps in the source, from -200 to 200:";
constexpr std::string_view kTargetJumps = "jumps in the target, from -200 to 200:";
constexpr std::uint32_t kLargestCode = 800;  // 2^42, more than any count; LexicalTable holds up to 2^44
constexpr std::uint64_t kLargestFrequency = std::uint64_t{1} << 53;

void append_number(std::string& text, std::uint64_t number) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  text += ' ';
  text.append(digits, end);
}

void append_word(std::string& text, const AlignmentCounts::Word& word) {
  text += word.word;
  append_number(text, word.frequency);
  append_number(text, word.unaligned);
}

/// The fields of each line, line by line.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  void next_line() {
    ++number_;
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) fail("the model ends too early");
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
  }
  void expect(std::string_view start) {
    if (!line_.starts_with(start)) fail("'" + std::string(start) + "' was expected");
    line_.remove_prefix(start.size());
  }
  bool at_line_end() const { return line_.empty(); }
  void expect_line_end() const {
    if (!at_line_end()) fail("extra text after the last number");
  }
  bool at_end() const { return rest_.empty(); }
  std::string word() {
    const std::string word(line_.substr(0, line_.find(' ')));
    if (word.empty()) fail("a word was expected");
    line_.remove_prefix(word.size());
    return word;
  }
  std::uint64_t number(std::uint64_t largest) {
    std::uint64_t value = 0;
    if (line_.starts_with(' ')) line_.remove_prefix(1);
    const auto [end, error] = std::from_chars(line_.data(), line_.data() + line_.size(), value);
    const auto length = static_cast<std::size_t>(end - line_.data());
    if (error != std::errc() || value > largest || (length < line_.size() && line_[length] != ' '))
      fail("a number up to " + std::to_string(largest) + " was expected");
    line_.remove_prefix(length);
    return value;
  }
  std::uint32_t code() { return static_cast<std::uint32_t>(number(kLargestCode)); }
  [[noreturn]] void fail(const std::string& what) const { throw InputError(std::to_string(number_) + ": " + what); }

 private:
  std::string_view rest_, line_;
  std::size_t number_ = 0;
};

std::vector<std::uint32_t> read_jumps(Reader& reader, std::string_view title) {
  reader.next_line();
  reader.expect(title);
  std::vector<std::uint32_t> codes;
  while (!reader.at_line_end()) codes.push_back(reader.code());
  if (codes.size() != 2 * JumpDistribution::kWidth + 1) reader.fail("401 jumps were expected");
  return codes;
}

void read_word(Reader& reader, Vocabulary& vocabulary, std::vector<AlignmentCounts::Word>& words) {
  reader.next_line();
  auto& word = words.emplace_back();
  word.word = reader.word();
  if (vocabulary.intern(word.word) + 1 != words.size()) reader.fail("an earlier line already has this word");
  word.frequency = reader.number(kLargestFrequency);
  if (word.frequency == 0) reader.fail("a word that never occurs");
  word.unaligned = reader.code();
}

}  // namespace

std::string write_model(const AlignmentCounts& counts) {
  std::string text(kTitle);
  for (const auto& [title, jumps] :
       {std::pair(kSourceJumps, &counts.source_jumps), std::pair(kTargetJumps, &counts.target_jumps)}) {
    text += '\n';
    text += title;
    for (std::uint32_t code : *jumps) append_number(text, code);
  }
  text += '\n' + std::to_string(counts.targets.size());
  append_number(text, counts.sources.size());
  text += '\n';
  for (const auto& word : counts.targets) {
    append_word(text, word);
    text += '\n';
  }
  for (std::size_t source = 0; source < counts.sources.size(); ++source) {
    append_word(text, counts.sources[source]);
    WordId last = 0;
    for (const auto& entry : counts.links[source]) {
      append_number(text, entry.target - last);
      append_number(text, entry.count);
      last = entry.target;
    }
    text += '\n';
  }
  return text;
}

AlignmentCounts parse_model(std::string_view text) {
  Reader reader(text);
  AlignmentCounts counts;
  reader.next_line();
  reader.expect(kTitle);
  if (!reader.at_line_end()) reader.fail("another format of alignment models");
  counts.source_jumps = read_jumps(reader, kSourceJumps);
  counts.target_jumps = read_jumps(reader, kTargetJumps);
  reader.next_line();
  const std::uint64_t most = text.size();  // each word has a line
  const std::uint64_t targets = reader.number(most), sources = reader.number(most);
  reader.expect_line_end();
  Vocabulary source_words, target_words;
  for (std::uint64_t i = 0; i < targets; ++i) {
    read_word(reader, target_words, counts.targets);
    reader.expect_line_end();
  }
  for (std::uint64_t i = 0; i < sources; ++i) {
    read_word(reader, source_words, counts.sources);
    counts.links.emplace_back();
    std::uint64_t target = 0;
    while (!reader.at_line_end()) {
      const std::uint64_t step = reader.number(most);
      target += step;
      if (target >= targets || (step == 0 && !counts.links.back().empty()))
        reader.fail("a link to an unknown target word");
      counts.links.back().push_back({static_cast<WordId>(target), reader.code()});
    }
  }
  if (!reader.at_end()) reader.fail("extra lines after the last word");
  return counts;
}

}  // namespace widl
