#pragma once

#include <vector>

namespace widl {

/// λ of the log-linear model  score(e) = Σ_m λ_m h_m(e)  (Soricut & Marcu 2006, Eq. 2).
///
/// Feature values, in this order everywhere: one log-probability per WIDL component; one
/// log-probability per language model; number of words; number of phrases; ln a^d for the total
/// movement d; number of words passed through untranslated.
struct Weights {
  std::vector<double> widl;
  std::vector<double> language_models;  ///< each >= 0, or there is no bound
  double word_count = 0;
  double phrase_count = 0;
  double distortion = 0;
  double unknown = 0;
};

}  // namespace widl
