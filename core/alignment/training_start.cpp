#include "alignment/training_start.hpp"

#include <limits>

#include "byte_reader.hpp"
#include "varint.hpp"

namespace widl {
namespace {

std::vector<TrainingStart::Word> words_of(const BitextSide& side) {
  std::vector<TrainingStart::Word> words;
  for (WordId word = 0; word < side.vocabulary.size(); ++word)
    words.push_back({std::string(side.vocabulary.word(word)), 0});
  for (WordId word : side.words) ++words[word].frequency;
  return words;
}

std::vector<TrainingStart::Word> read_words(ByteReader& reader) {
  std::vector<TrainingStart::Word> words;
  for (std::uint64_t left = reader.number(); left > 0; --left) {
    std::string word(reader.text());
    words.push_back({std::move(word), reader.number()});
  }
  return words;
}

void append_real(std::string& bytes, float value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

TrainingStart TrainingStart::of(const ParallelText& text, const AlignmentTraining& options, unsigned threads) {
  return {options.model1_rounds, options.markov_rounds, words_of(text.source), words_of(text.target),
          candidate_pairs(text, options.most_pairs, threads)};
}

std::string TrainingStart::bytes() const {
  std::string bytes;
  append_varint(bytes, static_cast<std::uint64_t>(model1_rounds));
  append_varint(bytes, static_cast<std::uint64_t>(markov_rounds));
  for (const auto* words : {&sources, &targets}) {
    append_varint(bytes, words->size());
    for (const Word& word : *words) {
      append_text(bytes, word.word);
      append_varint(bytes, word.frequency);
    }
  }
  for (const auto& row : candidates) {
    append_varint(bytes, row.size());
    WordId next = 0;
    for (const LinkCount& entry : row) {
      append_varint(bytes, entry.target - next);
      append_real(bytes, entry.count);
      next = entry.target + 1;
    }
  }
  return bytes;
}

TrainingStart TrainingStart::parse(std::string_view bytes) {
  constexpr int kMostRounds = std::numeric_limits<int>::max() / 2;
  ByteReader reader(bytes);
  TrainingStart start;
  start.model1_rounds = static_cast<int>(reader.number(kMostRounds));
  start.markov_rounds = static_cast<int>(reader.number(kMostRounds));
  start.sources = read_words(reader);
  start.targets = read_words(reader);
  for (std::size_t source = 0; source < start.sources.size(); ++source) {
    auto& row = start.candidates.emplace_back();
    std::uint64_t next = 0;
    for (std::uint64_t left = reader.number(start.targets.size()); left > 0; --left) {
      next += reader.number(start.targets.size());
      if (next >= start.targets.size()) throw InputError("damaged: a pair with an unknown word");
      const float count = reader.real();
      if (!(count >= 0 && count < 1e12f)) throw InputError("damaged: a count that is not a number");
      row.push_back({static_cast<WordId>(next++), count});
    }
  }
  if (!reader.at_end()) throw InputError("damaged: extra data at the end");
  return start;
}

}  // namespace widl
