#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "expression/vocabulary.hpp"
#include "phrase_table/moses_reordering.hpp"
#include "phrase_table/moses_text.hpp"

namespace widl {

/// Writes a table as Moses text, in table order.
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

  /// Takes the options of a source phrase.
  /// @throws InputError for a damaged value
  void add(std::string_view phrase, std::span<const std::byte> value);

  /// Returns the lines added since the last call.
  std::string take_text() { return std::exchange(text_, {}); }
  std::uint64_t pairs() const { return pairs_; }
  /// Number of phrase pairs that were omitted because they contain "|||".
  std::uint64_t left_out() const { return left_out_; }

 private:
  bool append_option(std::string_view phrase, const StoredOption& option);

  const Vocabulary& vocabulary_;
  MosesLayout layout_;
  bool is_reordering_ = false;
  std::string text_;
  std::uint64_t pairs_ = 0, left_out_ = 0;
};

}  // namespace widl
