#include "lm/kneser_ney.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "errors.hpp"
#include "lm/spilled_ngrams.hpp"

namespace widl {
namespace {

/// Memory per vocabulary word: its letters, id, hash-table entry and counts.
constexpr std::size_t kBytesPerWord = 120;

template <unsigned n>
struct ContextOfNGrams {
  Backwards<n> words;
  ContextTotals context;
};

/// An n-gram with u(w | c) and b(c), to be interpolated.
template <unsigned n>
struct UninterpolatedNGram {
  Backwards<n> words;
  double prob, backoff;
};

template <unsigned n>
struct ProbableNGram {
  Backwards<n> words;
  double prob;
};

/// Sorts the n-grams of orders 2 and more by context, each order in its share of the memory.
template <class = std::make_integer_sequence<unsigned, kMaxOrder - 1>>
class ContextSorters;
template <unsigned... i>
class ContextSorters<std::integer_sequence<unsigned, i...>> {
 public:
  ContextSorters(const SpillOptions& options, std::size_t share)
      : sorters_(std::make_unique<Sorter<i + 2>>(options, share)...) {}

  template <unsigned n>
  auto& of() {
    return *std::get<n - 2>(sorters_);
  }

  /// Takes the last `order` of the words.
  template <std::size_t N>
  void add(unsigned order, const std::array<WordId, N>& words, std::uint32_t count, bool kept) {
    ((order == i + 2 ? add_to<i + 2>(words, count, kept) : void()), ...);
  }

  void release() { (of<i + 2>().release(), ...); }

 private:
  template <unsigned n>
  using Sorter = ExternalSorter<CountedNGram<n>, ContextOrder>;

  template <unsigned n, std::size_t N>
  void add_to(const std::array<WordId, N>& words, std::uint32_t count, bool kept) {
    if constexpr (n <= N) {
      CountedNGram<n> ngram{{}, kept, count & 0x7fffffff};
      std::copy_n(words.begin(), n, ngram.words.begin());
      of<n>().add(ngram);
    }
  }

  std::tuple<std::unique_ptr<Sorter<i + 2>>...> sorters_;
};

/// Counts of any order on disk, and the model written from them.
class ModelWriter : public NGramCounts {
 public:
  void write_arpa(const Vocabulary& vocabulary, const ArpaSink& sink) override {
    vocabulary_ = &vocabulary;
    ArpaText arpa(statistics_.ngrams, sink);
    const std::vector<double> probs = unigram_probs(word_counts_, kept_words_, statistics_.discounts[0]);
    auto file = std::make_unique<SpillFile>(options_);
    RecordWriter<ProbableNGram<1>> writer(*file, buffer());
    if (order_ == 1) arpa.begin_section(1);
    for (WordId word = 0; word < probs.size(); ++word) {
      if (!kept_words_[word]) continue;
      if (order_ == 1)
        write_ngram(arpa, Backwards<1>{word}, probs[word], nullptr);
      else
        writer.add({{word}, probs[word]});
    }
    writer.flush();
    if (order_ > 1) write_from<2>(arpa, std::move(file));
    arpa.end();
  }

 protected:
  ModelWriter(unsigned order, const SpillOptions& options) : order_(order), options_(options) {}

  /// Buffer size for sequential reading or writing, in addition to sorting.
  std::size_t buffer() const { return std::min<std::size_t>(memory_ / 32, 1 << 20); }

  const unsigned order_;
  const SpillOptions& options_;
  KneserNeyOptions model_options_;
  std::size_t memory_ = 0;                  // in addition to the vocabulary
  std::vector<std::uint32_t> word_counts_;  // adjusted
  std::vector<bool> kept_words_;
  Statistics statistics_;
  std::optional<ContextSorters<>> sorters_;

 private:
  /// Writes the n-grams of order n-1, whose probabilities are in `lower`, then the higher orders.
  template <unsigned n>
  void write_from(ArpaText& arpa, std::unique_ptr<SpillFile> lower) {
    auto contexts = std::make_unique<SpillFile>(options_);
    ExternalSorter<UninterpolatedNGram<n>, SuffixOrder> by_suffix(options_, memory_ / 2);
    {
      SpillFile by_context(options_);
      sum_contexts<n>(by_context, *contexts);
      divide_by_contexts<n>(by_context, *contexts, by_suffix);
    }
    write_section<n - 1>(arpa, *lower, *contexts);
    contexts.reset();

    RecordReader<ProbableNGram<n - 1>> suffixes(*lower, buffer());
    std::unique_ptr<SpillFile> probable;
    std::optional<RecordWriter<ProbableNGram<n>>> writer;
    if (n < order_) {
      probable = std::make_unique<SpillFile>(options_);
      writer.emplace(*probable, buffer());
    } else {
      arpa.begin_section(n);
    }
    ProbableNGram<n - 1> suffix{};
    suffixes.next(suffix);
    by_suffix.drain(memory_ / 4, [&](const UninterpolatedNGram<n>& ngram) {
      while (suffix.words != suffix_of(ngram.words))
        if (!suffixes.next(suffix)) throw InternalError("an n-gram's suffix is missing");
      const double prob = ngram.prob + ngram.backoff * suffix.prob;
      if (writer)
        writer->add({ngram.words, prob});
      else
        write_ngram(arpa, ngram.words, prob, nullptr);
    });
    if constexpr (n < kMaxOrder) {
      if (!writer) return;
      writer->flush();
      lower.reset();
      write_from<n + 1>(arpa, std::move(probable));
    }
  }

