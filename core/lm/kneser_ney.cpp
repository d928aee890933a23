#include "lm/kneser_ney.hpp"

#include <algorithm>
#include <cmath>

#include "errors.hpp"

namespace widl {
namespace {

/// In single precision and in lmplz's order of operations, so that the same texts fall back.
Discounts estimate_discounts(const std::array<std::uint64_t, 5>& with_count) {
  constexpr Discounts kFallback{{0, 0.5f, 1, 1.5f}, true};
  Discounts result;
  const float y = static_cast<float>(with_count[1]) /
                  static_cast<float>(static_cast<double>(with_count[1]) +
                                     2.0 * static_cast<double>(with_count[2]));
  for (unsigned j = 1; j <= 3; ++j) {
    if (with_count[j] == 0) return kFallback;
    const auto count = static_cast<float>(j);
    result.amount[j] = count - (count + 1) * y * static_cast<float>(with_count[j + 1]) /
                                   static_cast<float>(with_count[j]);
    if (result.amount[j] < 0 || result.amount[j] > count) return kFallback;
  }
  return result;
}

/// What the n-grams of one context have in common.
struct Context {
  double total = 0;     // sum of their adjusted counts
  double backoff = 0;   // sum of their discounts, and finally b(c)

  void add(std::uint32_t count, const Discounts& discounts) {
    total += count;
    backoff += discounts.of(count);
  }
  void normalize() {
    // 1 for what is never a context: </s> and <unk>.
    backoff = total > 0 ? std::min(1.0, backoff / total) : 1;
  }
};

/// ARPA's log10. Where a discount eats up the whole count, nothing may be left; ARPA's custom for
/// log(0) is -99, and unlike lmplz's -inf that is a number for every program.
float log10_of(double probability) {
  return static_cast<float>(probability > 1e-99 ? std::min(0.0, std::log10(probability)) : -99.0);
}

std::vector<double> unigram_probs(const CountedNGrams& words, const Discounts& discounts,
                                  bool interpolate) {
  Context empty;
  for (std::uint32_t count : words.counts)
    if (count > 0) empty.add(count, discounts);
  empty.normalize();
  const double uniform = interpolate ? empty.backoff / static_cast<double>(words.size() - 1) : 0;
  std::vector<double> probs(words.size());
  for (std::size_t word = 0; word < words.size(); ++word) {
    const std::uint32_t count = words.counts[word];
    probs[word] = (count - discounts.of(count)) / empty.total + uniform;
  }
  if (!interpolate) probs[kUnknownWord] = empty.backoff;
  probs[kSentenceBegin] = 1;  // its log-probability 0 changes no sentence's score
  return probs;
}

std::vector<float> to_log10(const std::vector<double>& probs) {
  std::vector<float> logs(probs.size());
  std::transform(probs.begin(), probs.end(), logs.begin(), log10_of);
  return logs;
}

}  // namespace

NGramModel estimate_kneser_ney(TrainingText&& text, const KneserNeyOptions& options) {
  if (options.order < 1 || options.order > kMaxOrder)
    throw InputError("order " + std::to_string(options.order) + " of a language model; 1 to " +
                     std::to_string(kMaxOrder) + " are possible");
  text.finish();
  if (text.words() == 0) throw InputError("no words in the text; there is nothing to estimate from");

  std::vector<CountedNGrams> counted = count_ngrams(text, options.order);
  NGramModel model;
  model.words = text.words();
  model.sentences = text.sentences();
  model.vocabulary = text.take_vocabulary();
  text = TrainingText();  // frees the memory
  model.orders.resize(options.order);
  for (unsigned n = 0; n < options.order; ++n)
    model.orders[n].discounts = estimate_discounts(counted[n].with_count);

  std::vector<double> lower =
      unigram_probs(counted[0], model.orders[0].discounts, options.interpolate_unigrams);
  for (unsigned n = 1; n < options.order; ++n) {
    CountedNGrams& ngrams = counted[n];
    NGramModel::Order& order = model.orders[n];
    std::vector<Context> contexts(lower.size());
    for (std::size_t i = 0; i < ngrams.size(); ++i)
      contexts[ngrams.contexts[i]].add(ngrams.counts[i], order.discounts);
    for (Context& context : contexts) context.normalize();

    std::vector<double> probs(ngrams.size());
    for (std::size_t i = 0; i < ngrams.size(); ++i) {
      const Context& context = contexts[ngrams.contexts[i]];
      const std::uint32_t count = ngrams.counts[i];
      probs[i] = (count - order.discounts.of(count)) / context.total +
                 context.backoff * lower[ngrams.ngrams[i].suffix];
    }
    NGramModel::Order& below = model.orders[n - 1];
    below.log_probs = to_log10(lower);
    below.log_backoffs.resize(contexts.size());
    std::transform(contexts.begin(), contexts.end(), below.log_backoffs.begin(),
                   [](const Context& context) { return log10_of(context.backoff); });
    order.ngrams = std::move(ngrams.ngrams);
    ngrams = CountedNGrams();
    lower = std::move(probs);
  }
  model.orders.back().log_probs = to_log10(lower);
  return model;
}

}  // namespace widl
