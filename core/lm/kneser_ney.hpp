#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lm/ngram_counter.hpp"
#include "lm/training_text.hpp"

namespace widl {

struct KneserNeyOptions {
  unsigned order = 3;               // 1 to kMaxOrder
  bool interpolate_unigrams = true; // with 1/|V|; otherwise <unk> gets all of that mass, as in SRILM
};

inline constexpr unsigned kMaxOrder = 6;

/// What is taken from adjusted counts 1, 2, and 3 or more (Chen & Goodman 1998, Eq. 26).
struct Discounts {
  std::array<float, 4> amount{};  // amount[0] = 0
  bool fallback = false;          // the text is too small or odd to estimate them

  float of(std::uint32_t count) const { return amount[count < 3 ? count : 3]; }
};

/// An estimated model. Probabilities and back-off weights are log10, at least -99.
struct NGramModel {
  struct Order {
    std::vector<LeftExtension> ngrams;  // empty for order 1, whose n-grams are the words
    std::vector<float> log_probs;
    std::vector<float> log_backoffs;    // empty for the highest order
    Discounts discounts;

    std::size_t size() const { return log_probs.size(); }
  };

  Vocabulary vocabulary;
  std::vector<Order> orders;
  std::uint64_t words = 0, sentences = 0;
};

/// Interpolated modified Kneser-Ney without pruning (Chen & Goodman 1998), as lmplz computes it
/// (Heafield et al. 2013, Sec. 3). With a(.) the adjusted counts and D the discounts of the order,
///
///   u(w | c) = (a(cw) - D(a(cw))) / sum_x a(cx)          b(c) = sum_x D(a(cx)) / sum_x a(cx)
///   p(w | c) = u(w | c) + b(c) p(w | c without its first word)
///
/// and p(w | no words) = u(w) + b() / |V|, where V has <unk> and </s> but not <s>.
/// Consumes the text. @throws InputError when it is empty.
NGramModel estimate_kneser_ney(TrainingText&& text, const KneserNeyOptions& options);

}  // namespace widl
