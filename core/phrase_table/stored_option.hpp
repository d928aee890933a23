#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "byte_reader.hpp"
#include "errors.hpp"
#include "expression/orientation.hpp"
#include "expression/vocabulary.hpp"

namespace widl {

/// A probability, or another positive score, as the float that a table stores. Smaller positive values become the
/// smallest float.
class Probability {
 public:
  Probability() = default;

  /// Whether `value` can be stored: it is positive, and not too large for a float.
  static bool holds(double value) { return value > 0 && value <= std::numeric_limits<float>::max(); }
  /// @throws InternalError unless `holds(value)`
  static Probability of(double value) {
    if (!holds(value)) throw InternalError("a positive number");
    return Probability(std::max(static_cast<float>(value), std::numeric_limits<float>::denorm_min()));
  }
  /// Rounds to 12 binary digits, a relative error of at most 1/4096, so that a table stores more scores only once.
  static Probability rounded(double value) {
    constexpr std::uint32_t kDropped = 1 << 12;
    return from_bits((of(value).bits() + kDropped / 2) & ~(kDropped - 1));
  }
  /// Reads a stored value, which may be damaged: see `valid`.
  static Probability from_bits(std::uint32_t bits) { return Probability(std::bit_cast<float>(bits)); }

  std::uint32_t bits() const { return std::bit_cast<std::uint32_t>(value_); }
  bool valid() const { return holds(value_); }
  double value() const { return value_; }
  double log() const { return std::log(static_cast<double>(value_)); }
  float float_log() const { return std::log(value_); }  // faster

 private:
  explicit Probability(float value) : value_(value) {}
  float value_ = 1;
};

/// Appends the number with the fewest digits that read back exactly.
inline void append_number(std::string& text, Probability value) {
  std::array<char, 32> buffer;
  const auto number = static_cast<float>(value.value());
  const char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::general).ptr;
  text.append(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
}

/// A phrase longer than this is damage; it also keeps a link's number within 32 bits.
constexpr std::uint32_t kMaxPhraseWords = 0xffff;

/// One link of a phrase pair's word alignment; positions count from the phrases' first words.
struct AlignmentPoint {
  std::uint16_t source;
  std::uint16_t target;
  friend auto operator<=>(const AlignmentPoint&, const AlignmentPoint&) = default;
};

/// A translation of a source phrase, as the table holds it. f is the source phrase, e this target phrase, which is
/// empty if the table deletes f. If a table has fewer than four scores, or its scores are other features, the first
/// ones fill the four places and the remaining places hold probabilities of 1.
struct StoredOption {
  std::span<const WordId> words;             // e, in the table's target vocabulary
  std::array<Probability, 4> probabilities;  // p(f|e), p(e|f), lex(f|e), lex(e|f)
  std::array<std::uint32_t, 3> counts;       // zeros where they are not known
  std::span<const AlignmentPoint> alignment;
  std::span<const Probability> more = {};         // scores after the first four
  std::span<const Probability> orientation = {};  // of a reordering model (expression/orientation.hpp), or none
};

/// Order of phrases in a Moses text table, as bytes of its lines; options with equal probabilities use it, too. Negative
/// if a's lines come before b's.
int compare_phrases(const Vocabulary& vocabulary, std::span<const WordId> a, std::span<const WordId> b);

/// The strings that recur among the options of a table. A table stores each once, in a codebook.
enum Book : std::size_t { kLinks, kStatistics, kScores, kBooks };
constexpr std::array<std::size_t, kBooks> kBookWidths = {0, 0, sizeof(std::uint32_t)};  ///< bytes; 0: any number

struct Codebook {
  std::span<const std::uint32_t> ends;  ///< of the strings; none if all have the same width
  std::string_view bytes;
};
using Codebooks = std::array<Codebook, kBooks>;

/// Appends the number of words, and the words.
void append_words(std::string& bytes, std::span<const WordId> words);
/// Appends a string of a book as its code, from 1, or spelled out after code 0.
void append_string(std::string& bytes, Book book, std::uint32_t code, std::string_view text);

/// Writes the options of one source phrase, all strings spelled out:
///
///   value      = number of options, number of further scores of each, options
///   option     = length of e, its words, links, statistics, lex(f|e), lex(e|f), further scores
///   links      = number of links, links (source * length of e + target)
///   statistics = 3 counts, 2 probabilities p(f|e) and p(e|f), number of scores of the reordering model, these scores
///
/// Integers are base-128 varints, scores the 32 bits of a Probability. Probabilities, not logs: 32 bits keep the six
/// digits of a Moses text table only if they hold the number that the text shows. Links, statistics and each score are
/// strings of a Book.
class ValueWriter {
 public:
  /// Only options, for a value that is assembled elsewhere.
  explicit ValueWriter(std::string& bytes) : bytes_(bytes) {}
  ValueWriter(std::string& bytes, std::size_t options, std::size_t further_scores) : bytes_(bytes) {
    append_head(bytes, options, further_scores);
  }
  static void append_head(std::string& bytes, std::size_t options, std::size_t further_scores);
  /// Scores are positive numbers.
  void add(const StoredOption& option);

