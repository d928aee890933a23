#pragma once

#include <span>
#include <vector>

#include "alignment/lexical_table.hpp"
#include "alignment/lexicon_side.hpp"

namespace widl {

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
