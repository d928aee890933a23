#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "log_zero.hpp"
#include "search/budget.hpp"
#include "search/ngram_scorer.hpp"
#include "search/row_loops.hpp"
#include "search/tile_model.hpp"
#include "search/tile_orientations.hpp"

namespace widl {

/// The multiplier of a left context that no option leaves: far above any score, but finite to avoid NaN sums.
constexpr double kUnreachableMultiplier = 1e18;

/// LM suffix contexts that an option ending at a position, or the beginning of the sentence, can leave to the next
/// phrase.
struct LeftContextsAt {
  explicit LeftContextsAt(Budget& budget) : multipliers(budget), finishes(budget), leaving(budget), requiring(budget) {}
  /// Row length to scan: all left contexts, rounded up to whole vectors.
  std::size_t width() const {
    return (left_contexts.size() + row_loops::kLanes - 1) / row_loops::kLanes * row_loops::kLanes;
  }
  // the last option and, where they are distinguished, the options before it
  std::vector<std::vector<PhraseId>> left_contexts;
  std::vector<bool> from_start;  // by left context: whether the first of them begins the sentence
  // of left contexts, by the part that language models see
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
  MeteredVector<double> multipliers;         // φ, with room for more left contexts, like the other rows
  MeteredVector<double> finishes;            // </s> after each left context
  MeteredVector<double> leaving, requiring;  // max-marginals of derivations that leave, or require, each left context
};
/// Prefixes of options that begin at one position, after the left contexts at one end.
struct PrefixBlock {
  std::uint32_t end, begin;
  MeteredVector<std::uint32_t> live;     // prefixes of options that were not pruned: only their rows are kept up
  MeteredVector<double> scores;          // [prefix][left context], in rows as long as the end's multipliers
  MeteredVector<double> values;          // by prefix: with the best left context
  MeteredVector<double> outside_scores;  // by prefix: the best rest of derivations with it
};

/// The maximum of scores minus multipliers.
inline double best_after(const LeftContextsAt& end, const double* scores, const double* multipliers) {
  return row_loops::best_difference(scores, multipliers, end.width());
}
/// Raises the max-marginal of requiring each left context to its value at this step.
inline void raise_requiring(LeftContextsAt& end, double outside_score, const double* scores,
                            const double* multipliers) {
  row_loops::raise_to_differences(outside_score, scores, multipliers, end.width(), end.requiring.data());
}

/// The tables of TileBound, for each end e of a phrase and each begin b of the next one:
///
///   left contexts a at e, with multipliers φ_e(a)       the last words of options that end at e, told apart by what models see
///   scores[prefix][a] >= ln p(prefix | a)               for the prefixes of options that begin at b
///   values[prefix] = max over a  scores[prefix][a] - φ_e(a)
///
/// An option's prefix is the words whose probability depends on a; the words after it score the same after any context.
/// In the example of README.md, e = 2 has the left contexts b and c; the only prefix d scores -3 and -0.5 after them.
class LeftContexts {
 public:
  using OptionId = std::uint32_t;     ///< its position in the model
  using LeftContext = std::uint32_t;  ///< its number at an end
  /// A short option after one of the left contexts at an end creates a longer left context.
  struct Refinement {
    LeftContext required, left;
  };

  /// Bounds of the LM score of an option's words: after each left context and, minus the multiplier, after any.
  struct WordBounds {
    const double* prefixes;  // by left context
    double suffix;
    double best;
    double after(LeftContext left_context) const { return prefixes[left_context] + suffix; }
  };

  /// `orientations`: from the reordering model, or null. Each option assumes its best orientations to its neighbors,
  /// except for whether it directly follows the last phrase's end. @throws OutOfBudget
  LeftContexts(const TileModel& model, const TileOrientations* orientations, const NGramScorer& scorer, Budget& budget);

  /// Scores the options that begin at a position, after an end, unless already scored.
  void add_block(std::uint32_t end, std::uint32_t begin);
  /// Prunes every prefix for which `mark_all(mark)` does not call mark(block, option).
  template <class MarkAll>
  void keep_prefixes(MarkAll&& mark_all) {
    for (PrefixBlock& block : block_list_) std::ranges::fill(block.outside_scores, kLogZero);
    mark_all([&](PrefixBlock& block, OptionId o) { block.outside_scores[prefix_of_[o]] = 0; });
    for (PrefixBlock& block : block_list_)
      std::erase_if(block.live, [&](std::uint32_t prefix) { return block.outside_scores[prefix] == kLogZero; });
  }
  void value_prefixes();