  /// Sorts the n-grams by context, and sums up the totals of each context.
  template <unsigned n>
  void sum_contexts(SpillFile& by_context, SpillFile& contexts) {
    const Discounts& discounts = statistics_.discounts[n - 1];
    RecordWriter<CountedNGram<n>> ngrams(by_context, buffer());
    RecordWriter<ContextOfNGrams<n - 1>> sums(contexts, buffer());
    ContextOfNGrams<n - 1> sum{};
    sorters_->of<n>().drain(memory_ / 4, [&](const CountedNGram<n>& ngram) {
      if (const auto context = context_of(ngram.words); context != sum.words) {
        if (sum.context.total > 0) sums.add(sum);
        sum = {context, {}};
      }
      sum.context.add(ngram.count, ngram.kept, discounts);
      ngrams.add(ngram);
    });
    if (sum.context.total > 0) sums.add(sum);
    ngrams.flush();
    sums.flush();
  }

  template <unsigned n>
  void divide_by_contexts(const SpillFile& by_context, const SpillFile& contexts,
                          ExternalSorter<UninterpolatedNGram<n>, SuffixOrder>& output) {
    const Discounts& discounts = statistics_.discounts[n - 1];
    RecordReader<CountedNGram<n>> ngrams(by_context, buffer());
    RecordReader<ContextOfNGrams<n - 1>> sums(contexts, buffer());
    ContextOfNGrams<n - 1> sum{};
    for (CountedNGram<n> ngram; ngrams.next(ngram);) {
      while (sum.words != context_of(ngram.words))
        if (!sums.next(sum)) throw InternalError("an n-gram's context is missing");
      if (ngram.kept)
        output.add({ngram.words, sum.context.undiscounted(ngram.count, discounts), sum.context.backoff()});
    }
  }

  template <unsigned n>
  void write_section(ArpaText& arpa, const SpillFile& probable, const SpillFile& contexts) {
    arpa.begin_section(n);
    RecordReader<ProbableNGram<n>> ngrams(probable, buffer());
    RecordReader<ContextOfNGrams<n>> sums(contexts, buffer());
    for (ProbableNGram<n> ngram; ngrams.next(ngram);) {
      // Contexts that were pruned have sums, too.
      const ContextOfNGrams<n>* sum;
      for (ContextOfNGrams<n> passed; (sum = sums.peek()) && sum->words < ngram.words;) sums.next(passed);
      const double backoff = sum && sum->words == ngram.words ? sum->context.backoff() : 1;
      write_ngram(arpa, ngram.words, ngram.prob, &backoff);
    }
  }

  template <std::size_t n>
  void write_ngram(ArpaText& arpa, const std::array<WordId, n>& words, double prob, const double* backoff) {
    arpa.begin_ngram(log10_of(prob));
    for (std::size_t i = n; i > 0; --i) arpa.word(vocabulary_->word(words[i - 1]));
    if (backoff) arpa.backoff(log10_of(*backoff));
    arpa.end_ngram();
  }

  const Vocabulary* vocabulary_ = nullptr;
};

template <unsigned N>
class NGramCountsOf final : public ModelWriter {
 public:
  explicit NGramCountsOf(const SpillOptions& options)
      : ModelWriter(N, options), spiller_(options, N > 1 ? options.memory / 8 * 7 : 0) {}

  void count(const std::vector<WordId>& ids, std::size_t words) override {
    occurrences_.resize(words);
    fit_vocabulary(words);
    for_each_ngram<N>(window_, ids, [&](const Backwards<N>& ngram) {
      ++occurrences_[ngram[0]];
      if constexpr (N > 1) spiller_.add(ngram);
    });
  }

  Statistics adjust(const KneserNeyOptions& options, const Vocabulary& vocabulary) override {
    model_options_ = options;
    const std::size_t words = vocabulary.size();
    memory_ = options_.memory - std::min(options_.memory / 4 * 3, words * kBytesPerWord);
    kept_words_.assign(words, true);
    for (WordId word = kSentenceEnd + 1; word < words; ++word)
      kept_words_[word] = occurrences_[word] > options.prune[0];
    word_counts_.assign(words, 0);
    statistics_.ngrams.assign(N, 0);
    statistics_.ngrams[0] = static_cast<std::uint64_t>(std::count(kept_words_.begin(), kept_words_.end(), true));
    if constexpr (N > 1) {
      adjust_all();
    } else {
      for (WordId word = 0; word < words; ++word) set_word_count(word, occurrences_[word]);
      CountsOfCounts with_count{};
      for (std::uint32_t count : word_counts_)
        if (count < with_count.size()) ++with_count[count];
      statistics_.discounts = {estimate_discounts(with_count)};
    }
    return statistics_;
  }

