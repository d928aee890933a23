#pragma once

#include <cstdint>
#include <vector>

#include "lm/ngram_counter.hpp"
#include "lm/smoothing.hpp"
#include "lm/training_text.hpp"

namespace widl {

/// An estimated model. Probabilities and back-off weights are log10, at least -99.
struct NGramModel {
  struct Order {
    std::vector<LeftExtension> ngrams;  // empty for order 1, whose n-grams are the words
    std::vector<bool> kept;             // empty when all are; the others have no meaning
    std::vector<float> log_probs;
    std::vector<float> log_backoffs;    // empty for the highest order
    Discounts discounts;
    std::size_t size = 0;               // of the n-grams that are kept

    bool keeps(std::size_t i) const { return kept.empty() || kept[i]; }
  };

  Vocabulary vocabulary;
  std::vector<Order> orders;
  std::uint64_t words = 0, sentences = 0;
};

/// Interpolated modified Kneser-Ney (Chen & Goodman 1998), as lmplz computes it (Heafield et al. 2013,
/// Sec. 3). With a(.) the adjusted counts and D the discounts of the order,
///
///   u(w | c) = (a(cw) - D(a(cw))) / sum_x a(cx)          b(c) = sum_x D(a(cx)) / sum_x a(cx)
///   p(w | c) = u(w | c) + b(c) p(w | c without its first word)
///
/// and p(w | no words) = u(w) + b() / |V|, where V has <unk> and </s> but not <s>. Of n-grams that are
/// pruned, b(c) gets all of a(cx) instead of D; counts and discounts are those of the whole text.
/// Consumes the text. @throws InputError when it is empty.
NGramModel estimate_kneser_ney(TrainingText&& text, const KneserNeyOptions& options);

}  // namespace widl
