#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "lm/arpa_writer.hpp"
#include "lm/discounts.hpp"
#include "lm/external_sort.hpp"
#include "lm/training_text.hpp"

namespace widl {

/// Options for estimating a model; lmplz's corresponding option in brackets.
struct KneserNeyOptions {
  unsigned order = 3;  // 1 to kMaxOrder

  /// N-grams of order n that occur at most prune[n-1] times are removed, and their mass goes to their context's
  /// back-off weight. Higher orders use the last number [--prune].
  std::vector<std::uint64_t> prune;

  /// The options, with one pruning threshold per order.
  /// @throws InputError if an option is impossible.
  KneserNeyOptions checked() const;
};

/// The steps of an estimation, for one model order; the implementation of CountedText and NGramModel.
class NGramCounts {
 public:
  static std::unique_ptr<NGramCounts> make(unsigned order, const SpillOptions& options);
  virtual ~NGramCounts() = default;

  /// Takes the next words of the text, including `<s>` and `</s>`, from a vocabulary of this size.
  virtual void count(const std::vector<WordId>& ids, std::size_t words) = 0;

  struct Statistics {
    std::vector<std::uint64_t> ngrams;  // that the model has, from order 1
    std::vector<Discounts> discounts;
  };

  /// Computes the adjusted counts after all text is counted.
  virtual Statistics adjust(const KneserNeyOptions& options, const Vocabulary& vocabulary) = 0;

  /// Must be called after `adjust`, and only once.
  virtual void write_arpa(const Vocabulary& vocabulary, const ArpaSink& sink) = 0;
};

/// Counts the n-grams of a text as it arrives, and sorts them on disk when they exceed the memory, as in lmplz
/// (Heafield et al. 2013).
///
/// The limit covers all memory of the core. The vocabulary, about 100 bytes per word, must fit; otherwise an InputError
/// says so.
class CountedText {
 public:
  CountedText(unsigned order, SpillOptions options);

  /// Like TrainingText::begin_source.
  void begin_source(std::string_view name) { text_.begin_source(name); }
  void add(std::string_view piece);
  const TrainingText& text() const { return text_; }

 private:
  friend class NGramModel;
  void count() { counts_->count(text_.take_ids(), text_.vocabulary().size()); }

  unsigned order_;
  std::unique_ptr<SpillOptions> options_;  // others refer to it
  TrainingText text_;
  std::unique_ptr<NGramCounts> counts_;
};

/// Interpolated modified Kneser-Ney (Chen & Goodman 1998), as lmplz computes it (Heafield et al. 2013, Sec. 3). With
/// adjusted counts a(.) and the discounts D of the order,
///
///   u(w | c) = (a(cw) - D(a(cw))) / sum_x a(cx)          b(c) = sum_x D(a(cx)) / sum_x a(cx)
///   p(w | c) = u(w | c) + b(c) p(w | c without its first word)
///
/// and p(w | no words) = u(w) + b() / |V|, where V has <unk> and </s> but not <s>. For pruned n-grams, all of a(cx)
/// instead of D goes to b(c); counts and discounts are computed from the whole text.
class NGramModel {
 public:
  /// Consumes the text. The options must have the text's order. @throws InputError if the text is empty or already
  /// consumed
  NGramModel(CountedText& text, const KneserNeyOptions& options);

  std::uint64_t words() const { return words_; }
  std::uint64_t sentences() const { return sentences_; }
  const NGramCounts::Statistics& statistics() const { return statistics_; }

  /// Returns the model as ARPA text; may be called once.
  void write_arpa(const ArpaSink& sink);

 private:
  std::unique_ptr<SpillOptions> options_;
  Vocabulary vocabulary_;
  std::unique_ptr<NGramCounts> counts_;
  std::uint64_t words_, sentences_;
  NGramCounts::Statistics statistics_;
};

}  // namespace widl
