#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lm/arpa_writer.hpp"
#include "lm/smoothing.hpp"
#include "lm/spill_file.hpp"
#include "lm/training_text.hpp"

namespace widl {

/// What estimating in memory takes for each word of a text that never repeats itself.
std::size_t bytes_per_token(unsigned order);

/// The steps of an estimation that sorts on disk; for one order of models, behind BoundedText and
/// BoundedModel.
class SpilledCounts {
 public:
  static std::unique_ptr<SpilledCounts> make(unsigned order, const SpillOptions& options);
  virtual ~SpilledCounts() = default;

  /// Takes the next words of the text, `<s>` and `</s>` among them, out of a vocabulary of this size.
  virtual void count(const std::vector<WordId>& ids, std::size_t words) = 0;

  struct Statistics {
    std::vector<std::uint64_t> ngrams;  // that the model has, from order 1
    std::vector<Discounts> discounts;
  };

  /// When all of the text was counted.
  virtual Statistics adjust(const KneserNeyOptions& options, const Vocabulary& vocabulary) = 0;

  /// Afterwards, and once.
  virtual void write_arpa(const Vocabulary& vocabulary, const ArpaSink& sink) = 0;
};

/// Text to estimate from in bounded memory. As much as can be estimated from in that memory is held
/// there; when there is more, n-grams are counted and sorted on disk, as in lmplz (Heafield et al. 2013).
///
/// The limit is for all that the core holds, of which the vocabulary, some 100 bytes a word, must be
/// there: an InputError says when that is too much.
class BoundedText {
 public:
  BoundedText(unsigned order, SpillOptions options, bool skip_symbols = false);

  /// As of TrainingText.
  void begin_source(std::string_view name) { text_.begin_source(name); }
  void add(std::string_view piece);
  void finish();
  const TrainingText& text() const { return text_; }

  unsigned order() const { return order_; }

  /// Whether there was more than fits into memory.
  bool spilled() const { return counts_ != nullptr; }

  /// All of the text, unless it was spilled; of no use afterwards.
  TrainingText take_text();

 private:
  friend class BoundedModel;
  void spill_if_full();

  unsigned order_;
  std::unique_ptr<SpillOptions> options_;  // others refer to it
  TrainingText text_;
  std::unique_ptr<SpilledCounts> counts_;
};

/// What NGramModel is, but on disk.
class BoundedModel {
 public:
  /// Consumes the text, which must have been spilled. The options' order is that of the text.
  BoundedModel(BoundedText&& text, const KneserNeyOptions& options);

  std::uint64_t words() const { return words_; }
  std::uint64_t sentences() const { return sentences_; }
  const SpilledCounts::Statistics& statistics() const { return statistics_; }

  /// Hands out the very text that the model in memory would; once.
  void write_arpa(const ArpaSink& sink);

 private:
  std::unique_ptr<SpillOptions> options_;
  Vocabulary vocabulary_;
  std::unique_ptr<SpilledCounts> counts_;
  std::uint64_t words_, sentences_;
  SpilledCounts::Statistics statistics_;
};

}  // namespace widl
