#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "expression/tiles.hpp"
#include "expression/orientation.hpp"
#include "phrase_table/sentence_phrases.hpp"

namespace widl {

/// A translation of a span [begin, end) that is not the table's, but a user's, a dictionary's or a rule's: one
/// argument of the explicit distribution ∨{p: ×(words), …}, its probability counting in each of the first table's components.
struct GivenSpan {
  std::uint32_t begin, end;
  std::vector<std::string_view> words;
  float log_probability;
  bool exclusive;  ///< nothing else translates the span or crosses its edges
  bool copied;     ///< the words are the source's, passed through
  std::vector<float> marks;  ///< values of the components after the tables' own; those that are left out are 0
};

/// What tiles are made with.
struct TilingOptions {
  /// By table: translations need this much of the best p(e|f) of the span in the table; 0 where the scores have no p(e|f).
  std::vector<double> beams;
  /// By table: the number of scores of its options.
  std::vector<std::size_t> components;
  std::size_t marks = 0;         ///< components after those of the tables, which say where a translation is from
  std::size_t cut_off_mark = 0;  ///< of these, from 1, the one that counts characters that were cut off; 0: none
  bool reordering = false;  ///< the first table's scores of a reordering model count
  /// Tiles are disjunctions of distributions (Soricut & Marcu 2006, §2.1): of the translations that a table has for a phrase
  /// the so many most probable by p(e|f) (0: all), whose scores sum to 1 in each component. None: the tables' own scores.
  std::optional<std::size_t> distribution_size;
};

/// The tiles of a source sentence (Soricut & Marcu 2006, §5): every span with an entry in a table becomes a disjunction
/// of its translations within the beam. Components are the scores of each table, those of the others being 0, and marks.
/// Several phrases may have the same begin and end.
///
/// What the user gives is added, and where that is exclusive it stands alone.
/// A position without a translation of its own also gets a tile that passes the word through, so that
/// every sentence, and every order of its phrases that Moses' rule allows, can be completed.
/// Movement is scored as e^-d. Where the first table has the scores of a reordering model, its translations have them; what
/// is of other tables, given or passed through has none.
/// @throws InputError when a record is damaged, or a span has too many marks.
/// Tiles have words of the first table's vocabulary; there is one table at least.
Tiles tile_sentence(const SentencePhrases& phrases, std::span<const std::string_view> source,
                    std::span<const GivenSpan> given, const TilingOptions& options);

}  // namespace widl
