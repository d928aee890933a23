#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "expression/orientation.hpp"
#include "expression/vocabulary.hpp"
#include "phrase_table/probability.hpp"

namespace widl {

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
  std::span<const Probability> more = {};  // scores after the first four
  std::span<const Probability> orientation = {};  // of a reordering model (expression/orientation.hpp), or none
};

/// Appends the options of one source phrase to `bytes`, in the intermediate format used until a table is written:
///
///   value  = number of options, options
///   option = length of e, its words, number of links, links (source * length of e + target),
///            4 probabilities of 32 bits (little endian), 3 counts
///
/// where every other integer is a base-128 varint, low bits first. An option with more than four scores adds 65536 to
/// the length of e, and has the number of the other scores, and 32 bits for each, after the counts. An option with
/// scores of a reordering model adds 131072, and their number and 32 bits for each follow. Probabilities, not logs: 32
/// bits keep the six digits of a Moses text table only if they hold the number that the text shows.
class ValueWriter {
 public:
  /// Announces the number of options that will be added.
  ValueWriter(std::string& bytes, std::size_t options);
  /// Only options, for a value that is assembled elsewhere.
  explicit ValueWriter(std::string& bytes) : bytes_(bytes) {}
  /// Scores are positive numbers.
  void add(const StoredOption& option);

 private:
  std::string& bytes_;
};

/// Walks over the options of one source phrase, best first by p(e|f), then p(f|e).
///
/// The bytes may come from a damaged file. No byte outside them is read, and malformed options raise InputError.
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
  bool next(StoredOption& option);

 private:
  std::uint32_t integer();
  Probability score();

  const std::byte* at_;
  const std::byte* end_;
  std::size_t vocabulary_size_;
  std::size_t size_ = 0;
  std::size_t read_ = 0;
  std::vector<WordId> words_;
  std::vector<AlignmentPoint> alignment_;
  std::vector<Probability> more_, orientation_;
};

}  // namespace widl
