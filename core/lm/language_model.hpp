#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lm/state.hh"
#include "lm/virtual_interface.hh"

namespace widl {

/// Options for storing a model as a KenLM binary; in brackets build_binary's options.
struct BinaryOptions {
  std::string kind = "rest";  // "rest", "probing" or "trie"; see LanguageModel::convert

  // For tries. 0 leaves the numbers unchanged; other values are at most kMaxBits.
  static constexpr unsigned kMaxBits = 25;
  unsigned quantized_bits = 0;  // quantize probabilities and back-off weights to this many bits [-q, -b], 2 or more
  unsigned pointer_bits = 0;    // store pointers in compressed arrays, chopping at most this many bits [-a]
};

/// An n-gram language model: KenLM's storage and queries, in natural logs.
///
/// KenLM uses log10; only this class converts. All methods are safe to call from several threads at once.
class LanguageModel {
 public:
  using State = lm::ngram::State;
  using Word = lm::WordIndex;

  /// Log-probability of a word, and its maximum over all words that may precede a partly known context.
  struct Bounded {
    double log_prob;
    double bound;
  };

  /// Opens an ARPA file or a KenLM binary (probing, rest probing, trie and its variants).
  /// @throws InputError naming the file, and the line of an ARPA file, when it can't be used.
  static std::unique_ptr<LanguageModel> load(const std::string& path);

  unsigned order() const { return model_->Order(); }

  /// Whether `bounded` gives better bounds than "a probability is at most one" for unknown left contexts.
  bool has_rest_costs() const { return has_rest_costs_; }

  /// The index of a word in this model; unknown words get the index of <unk>, 0.
  Word index(std::string_view word) const;
  Word end_of_sentence() const { return end_of_sentence_; }

  State begin_sentence_state() const;
  State empty_state() const;

  /// ln p(word | in); `out` receives the state after the word and must not be `in`. The result may be NaN for a damaged
  /// binary: callers must check it.
  double score(const State& in, Word word, State& out) const { return model_->BaseScore(&in, word, &out) * kLn10; }

  /// Prefetches the parts of large tables that scoring a word will read, to hide their latency. `context`: the words
  /// before it, last first. Has no effect for tries.
  void prefetch(const Word* context, unsigned length, Word word) const {
    if (prefetch_) prefetch_(*model_, context, length, word);
  }

  /// `in` holds the known words to the left, as left by scoring them from `empty_state`. `known` is their number, which
  /// makes the bound tighter; 0 if unavailable.
  Bounded bounded(const State& in, Word word, State& out, unsigned length = 0) const;

  /// The bound of each word, given the words before it in the list, preceded by unknown words.
  std::vector<double> bound_words(const std::vector<std::string>& words) const;

  /// ln p of each word of a sentence and, last, of </s> when `end` is set.
  /// @throws InputError if a damaged binary gives NaN, like the functions for other lists
  std::vector<double> score_sentence(const std::vector<std::string>& words, bool begin, bool end) const;

  /// The result of scoring a word: ln p, the length of the n-gram that was found, and whether the word is in the
  /// vocabulary.
  struct Scored {
    double log_prob;
    unsigned ngram_length;
    bool known;
  };
  std::vector<Scored> full_score_sentence(const std::vector<std::string>& words, bool begin, bool end) const;

  /// Writes the ARPA file `arpa` as a KenLM binary: "probing" hash tables, "rest" (the same tables with the largest
  /// probability over all left extensions as rest cost), or a "trie".
  /// @throws InputError as `load`, and for options that KenLM does not have.
  static void convert(const std::string& arpa, const std::string& output, const BinaryOptions& options);

 private:
  explicit LanguageModel(std::unique_ptr<lm::base::Model> model, bool has_rest_costs);
  static constexpr double kLn10 = 2.302585092994045684;

  using Prefetch = void (*)(const lm::base::Model&, const Word*, unsigned, Word);

  std::unique_ptr<lm::base::Model> model_;
  Prefetch prefetch_ = nullptr;
  bool has_rest_costs_;
  Word end_of_sentence_;
};

}  // namespace widl
