#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/expression.hpp"
#include "expression/order_constraints.hpp"
#include "expression/orientation.hpp"
#include "expression/vocabulary.hpp"

namespace widl {

/// `Tiles` in the form that search unfolds: every span's alternatives written out as phrases.
///
/// An alternative is a locked phrase with J natural-log scores, one per WIDL feature. Words are
/// numbers of a shared vocabulary; words that it lacks (passed through from the source) belong to
/// the sentence alone and have numbers from vocabulary.size() on.
class Tiles {
 public:
  struct Alternative {
    std::uint32_t begin, end;   ///< source positions [begin, end)
    std::uint32_t first_word;   ///< into words
    std::uint32_t word_count;   ///< 0: the span is deleted
    std::uint32_t first_score;  ///< into scores; first J scores, then the scores of the reordering model
    bool unknown;               ///< passed through, not translated
  };

  Tiles(const Vocabulary& vocabulary, std::uint32_t length, std::uint32_t components, double log_movement_base,
        bool is_oriented = false)
      : sentence_words_(vocabulary),
        length_(length),
        components_(components),
        log_movement_base_(log_movement_base),
        marks_before_(length + 1),
        is_oriented_(is_oriented) {}

  /// The written-out form of an expression of kind `tiles`. Words that the vocabulary lacks become local to the
  /// sentence. Every derivation of a span is one alternative; the probabilities of its disjunctions are multiplied, and
  /// a single probability counts in each of the `components`.
  /// @throws InputError when the expression has several components, but not as many; if a span has more than
  /// `max_alternatives` derivations, a phrase of more than 10,000 words, or an interleave of several arguments.
  static Tiles compile(const Expression& expression, const Vocabulary& vocabulary, std::size_t components,
                       std::size_t max_alternatives = 100'000);

  /// An alternative without words deletes the span. `orientation`: ln of the reordering model's scores; empty: the
  /// alternative has no reordering cost.
  void add(std::uint32_t begin, std::uint32_t end, std::span<const WordId> words, std::span<const float> log_scores,
           bool unknown = false, std::span<const float> orientation = {});
  /// Gives each of the alternatives scores of a reordering model, or none. @throws InputError if their number differs
  void orient(const std::vector<std::vector<float>>& scores);
  /// Makes the first `components` of each span's alternatives distributions: each sums to 1 over the alternatives.
  void normalize(std::size_t components);
  /// Restricts the order of realization; tiles that cross an edge are not used. @throws InputError as OrderConstraints does.
  void restrict_order(std::vector<OrderConstraints::Range> zones, const std::vector<std::uint32_t>& walls) {
    reordering_ = OrderConstraints(length_, std::move(zones), walls);
  }
  /// Sets the positions of the clause marks. @throws InputError for a position outside of the sentence.
  void mark_clauses(const std::vector<std::uint32_t>& positions);
  /// A word of this sentence alone, if the vocabulary lacks it.
  WordId word_id(std::string_view text) { return sentence_words_.id(text); }

  std::uint32_t length() const { return length_; }
  std::uint32_t components() const { return components_; }
  /// ln a, where a^d scores the movement d.
  double log_movement_base() const { return log_movement_base_; }
  const OrderConstraints& reordering() const { return reordering_; }
  /// For each position and the sentence's end, the number of clause marks in front of it.
  std::span<const std::uint32_t> marks_before() const { return marks_before_; }
  /// Whether the alternatives have scores of a reordering model.
  bool is_oriented() const { return is_oriented_; }
  const std::vector<Alternative>& alternatives() const { return alternatives_; }
  std::span<const WordId> words(const Alternative& a) const { return {words_.data() + a.first_word, a.word_count}; }
  std::span<const float> log_scores(const Alternative& a) const {
    return {scores_.data() + a.first_score, components_};
  }
  /// ln of the scores of the reordering model.
  std::span<const float> orientation_scores(const Alternative& a) const {
    return {scores_.data() + a.first_score + components_, reordering_scores()};
  }
  std::string_view text(WordId word) const { return sentence_words_.text(word); }
  const SentenceWords& sentence_words() const { return sentence_words_; }
  const Vocabulary& vocabulary() const { return sentence_words_.vocabulary(); }

 private:
  std::size_t reordering_scores() const { return is_oriented_ ? kReorderingScores : 0; }

  SentenceWords sentence_words_;
  std::uint32_t length_;
  std::uint32_t components_;
  double log_movement_base_;
  OrderConstraints reordering_;
  std::vector<std::uint32_t> marks_before_;
  bool is_oriented_;
  std::vector<Alternative> alternatives_;
  std::vector<WordId> words_;
  std::vector<float> scores_;
};

}  // namespace widl