 private:
  /// Leaves enough memory for the vocabulary.
  void fit_vocabulary(std::size_t words) {
    const std::size_t needed = words * kBytesPerWord;
    if (spiller_.memory() + needed <= options_.memory) return;
    if (needed > options_.memory / 4 * 3)
      throw InputError("the " + std::to_string(words) + " different words so far leave too little of the " +
                       std::to_string(options_.memory) + " bytes of memory allowed; allow more");
    // Adds room to grow, so that this is rarely called.
    spiller_.resize((options_.memory - needed) / 4 * 3);
  }

  void set_word_count(WordId word, std::uint64_t count) {
    check_occurrences(count);
    word_counts_[word] = static_cast<std::uint32_t>(count);
  }

  void adjust_all()
    requires(N > 1)
  {
    sorters_.emplace(options_, memory_ / 8 * 5 / (N - 1));
    auto emit = [&](unsigned order, const Backwards<N>& words, std::uint64_t count, std::uint64_t occurrences) {
      if (order == 1) return set_word_count(words[0], count);
      check_occurrences(count);
      bool kept = occurrences > model_options_.prune[order - 1];
      for (unsigned i = 0; kept && i < order; ++i) kept = kept_words_[words[i]];
      statistics_.ngrams[order - 1] += kept;
      sorters_->add(order, words, static_cast<std::uint32_t>(count), kept);
    };
    CountAdjuster<N, decltype(emit)> adjuster(emit);
    auto runs = spiller_.take_runs();
    runs.merge(memory_ / 4, [&](const CountedNGram<N>& ngram) { adjuster.add(ngram); });
    adjuster.finish();
    sorters_->release();
    for (unsigned n = 1; n <= N; ++n) {
      statistics_.discounts.push_back(estimate_discounts(adjuster.with_count(n)));
    }
  }

  Backwards<N> window_{};
  NGramSpiller<N> spiller_;
  std::vector<std::uint64_t> occurrences_;  // of words
};

}  // namespace

KneserNeyOptions KneserNeyOptions::checked() const {
  if (order < 1 || order > kMaxOrder)
    throw InputError("order " + std::to_string(order) + " of a language model; 1 to " + std::to_string(kMaxOrder) +
                     " are possible");
  if (prune.size() > order)
    throw InputError(std::to_string(prune.size()) + " pruning thresholds for a model of order " +
                     std::to_string(order) + "; give one for each order at most");
  if (!std::is_sorted(prune.begin(), prune.end()))
    throw InputError(
        "a pruning threshold is lower than that of the order before; parts of n-grams "
        "that are kept would be missing");
  KneserNeyOptions result = *this;
  result.prune.resize(order, prune.empty() ? 0 : prune.back());
  return result;
}

std::unique_ptr<NGramCounts> NGramCounts::make(unsigned order, const SpillOptions& options) {
  return with_order(
      order, [&](auto n) -> std::unique_ptr<NGramCounts> { return std::make_unique<NGramCountsOf<n.value>>(options); });
}

CountedText::CountedText(unsigned order, SpillOptions options)
    : order_(order),
      options_(std::make_unique<SpillOptions>(std::move(options))),
      counts_(NGramCounts::make(order, *options_)) {}

void CountedText::add(std::string_view piece) {
  if (!counts_) throw InputError("a model was estimated from this text already; start a new estimation");
  text_.add(piece);
  count();
}

NGramModel::NGramModel(CountedText& text, const KneserNeyOptions& options) {
  if (!text.counts_) throw InputError("a model was estimated from this text already");
  if (options.order != text.order_)
    throw InputError("a model of order " + std::to_string(options.order) + " from counts of order " +
                     std::to_string(text.order_));
  text.text_.finish();
  text.count();
  options_ = std::move(text.options_);
  counts_ = std::move(text.counts_);
  words_ = text.text_.words();
  sentences_ = text.text_.sentences();
  vocabulary_ = text.text_.take_vocabulary();
  if (words_ == 0) throw InputError("no words in the text; nothing to estimate from");
  statistics_ = counts_->adjust(options.checked(), vocabulary_);
}

void NGramModel::write_arpa(const ArpaSink& sink) {
  if (!counts_) throw InputError("the model has been written");
  const std::unique_ptr<NGramCounts> counts = std::move(counts_);
  counts->write_arpa(vocabulary_, sink);
}

}  // namespace widl
