#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "expression/vocabulary.hpp"

namespace widl {

/// One link of a phrase pair's word alignment; positions count from the phrases' first words.
struct AlignmentPoint {
  std::uint16_t source;
  std::uint16_t target;
  friend auto operator<=>(const AlignmentPoint&, const AlignmentPoint&) = default;
};

/// A translation of a source phrase, as the table holds it. f is the source phrase, e this target phrase.
struct PhraseOption {
  std::span<const WordId> words;          // e, in the table's target vocabulary
  std::array<float, 4> log_scores;        // ln of p(f|e), p(e|f), lex(f|e), lex(e|f)
  std::array<std::uint32_t, 3> counts;    // of e, of f, of the two together
  std::span<const AlignmentPoint> alignment;
};

/// Appends what the table stores under one source phrase to `bytes`:
///
///   value  = number of options, options
///   option = length of e, its words, number of links, links (source * length of e + target),
///            4 scores (float32, little endian: the probabilities), 3 counts
///
/// where every integer is a base-128 varint, low bits first. Probabilities, not logs: a float32 keeps
/// the six digits of a Moses text table only if it holds the number that the text shows.
class ValueWriter {
 public:
  ValueWriter(std::string& bytes, std::size_t options);
  /// Probabilities must be in (0, 1]; what is smaller than the smallest normal float becomes that.
  void add(std::span<const WordId> words, const std::array<double, 4>& probabilities,
           const std::array<std::uint32_t, 3>& counts, std::span<const AlignmentPoint> alignment);

 private:
  std::string& bytes_;
};

/// Walks over the options of one source phrase, best first by p(e|f), then p(f|e).
///
/// The bytes may come from a damaged file: nothing outside of them is read, and what is no option is
/// an InputError.
class OptionReader {
 public:
  /// Word ids must be below `vocabulary_size`.
  /// @throws InputError
  explicit OptionReader(std::span<const std::byte> value,
                        std::size_t vocabulary_size = std::numeric_limits<WordId>::max());

  /// The number of options that the value announces.
  std::size_t size() const { return size_; }

  /// Decodes the next option; false after the last. The option's spans are valid until the next call.
  /// @throws InputError
  bool next(PhraseOption& option);

  /// The encoded form of the option that was decoded last.
  std::span<const std::byte> last_bytes() const { return {begin_, at_}; }

 private:
  std::uint32_t integer();

  const std::byte* begin_ = nullptr;  // of the last option
  const std::byte* at_;
  const std::byte* end_;
  std::size_t vocabulary_size_;
  std::size_t size_ = 0;
  std::size_t read_ = 0;
  std::vector<WordId> words_;
  std::vector<AlignmentPoint> alignment_;
};

}  // namespace widl
