#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "expression/orientation.hpp"
#include "expression/tiles.hpp"
#include "search/hash_index.hpp"
#include "search/tile_model.hpp"
#include "search/weight_vector.hpp"

namespace widl {

/// The weighted scores of a reordering model (expression/orientation.hpp) over a sentence's tiles.
///
/// The forward score of a phrase depends on the next one. A path is credited in advance with the highest possible
/// score, the phrase's *promise*, and the next step pays the difference:
///
///   score of a step = … + backward(phrase, o) + promise(phrase) + [forward(previous, o) - promise(previous)],
///
/// where the bracket is never positive, so that bounds may drop it. The step that completes the sentence has no
/// promise, because no phrase follows. Complete paths score exactly; a partial path is credited with the best forward
/// orientation still possible. Estimates without reordering, such as Moses' future cost, have no promise.
///
/// Three phrases in order, each with forward scores monotone -1 and swap -0.5: a promise is -0.5, each monotone step
/// after a phrase settles -1 - (-0.5) = -0.5, and the path scores 2 · (-1), as it should.
class TileOrientations {
 public:
  using Label = std::uint32_t;
  using LastPhraseId = std::uint32_t;
  static constexpr LastPhraseId kStart = 0;

  /// Whether tiles have a reordering model. @throws InputError if the weights belong to a different one.
  static bool has_model(const Tiles& tiles, const WeightVector& weights);

  /// `estimates`: whether estimates count reordering.
  TileOrientations(const Tiles& tiles, const WeightVector& weights, bool estimates);

  /// Adds the best possible reordering score to the options' bounds and estimates and to the bound of the sentence end.
  void promise(std::span<TileOption> options, ScoreEstimate& finish);
  /// Sorts the options by each orientation, after their bounds are final. @throws OutOfBudget
  void rank(const TileModel& model, Budget& budget);

  /// The part of the last phrase that a state stores, given the coverage that includes the phrase.
  template <class Covered>
  LastPhraseId last_phrase(const TileOption& option, const Covered& covered) const {
    const bool swappable = option.begin > 0 && !covered.covered(option.begin - 1);
    return last_phrases_of_[2 * option.label + swappable];
  }

  /// The orientation of a phrase that follows the state's last phrase.
  template <class Covered>
  std::size_t orientation(LastPhraseId last_phrase, const Covered& covered, std::uint32_t begin,
                          std::uint32_t end) const {
    return orientation_of(last_phrases_[last_phrase].begin, covered.last_end, begin, end);
  }
  /// The options of one step of the model, best estimates first.
  std::span<const TileOption> options(std::size_t orientation, std::span<const TileOption> same) const {
    return {ranked_.data() + orientation * option_count_ + (same.data() - first_), same.size()};
  }
  /// The best bound of any option of the step, for any orientation that `monotone` (whether the step begins where the
  /// last phrase ends) allows.
  double best(bool monotone, std::span<const TileOption> same) const;
  /// The reordering part of that bound for a single option, including its promise.
  double best(bool monotone, Label label) const;

  /// The remainder of the last phrase's promise once the next orientation is known: never positive.
  double settle(LastPhraseId last_phrase, std::size_t orientation) const {
    return last_phrases_[last_phrase].settled[orientation];
  }
  double promise_of(Label label) const { return promises_[label]; }
  /// Upper bound on the last phrase's missing promise.
  double final_bound() const { return final_bound_; }
  double backward(Label label, std::size_t orientation) const { return backward_[label * kOrientations + orientation]; }

  /// Adds the scores of a step to the features of the model.
  void add_features(LastPhraseId last_phrase, Label label, std::size_t orientation, std::span<double> row) const;

 private:
  struct LastPhrase {
    std::uint32_t begin;                       ///< kNowhere if no swap can follow
    std::array<float, kOrientations> forward;  ///< ln, unweighted: equal ones have equal features
    std::array<double, kOrientations> settled;
    bool same(const LastPhrase& other) const { return begin == other.begin && forward == other.forward; }
    std::uint64_t hash() const;
  };

  std::array<double, kOrientations> weighted(std::span<const float> scores, std::size_t first) const;
  LastPhraseId intern(const LastPhrase& last_phrase);

  const Tiles* tiles_;
  std::vector<double> weights_;
  bool estimates_;
  double final_bound_ = 0;
  std::size_t option_count_ = 0;
  const TileOption* first_ = nullptr;
  std::vector<std::uint32_t> alternatives_;       // by label
  std::vector<double> backward_;                  // by label and orientation, weighted
  std::vector<double> best_backward_, promises_;  // by label
  std::vector<LastPhraseId> last_phrases_of_;     // by label, without and with a possible swap
  std::vector<LastPhrase> last_phrases_;
  HashIndex<> last_phrase_index_;
  std::vector<TileOption> ranked_;  // by orientation, otherwise as in the model
};

}  // namespace widl
