#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace widl {

/// The layout of the features h of the log-linear model in a row: one log-probability per WIDL component; one
/// log-probability per language model; number of words; number of phrases; ln a^d for the total movement d; number of
/// words passed through untranslated; the log-probabilities of the optional reordering model
/// (expression/orientation.hpp); optionally, the number of clause marks that movement passes over.
struct FeatureLayout {
  /// Names of the features common to all models, which follow the components and language models.
  static constexpr std::array<const char*, 4> kCounts = {"word_count", "phrase_count", "distortion", "unknown"};

  std::size_t components = 0, language_models = 0, reordering = 0;
  bool has_crossing = false;

  std::size_t word_count() const { return components + language_models; }
  std::size_t phrase_count() const { return word_count() + 1; }
  std::size_t distortion() const { return word_count() + 2; }
  std::size_t unknown() const { return word_count() + 3; }
  std::size_t first_reordering() const { return word_count() + kCounts.size(); }
  std::size_t crossing() const { return first_reordering() + reordering; }
  std::size_t size() const { return crossing() + has_crossing; }
};

/// λ of the log-linear model  score(e) = Σ_m λ_m h_m(e)  (Soricut & Marcu 2006, Eq. 2).
struct WeightVector {
  std::vector<double> widl;
  std::vector<double> language_models;  ///< each >= 0, or there is no bound
  double word_count = 0;
  double phrase_count = 0;
  double distortion = 0;
  double unknown = 0;
  std::vector<double> reordering = {};  ///< in the order of kReorderingFeatures
  std::optional<double> crossing = {};  ///< none: the model lacks the feature

  FeatureLayout layout() const {
    return {widl.size(), language_models.size(), reordering.size(), crossing.has_value()};
  }
  /// The weights in the order of the layout.
  std::vector<double> row() const {
    std::vector<double> all = widl;
    all.insert(all.end(), language_models.begin(), language_models.end());
    all.insert(all.end(), {word_count, phrase_count, distortion, unknown});
    all.insert(all.end(), reordering.begin(), reordering.end());
    if (crossing) all.push_back(*crossing);
    return all;
  }
};

}  // namespace widl
