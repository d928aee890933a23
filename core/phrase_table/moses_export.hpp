#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/vocabulary.hpp"
#include "phrase_table/moses_reordering.hpp"
#include "phrase_table/moses_text.hpp"

namespace widl {

/// Writes a table as Moses text, in the order in which Moses sorts its lines (as bytes, LC_ALL=C).
class MosesExporter {
 public:
  /// The vocabulary of the target words must outlive this object.
  MosesExporter(const Vocabulary& vocabulary, MosesLayout layout)
      : vocabulary_(vocabulary), layout_(std::move(layout)) {}
  /// Writes the scores of the reordering model instead, as Moses' reordering table.
  static MosesExporter of_reordering(const Vocabulary& vocabulary) {
    MosesExporter exporter(vocabulary, {});
    exporter.is_reordering_ = true;
    return exporter;
  }

  /// Takes the options of a source phrase; phrases must come in the order of their bytes.
  /// @throws InputError for a damaged value
  void add(std::string_view phrase, std::span<const std::byte> value);
  /// After the last phrase.
  void finish();

  /// The lines that are finished, once.
  std::string take_text() { return std::exchange(text_, {}); }
  std::uint64_t pairs() const { return pairs_; }
  /// Phrase pairs that were left out since they contain "|||".
  std::uint64_t left_out() const { return left_out_; }

 private:
  struct Pending {
    std::string phrase, lines;
  };

  bool format_option(std::string_view phrase, const StoredOption& option, std::string& line);
  std::string format(std::string_view phrase, std::span<const std::byte> value);

  const Vocabulary& vocabulary_;
  MosesLayout layout_;
  bool is_reordering_ = false;
  // In the order of the table, "a" comes before "a b"; among lines "a ||| …" comes after "a b ||| …". So
  // what other phrases begin with waits; each of these phrases begins with the one before.
  std::vector<Pending> pending_;
  std::string text_;
  std::uint64_t pairs_ = 0, left_out_ = 0;

  std::vector<std::string> lines_;
};

}  // namespace widl
