#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/vocabulary.hpp"
#include "lm/spilled_ngrams.hpp"
#include "lm/training_text.hpp"

namespace widl {

// A text in parts, which several machines count for a CountedText: first the words of each part, then, when all words
// have their numbers, its n-grams. These are runs as a spilled text writes them, by hashes of their contexts.

/// The words of a part in the order of their first appearance, and how often they occur.
std::string count_words(const TrainingText& part);

/// What CountedText::numbered gave. @throws InputError when it is damaged
Vocabulary parse_vocabulary(std::string_view numbered);

/// Sorted n-grams and their counts; for one order.
class NGramRuns {
 public:
  static std::unique_ptr<NGramRuns> make(unsigned order);
  virtual ~NGramRuns() = default;

  /// Those of a part, in so many runs.
  virtual std::vector<std::string> count(const std::vector<WordId>& ids, std::size_t runs) const = 0;
  /// One run of several that have `words` different words. @throws InputError when one is damaged
  virtual std::string merge(std::span<const std::string_view> runs, std::size_t words) const = 0;
};

/// @throws InputError when it is damaged
template <unsigned n>
std::vector<CountedNGram<n>> read_run(std::string_view bytes, std::size_t words) {
  if (bytes.size() % sizeof(CountedNGram<n>) != 0) throw InputError("damaged: it ends too early");
  std::vector<CountedNGram<n>> run(bytes.size() / sizeof(CountedNGram<n>));
  if (!run.empty()) std::memcpy(run.data(), bytes.data(), bytes.size());
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (i > 0 && SuffixOrder()(run[i], run[i - 1])) throw InputError("damaged: n-grams out of order");
    for (const WordId word : run[i].words)
      if (word >= words) throw InputError("damaged: a word that is not there");
  }
  return run;
}

}  // namespace widl
