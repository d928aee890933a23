#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alignment/lexical_table.hpp"
#include "expression/vocabulary.hpp"

namespace widl {

/// The aligner's data on the words of one language. A word consists of *pieces* (characters, a stem: the caller
/// decides), which it shares with other words; rare words take their translations from the translations of their
/// pieces.
class LexiconSide {
 public:
  using PieceId = std::uint32_t;

  /// Adds the next word: its number of occurrences, and its pieces (at least one).
  void add(std::string_view word, double frequency, const std::vector<std::string>& pieces);

  std::size_t words() const { return frequency_.size(); }
  std::size_t pieces() const { return piece_frequency_.size(); }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  double frequency(WordId word) const { return frequency_[word]; }
  std::span<const PieceId> pieces_of(WordId word) const {
    return std::span(pieces_of_).subspan(piece_begins_[word], piece_begins_[word + 1] - piece_begins_[word]);
  }
  /// Occurrences of the piece; in an occurrence of a word with n pieces, each piece counts 1/n.
  double piece_frequency(PieceId piece) const { return piece_frequency_[piece]; }
  /// The ids of the known pieces. Words that were never passed to `add` may have no pieces.
  std::vector<PieceId> known_pieces(const std::vector<std::string>& pieces) const;

  /// Sets `unaligned` from the number of times each word had no partner, smoothed by one occurrence distributed like
  /// the words.
  void estimate_unaligned(const std::vector<double>& counts);

  /// Distribution of the words without a partner: each word's share among them. Sums to 1.
  std::vector<float> unaligned;

 private:
  Vocabulary vocabulary_, piece_vocabulary_;
  std::vector<double> frequency_, piece_frequency_;
  std::vector<std::uint32_t> piece_begins_{0};
  std::vector<PieceId> pieces_of_;
};

/// Translation probabilities of words, smoothed by the probabilities of their pieces:
///
///   t(f|e) = (c(e, f) + m b(f|e)) / (c(e) + m),     m = 8,
///   b(f|e) = mean over pieces u of e, sum over pieces v of f, of  C(u, v) / n(u) · n(f) / (|f| n(v)),
///
/// and vice versa; C are the counts c divided evenly among the pieces (0 if below 0.001), n numbers of occurrences (of
/// pieces, and one more), |f| the number of f's pieces. A rare word thus starts from the translations of words with the
/// same characters or stem.
class Lexicon {
 public:
  using Pieces = std::span<const LexiconSide::PieceId>;

  LexiconSide source, target;
  LexicalTable table;

  /// Sets the table's probabilities from its counts, and the piece counts. Does not depend on `threads`.
  void estimate(unsigned threads);

  /// Smoothed probabilities of a pair that the table lacks. An unknown word has frequency 0.
  LexicalTable::Probabilities smoothed(Pieces source_pieces, double source_frequency, Pieces target_pieces,
                                       double target_frequency) const;

 private:
  struct PieceCount {
    LexiconSide::PieceId target;
    float count;
  };

  void count_pieces(unsigned threads);
  LexicalTable::Probabilities background(Pieces source_pieces, double source_frequency, Pieces target_pieces,
                                         double target_frequency) const;

  std::vector<std::vector<PieceCount>> piece_counts_;  // for each source piece, ascending in target pieces
};

}  // namespace widl
