#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "expression/tiles.hpp"
#include "expression/vocabulary.hpp"

namespace widl {

/// A span [begin, end) of a source sentence and its value in a phrase table.
///
/// `marks` are the values of the components after the tables' own, for every translation of the span; those that
/// it leaves out are 0.
struct TableSpan {
  std::uint32_t begin, end;
  std::span<const std::byte> value;
  std::vector<float> marks;
};

/// What a phrase table translates.
struct TableSpans {
  const Vocabulary* vocabulary;  // of target words
  std::size_t components;        // the number of scores of its options
  /// Translations need this much of the best p(e|f) of the span in the table; 0 where the scores have no p(e|f).
  double beam_probability;
  std::vector<TableSpan> spans;
};

/// A translation of a span [begin, end) that is not the table's, but a user's, a dictionary's or a rule's: one
/// argument of the explicit distribution ∨{p: ×(words), …}, its probability counting in each of the first table's components.
struct GivenSpan {
  std::uint32_t begin, end;
  std::vector<std::string_view> words;
  float log_probability;
  bool exclusive;  ///< nothing else translates the span or crosses its edges
  bool copied;     ///< the words are the source's, passed through
  std::vector<float> marks;  ///< as a TableSpan's
};

/// The tiles of a source sentence (Soricut & Marcu 2006, §5): every span with an entry in a table
/// becomes a disjunction of its translations within the beam. Components are the scores of each table, those of the
/// others being 0, and `marks` more that say where a translation is from. Several spans may have the same begin and end.
///
/// What the user gives is added, and where that is exclusive it stands alone.
/// A position without a translation of its own also gets a tile that passes the word through, so that
/// every sentence, and every order of its phrases that Moses' rule allows, can be completed.
/// Movement is scored as e^-d. Where the first table has the scores of a reordering model, its translations have them; what
/// is of other tables, given or passed through has none.
/// @throws InputError when a value is damaged, or a span has too many marks.
/// Tiles have words of the first table's vocabulary; there is one table at least.
Tiles tile_sentence(std::span<const TableSpans> tables, std::span<const std::string_view> source,
                    std::span<const GivenSpan> given, std::size_t marks = 0, const OrientationModel& orientation = {});

}  // namespace widl