  std::size_t ends() const { return ends_.size(); }
  LeftContextsAt& end(std::uint32_t position) { return ends_[position]; }
  const LeftContextsAt& end(std::uint32_t position) const { return ends_[position]; }
  std::vector<PrefixBlock>& blocks() { return block_list_; }
  PrefixBlock& block(std::uint32_t end, std::uint32_t begin) {
    return block_list_[blocks_[end * ends_.size() + begin]];
  }
  const PrefixBlock& block(std::uint32_t end, std::uint32_t begin) const {
    return block_list_[blocks_[end * ends_.size() + begin]];
  }
  std::uint32_t prefix(OptionId o) const { return prefix_of_[o]; }
  const double* scores(const PrefixBlock& block, OptionId o) const {
    return &block.scores[prefix_of_[o] * ends_[block.end].multipliers.size()];
  }
  WordBounds words(const PrefixBlock& block, OptionId o) const {
    return {scores(block, o), suffix_score_[o], block.values[prefix_of_[o]] + suffix_score_[o]};
  }
  /// Bound on the final score without the LM: the missing promise of the last option.
  double final_bound() const { return final_bound_; }
  bool is_short(OptionId o) const { return model_.options()[o].word_count < reach_; }

  /// The multiplier that an option earns unless its left context is distinguished.
  double earned(OptionId o) const { return ends_[model_.options()[o].end].multipliers[left_context_of_[o]]; }
  /// The score of an option without its prefix, plus the multiplier it earns.
  double own(const PrefixBlock& block, OptionId o) const { return own_[block.end == block.begin][o] + earned(o); }
  /// An option with its best left context.
  double value(const PrefixBlock& block, OptionId o) {
    const Refined* refined = refined_at(o, block.end);
    if (!refined) return own(block, o) + block.values[prefix_of_[o]];
    return own(block, o) + best_after(ends_[block.end], scores(block, o), multipliers_before(block, o, *refined));
  }
  /// The multipliers before an option, minus the additional multiplier that it earns by leaving a different left
  /// context.
  const double* multipliers_before(const PrefixBlock& block, OptionId o) {
    const Refined* refined = refined_at(o, block.end);
    return refined ? multipliers_before(block, o, *refined) : ends_[block.end].multipliers.data();
  }

  /// The left context that an option leaves after the left context that it requires.
  LeftContext left_context_after(OptionId o, std::uint32_t end, LeftContext required) const {
    if (const Refined* refined = refined_at(o, end))
      for (const Refinement& refinement : refined->left_contexts)
        if (refinement.required == required) return refinement.left;
    return left_context_of_[o];
  }
  LeftContext own_left_context(OptionId o) const { return left_context_of_[o]; }
  /// An option's possible left contexts after a phrase end.
  std::span<const Refinement> refinements(OptionId o, std::uint32_t end) const {
    const Refined* refined = refined_at(o, end);
    return refined ? std::span<const Refinement>(refined->left_contexts) : std::span<const Refinement>();
  }
  /// Refines an option: gives it a separate left context after the required one.
  void refine(OptionId o, std::uint32_t end, LeftContext required);

 private:
  struct Refined {
    std::uint32_t end;
    std::vector<Refinement> left_contexts;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kWorkPerScore = 10;

  const Refined* refined_at(OptionId o, std::uint32_t end) const {
    for (const Refined& refined : refinements_[o])
      if (refined.end == end) return &refined;
    return nullptr;
  }
  const double* multipliers_before(const PrefixBlock& block, OptionId o, const Refined& refined);
  LeftContext left_context(std::uint32_t end, std::vector<PhraseId> phrases, bool from_start, double multiplier);
  void revive(std::uint32_t end, LeftContext left_context, double multiplier);
  void sort_prefixes();
  void lengthen_rows(std::uint32_t end);
  void score_after(std::uint32_t end, LeftContext left_context);
  void score(PrefixBlock& block, const NGramScorer::Known& context, LeftContext left_context);
  NGramScorer::Known known(std::uint32_t end, LeftContext left_context) const {
    return scorer_.known(ends_[end].left_contexts[left_context], ends_[end].from_start[left_context]);
  }

  const TileModel& model_;
  const NGramScorer& scorer_;
  Budget& budget_;
  std::uint32_t reach_;
  std::vector<LeftContextsAt> ends_;             // by position
  std::vector<std::vector<PhraseId>> prefixes_;  // by position: one phrase for each prefix that begins there
  std::array<std::vector<double>, 2> own_;       // [monotone][option]: score without its prefix
  std::vector<double> suffix_score_;             // by option: score of the words after the models' longest prefix
  double final_bound_ = 0;                       // bound on the final score without language models
  // by option: index among the left contexts at its end, or the prefixes at its begin
  std::vector<std::uint32_t> left_context_of_, prefix_of_;
  std::vector<std::uint32_t> blocks_;  // [end][begin]
  std::vector<PrefixBlock> block_list_;
  std::vector<std::vector<Refined>> refinements_;  // by option
  std::vector<std::vector<OptionId>> refined_;     // by end, the refined options after it
  std::vector<double> scratch_;
};

}  // namespace widl
