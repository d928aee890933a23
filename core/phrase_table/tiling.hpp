#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "expression/tiles.hpp"
#include "phrase_table/phrase_matches.hpp"
#include "phrase_table/phrase_table.hpp"
#include "phrase_table/source_line.hpp"

namespace widl {

/// A dictionary translates spans that phrase tables lack or have rarely seen.
struct DictionaryInUse {
  const PhraseTable* table;
  std::string between;                                  ///< joins the tokens of an entry
  std::uint32_t rare = 0;                               ///< largest count at which a word is rare
  std::uint32_t origin = GivenTranslations::kNoOrigin;  ///< the feature of origin of its translations
};

/// Options for making tiles.
struct TilingOptions {
  std::vector<TableInUse> tables;  ///< at least one
  std::size_t longest = 0;         ///< words of a phrase
  std::optional<DictionaryInUse> dictionary;
  std::size_t origins = 0;                                    ///< features of origin, after the scores of the tables
  std::uint32_t split_origin = GivenTranslations::kNoOrigin;  ///< the one that counts split characters
  /// Tiles are disjunctions of distributions (Soricut & Marcu 2006, §2.1): of a table's translations of a phrase only
  /// this many are kept, the most probable by p(e|f) (0: all), and scores sum to 1 in each component. None: the tables'
  /// own scores.
  std::optional<std::size_t> distribution_size = {};
  bool reordering = false;  ///< whether the scores of the first table's reordering model count
};

/// Returns translations of a word, or none.
using Fallback = std::function<std::optional<GivenTranslations>(const std::string& word)>;

/// The tiles of a source line (Soricut & Marcu 2006, §5).
///
/// Every span with an entry in a table becomes a disjunction of its translations above the table threshold. The components of a
/// translation are the scores of each table, which are 0 for other tables' options, then the features of origin.
/// Several phrases may have the same begin and end.
///
/// Given translations and entries of the dictionary compete with the tables, unless they are exclusive. A position that
/// no translation covers alone has its fallback or passes its word through. Every order of phrases that Moses' rule
/// allows can therefore be completed. A phrase pair with words on both sides of a clause mark must have been seen three
/// times, if its count is known. Movement is scored as e^-d. Only options of the first table have scores of a
/// reordering model. Words are numbered in the first table's vocabulary. `fallback` translates single words outside
/// numbers that have no other translation.
/// @throws InputError for a damaged record, or a given span that does not fit the line
Tiles tile(const SourceLine& line, const TilingOptions& options, const Fallback& fallback = {});

}  // namespace widl
