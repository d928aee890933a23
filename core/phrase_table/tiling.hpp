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
/// `marks` are the values of the components after the table's four, for every translation of the span; those that
/// it leaves out are 0.
struct TableSpan {
  std::uint32_t begin, end;
  std::span<const std::byte> value;
  std::vector<float> marks;
};

/// A translation of a span [begin, end) that is not the table's, but a user's, a dictionary's or a rule's: one
/// argument of the explicit distribution ∨{p: ×(words), …}, its probability counting in each of the table's components.
struct GivenSpan {
  std::uint32_t begin, end;
  std::vector<std::string_view> words;
  float log_probability;
  bool exclusive;  ///< nothing else translates the span or crosses its edges
  bool copied;     ///< the words are the source's, passed through
  std::vector<float> marks;  ///< as a TableSpan's
};

/// The tiles of a source sentence (Soricut & Marcu 2006, §5): every span with an entry in the table
/// becomes a disjunction of its translations with p(e|f) at least `beam_probability` times the
/// span's best, scored ln p(f|e), ln p(e|f), ln lex(f|e), ln lex(e|f), and by `marks` more components that say where
/// a translation is from. Several spans may have the same begin and end.
///
/// What the user gives is added, and where that is exclusive it stands alone.
/// A position without a translation of its own also gets a tile that passes the word through, so that
/// every sentence, and every order of its phrases that Moses' rule allows, can be completed.
/// Movement is scored as e^-d. Where the table has the scores of a reordering model, its translations have them; what
/// is given and what is passed through has none.
/// @throws InputError when a value is damaged, a span has too many marks, or one that is given exclusively crosses
///         another such one.
Tiles tile_sentence(const Vocabulary& target_vocabulary, std::span<const std::string_view> source,
                    std::span<const TableSpan> spans, std::span<const GivenSpan> given, double beam_probability,
                    std::size_t marks = 0, const OrientationModel& orientation = {});

}  // namespace widl
