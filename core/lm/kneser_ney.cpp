#include "lm/kneser_ney.hpp"

#include <algorithm>

#include "errors.hpp"

namespace widl {
namespace {

std::vector<float> to_log10(const std::vector<double>& probs) {
  std::vector<float> logs(probs.size());
  std::transform(probs.begin(), probs.end(), logs.begin(), log10_of);
  return logs;
}

/// Whether n-grams pass the pruning; their suffixes' order is `lower`, with the flags `lower_kept`.
/// A context needs no look: it occurs as often as its n-grams, and its words are words of theirs.
std::vector<bool> kept_ngrams(const CountedNGrams& ngrams, const std::vector<bool>& lower_kept,
                              std::uint64_t threshold, const std::vector<bool>& allowed) {
  std::vector<bool> kept(ngrams.size());
  const auto& occurrences = ngrams.occurrences.empty() ? ngrams.counts : ngrams.occurrences;
  for (std::size_t i = 0; i < ngrams.size(); ++i) {
    const LeftExtension ngram = ngrams.ngrams[i];
    kept[i] = lower_kept[ngram.suffix] && occurrences[i] > threshold &&
              (allowed.empty() || allowed[ngram.left]);
  }
  return kept;
}

std::vector<bool> kept_words(const CountedNGrams& words, std::uint64_t threshold,
                             const std::vector<bool>& allowed) {
  std::vector<bool> kept = allowed.empty() ? std::vector<bool>(words.size(), true) : allowed;
  for (std::size_t word = kSentenceEnd + 1; word < words.size(); ++word)
    if (threshold > 0 && words.occurrences[word] <= threshold) kept[word] = false;
  return kept;
}

void set_kept(NGramModel::Order& order, std::vector<bool>&& kept) {
  order.size = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), true));
  if (order.size < kept.size()) order.kept = std::move(kept);
}

}  // namespace

NGramModel estimate_kneser_ney(TrainingText&& text, const KneserNeyOptions& unchecked) {
  const KneserNeyOptions options = unchecked.checked();
  text.finish();
  if (text.words() == 0) throw InputError("no words in the text; there is nothing to estimate from");

  NGramModel model;
  model.words = text.words();
  model.sentences = text.sentences();
  model.orders.resize(options.order);
  std::vector<bool> occurrences(options.order);
  for (unsigned n = 0; n < options.order; ++n) occurrences[n] = options.prune[n] > 0;
  if (options.vocabulary_size > 0) occurrences[0] = true;
  std::vector<CountedNGrams> counted =
      count_ngrams(text.take_ids(), text.vocabulary().size(), options.order, occurrences);
  model.vocabulary = text.take_vocabulary();
  text = TrainingText();  // frees the memory
  for (unsigned n = 0; n < options.order; ++n)
    model.orders[n].discounts = estimate_discounts(counted[n].with_count, options.fallback_discounts);

  const std::vector<bool> allowed =
      allowed_words(options, model.vocabulary,
                    {counted[0].occurrences.begin(), counted[0].occurrences.end()});
  std::vector<bool> kept = kept_words(counted[0], options.prune[0], allowed);
  std::vector<double> lower =
      unigram_probs(counted[0].counts, kept, model.orders[0].discounts, options);
  for (unsigned n = 1; n < options.order; ++n) {
    CountedNGrams& ngrams = counted[n];
    NGramModel::Order& order = model.orders[n];
    std::vector<bool> own_kept = kept_ngrams(ngrams, kept, options.prune[n], allowed);
    std::vector<Context> contexts(lower.size());
    for (std::size_t i = 0; i < ngrams.size(); ++i)
      contexts[ngrams.contexts[i]].add(ngrams.counts[i], own_kept[i], order.discounts);

    std::vector<double> probs(ngrams.size());
    for (std::size_t i = 0; i < ngrams.size(); ++i) {
      const Context& context = contexts[ngrams.contexts[i]];
      probs[i] = context.undiscounted(ngrams.counts[i], order.discounts) +
                 context.backoff() * lower[ngrams.ngrams[i].suffix];
    }
    NGramModel::Order& below = model.orders[n - 1];
    below.log_probs = to_log10(lower);
    below.log_backoffs.resize(contexts.size());
    std::transform(contexts.begin(), contexts.end(), below.log_backoffs.begin(),
                   [](const Context& context) { return log10_of(context.backoff()); });
    set_kept(below, std::move(kept));
    kept = std::move(own_kept);
    order.ngrams = std::move(ngrams.ngrams);
    ngrams = CountedNGrams();
    lower = std::move(probs);
  }
  model.orders.back().log_probs = to_log10(lower);
  set_kept(model.orders.back(), std::move(kept));
  return model;
}

}  // namespace widl
