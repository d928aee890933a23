#include "alignment/lexicon.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "parallel.hpp"

namespace widl {

void LexiconSide::add(std::string_view word, double frequency, const std::vector<std::string>& pieces) {
  vocabulary_.intern(word);
  frequency_.push_back(frequency);
  for (const std::string& piece : pieces) {
    const PieceId id = piece_vocabulary_.intern(piece);
    if (id == piece_frequency_.size()) piece_frequency_.push_back(0);
    piece_frequency_[id] += frequency / static_cast<double>(pieces.size());
    pieces_of_.push_back(id);
  }
  piece_begins_.push_back(static_cast<std::uint32_t>(pieces_of_.size()));
}

void LexiconSide::estimate_unaligned(const std::vector<double>& counts) {
  double tokens = 0, total = 0;
  for (WordId word = 0; word < words(); ++word) {
    tokens += frequency_[word];
    total += counts[word];
  }
  unaligned.resize(words());
  for (WordId word = 0; word < words(); ++word)
    unaligned[word] = static_cast<float>((counts[word] + frequency_[word] / tokens) / (total + 1));
}

std::vector<LexiconSide::PieceId> LexiconSide::known_pieces(const std::vector<std::string>& pieces) const {
  std::vector<PieceId> known_pieces;
  for (const std::string& piece : pieces)
    if (auto id = piece_vocabulary_.find(piece)) known_pieces.push_back(*id);
  return known_pieces;
}

namespace {

constexpr double kStrength = 8;  // m
constexpr float kMinPieceCount = 1e-3f;
constexpr std::size_t kParts = 64;

}  // namespace

void Lexicon::count_pieces(unsigned threads) {
  std::vector<std::vector<WordId>> words_of(source.pieces());
  for (WordId word = 0; word < source.words(); ++word)
    for (auto piece : source.pieces_of(word)) words_of[piece].push_back(word);
  piece_counts_.assign(source.pieces(), {});
  parallel_for(kParts, threads, [&](std::size_t part) {
    std::vector<float> sums(target.pieces());
    std::vector<LexiconSide::PieceId> seen;
    for (std::size_t piece = part; piece < words_of.size(); piece += kParts) {
      for (WordId word : words_of[piece]) {
        const float source_pieces = static_cast<float>(source.pieces_of(word).size());
        for (auto slot = table.begin(word); slot < table.begin(word + 1); ++slot) {
          if (!table.used(slot)) continue;
          const Pieces pieces = target.pieces_of(table.target(slot));
          const float share = static_cast<float>(table.count(slot)) / source_pieces / static_cast<float>(pieces.size());
          if (share == 0) continue;
          for (auto other : pieces) {
            if (sums[other] == 0) seen.push_back(other);
            sums[other] += share;
          }
        }
      }
      std::sort(seen.begin(), seen.end());
      for (auto other : seen) {
        if (sums[other] >= kMinPieceCount) piece_counts_[piece].push_back({other, sums[other]});
        sums[other] = 0;
      }
      seen.clear();
    }
  });
}

LexicalTable::Probabilities Lexicon::background(Pieces source_pieces, double source_frequency, Pieces target_pieces,
                                                double target_frequency) const {
  double forward = 0, reverse = 0;
  for (auto piece : source_pieces) {
    const auto& row = piece_counts_[piece];
    for (auto other : target_pieces) {
      const auto position =
          std::lower_bound(row.begin(), row.end(), other,
                           [](const PieceCount& entry, auto target_piece) { return entry.target < target_piece; });
      if (position == row.end() || position->target != other) continue;
      const double given_source = 1 / (source.piece_frequency(piece) + 1),
                   given_target = 1 / (target.piece_frequency(other) + 1);
      forward += position->count * given_source * given_target;
      reverse += position->count * given_target * given_source;
    }
  }
  // Both directions share C(u, v) / (n(u) n(v)); the remaining factor is the word's share of its pieces.
  const double pieces = static_cast<double>(std::max<std::size_t>(1, source_pieces.size() * target_pieces.size()));
  return {static_cast<float>(forward * target_frequency / pieces),
          static_cast<float>(reverse * source_frequency / pieces)};
}

void Lexicon::estimate(unsigned threads) {
  count_pieces(threads);
  std::vector<double> source_totals(source.words()), target_totals(target.words());
  for (WordId word = 0; word < source.words(); ++word)
    for (auto slot = table.begin(word); slot < table.begin(word + 1); ++slot)
      if (table.used(slot)) {
        source_totals[word] += table.count(slot);
        target_totals[table.target(slot)] += table.count(slot);
      }
  parallel_for(kParts, threads, [&](std::size_t part) {
    for (std::size_t index = part; index < source.words(); index += kParts) {
      const auto word = static_cast<WordId>(index);
      for (auto slot = table.begin(word); slot < table.begin(word + 1); ++slot) {
        if (!table.used(slot)) continue;
        const WordId other = table.target(slot);
        const auto prior = background(source.pieces_of(word), source.frequency(word), target.pieces_of(other),
                                      target.frequency(other));
        table.probabilities(slot) = {
            static_cast<float>((table.count(slot) + kStrength * prior.forward) / (source_totals[word] + kStrength)),
            static_cast<float>((table.count(slot) + kStrength * prior.reverse) / (target_totals[other] + kStrength))};
      }
    }
  });
}

LexicalTable::Probabilities Lexicon::smoothed(Pieces source_pieces, double source_frequency, Pieces target_pieces,
                                              double target_frequency) const {
  const auto prior =
      background(source_pieces, std::max(1.0, source_frequency), target_pieces, std::max(1.0, target_frequency));
  return {static_cast<float>(kStrength * prior.forward / (source_frequency + kStrength)),
          static_cast<float>(kStrength * prior.reverse / (target_frequency + kStrength))};
}

}  // namespace widl
