#include "alignment/lexicon_side.hpp"

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

}  // namespace widl