 private:
  void add_score(Probability score);

  std::string& bytes_;
  std::string text_;
};

/// Walks over the options of one source phrase, in a value or in a table's record, best first by p(e|f), then p(f|e).
///
/// The bytes may come from a damaged file. No byte outside them is read, and malformed options raise InputError.
class OptionReader {
 public:
  /// Reads a value. Word ids must be below `vocabulary_size`. @throws InputError
  explicit OptionReader(std::string_view value, std::size_t vocabulary_size = std::numeric_limits<WordId>::max());
  /// Reads the options of a record, whose strings are in the table's codebooks.
  OptionReader(ByteReader record, std::size_t further_scores, std::size_t vocabulary_size, const Codebooks& books);

  /// The number of options.
  std::size_t size() const { return size_; }
  /// Scores of an option after the first four.
  std::size_t further_scores() const { return further_scores_; }

  /// Decodes the next option; false after the last. The option's spans are valid until the next call.
  /// @throws InputError
  bool next(StoredOption& option);
  /// Like `next`, but skips the links, which search does not need.
  bool next_without_links(StoredOption& option);
  /// Calls visit(book, string) for the strings of the next option, undecoded; false after the last.
  template <class Visit>
  bool next_strings(Visit&& visit) {
    if (!read_words()) return false;
    visit(kLinks, string(kLinks));
    visit(kStatistics, string(kStatistics));
    for (std::size_t i = 0; i < 2 + further_scores_; ++i) visit(kScores, string(kScores));
    return true;
  }
  /// Appends the next option, whose strings get the codes code_of(book, string); false after the last.
  template <class CodeOf>
  bool copy_next(std::string& bytes, CodeOf&& code_of) {
    bool first = true;
    return next_strings([&](Book book, std::string_view text) {
      if (std::exchange(first, false)) append_words(bytes, words_);
      append_string(bytes, book, code_of(book, text), text);
    });
  }
  /// The bytes after the last option; valid once this option is read.
  ByteReader rest() const { return reader_; }

 private:
  bool read_words();
  void read_statistics(StoredOption& option);
  std::string_view string(Book book);

  ByteReader reader_;
  std::size_t vocabulary_size_;
  const Codebooks* books_ = nullptr;
  std::size_t size_, further_scores_, read_ = 0;
  std::vector<WordId> words_;
  std::vector<AlignmentPoint> alignment_;
  std::vector<Probability> more_, orientation_;
};

/// Copies of the options of one source phrase.
class OptionList {
 public:
  void clear();
  void add(const StoredOption& option);
  std::size_t size() const { return options_.size(); }
  /// Valid until the next `add`.
  StoredOption operator[](std::size_t i) const;
  /// The words of an option, to be renumbered.
  std::span<WordId> words(std::size_t i) {
    return std::span(words_).subspan(options_[i].words, options_[i].option.words.size());
  }

 private:
  struct Slice {
    StoredOption option;  // only the sizes of its spans count
    std::size_t words, alignment, more, orientation;
  };
  std::vector<Slice> options_;
  std::vector<WordId> words_;
  std::vector<AlignmentPoint> alignment_;
  std::vector<Probability> more_, orientation_;
};

/// Source phrases with their values, in an order documented by the producer.
class PhraseBatch {
 public:
  std::string keys, values;       ///< of all phrases; a key is the phrase's words, joined by one space
  std::uint64_t pairs = 0;        ///< distinct phrase pairs
  std::uint64_t occurrences = 0;  ///< that the pairs were counted from

  PhraseBatch() = default;
  /// `bytes`: the result of serialized(). @throws InputError if it is damaged
  explicit PhraseBatch(std::string_view bytes);
  /// All of the batch, for a file.
  std::string serialized() const;

  /// Ends the key and the value of a phrase.
  void end_phrase() { ends_.push_back({keys.size(), values.size()}); }
  std::size_t size() const { return ends_.size(); }
  std::string_view key(std::size_t i) const { return part(keys, i ? ends_[i - 1].key : 0, ends_[i].key); }
  std::string_view value(std::size_t i) const { return part(values, i ? ends_[i - 1].value : 0, ends_[i].value); }

 private:
  struct End {
    std::size_t key, value;
  };
  static std::string_view part(std::string_view all, std::size_t begin, std::size_t end) {
    return all.substr(begin, end - begin);
  }

  std::vector<End> ends_;
};

}  // namespace widl
