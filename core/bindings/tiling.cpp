#include "phrase_table/tiling.hpp"

#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "errors.hpp"
#include "phrase_table/moses_text.hpp"
#include "phrase_table/phrase_table.hpp"

namespace widl {
namespace {

using namespace nb::literals;

/// Makes the tiles of lines, with tables that it keeps alive.
class Tiler {
 public:
  Tiler(const PySequenceRef<TableInUse>::Sequence& tables, std::size_t longest,
        std::optional<DictionaryInUse> dictionary, std::size_t origins, std::optional<std::uint32_t> split_origin,
        bool reordering, std::optional<std::size_t> distribution_size)
      : tables_(tables) {
    if (tables_.size() == 0) throw InternalError("a tiler needs a table");
    for (const TableInUse* table : tables_) options_.tables.push_back(*table);
    options_.longest = longest;
    options_.dictionary = std::move(dictionary);
    options_.origins = origins;
    options_.split_origin = split_origin.value_or(GivenTranslations::kNoOrigin);
    options_.reordering = reordering;
    options_.distribution_size = distribution_size;
  }

  std::vector<Tiles> tile(const PySequenceRef<SourceLine>::Sequence& lines, const Fallback& fallback) const {
    const PySequenceRef<SourceLine> batch(lines);
    nb::gil_scoped_release release;
    std::vector<Tiles> tile_batch;
    tile_batch.reserve(batch.size());
    for (const SourceLine* line : batch) tile_batch.push_back(widl::tile(*line, options_, fallback));
    return tile_batch;
  }

 private:
  PySequenceRef<TableInUse> tables_;
  TilingOptions options_;
};

/// The tiles as objects that keep the tiler alive, because its first table owns their words.
nb::list tile(nb::handle_t<Tiler> self, const PySequenceRef<SourceLine>::Sequence& lines,
              const std::optional<Fallback>& fallback) {
  const nb::object keep_alive = nb::cpp_function([](nb::handle, nb::handle) {}, nb::keep_alive<1, 2>());
  nb::list list;
  for (Tiles& tiles : nb::cast<const Tiler&>(self).tile(lines, fallback.value_or(Fallback()))) {
    const nb::object object = nb::cast(std::move(tiles));
    keep_alive(object, self);
    list.append(object);
  }
  return list;
}

void require_threshold(double table_threshold) {
  if (!(table_threshold >= 0 && table_threshold <= 1)) throw InputError("the table threshold must be between 0 and 1");
}

void bind_lines(nb::module_& m) {
  nb::enum_<GivenUse>(m, "GivenUse", "How the given translations of a span are used.")
      .value("alternative", GivenUse::alternative, "they compete with the tables' translations")
      .value("exclusive", GivenUse::exclusive, "no other phrase translates the span or crosses its edges")
      .value("required", GivenUse::required,
             "phrases that touch the span cover it and contain one of them; if no phrase does, as exclusive");
  nb::class_<GivenTranslations>(m, "GivenTranslations", "Translations of a span by a user or a rule.")
      .def(
          "__init__",
          [](GivenTranslations* self, const std::vector<std::pair<std::vector<std::string>, double>>& alternatives,
             GivenUse use, bool copied, std::optional<std::uint32_t> origin, float count) {
            std::vector<GivenTranslations::Alternative> converted;
            for (const auto& [words, probability] : alternatives) converted.push_back({words, probability});
            new (self) GivenTranslations{.alternatives = std::move(converted),
                                         .use = use,
                                         .copied = copied,
                                         .origin = origin.value_or(GivenTranslations::kNoOrigin),
                                         .count = count};
          },
          "alternatives"_a, "use"_a, "copied"_a = false, "origin"_a = nb::none(), "count"_a = 1.0f,
          "alternatives: words with their probabilities. copied: the words are the source's, passed through.\n"
          "origin: the feature of origin that has the value `count`.");
  nb::class_<GivenSpan>(m, "GivenSpan", "A span of a line with given translations.")
      .def(nb::init<std::uint32_t, std::uint32_t, const GivenTranslations&>(), "begin"_a, "end"_a, "given"_a);
  nb::enum_<NumberUse>(m, "NumberUse", "What a number requires of phrases that touch its span.")
      .value("required", NumberUse::required, "they cover the span and say the number")
      .value("optional", NumberUse::optional, "they may say the number, but no other")
      .value("whole", NumberUse::whole, "they cover the span, and may say its number, but no other")
      .value("open", NumberUse::open, "they cover the span, and may say any number: it was not read with certainty");
  nb::class_<NumberSpan>(m, "NumberSpan", "A number of a line, and the word sequences that say it.")
      .def(nb::init<std::uint32_t, std::uint32_t, std::vector<std::vector<std::string>>, NumberUse>(), "begin"_a,
           "end"_a, "wordings"_a, "use"_a)
      .def_ro("begin", &NumberSpan::begin)
      .def_ro("end", &NumberSpan::end)
      .def_ro("use", &NumberSpan::use);
  nb::class_<SourceLine>(m, "SourceLine",
                         "A line to tile: its words, and translations and constraints given by users and rules.")
      .def(
          "__init__",
          [](SourceLine* self, std::vector<std::string> tokens, const PySequenceRef<GivenSpan>::Sequence& given,
             std::vector<SourceLine::Range> longer, std::vector<std::uint32_t> split, std::vector<bool> joinable,
             const std::optional<PySequenceRef<NumberSpan>::Sequence>& numbers, std::vector<SourceLine::Range> zones,
             std::vector<std::uint32_t> walls, std::vector<std::uint32_t> clause_marks,
             std::vector<std::uint32_t> marks, std::vector<std::uint32_t> ends) {
            if (!joinable.empty() && joinable.size() != tokens.size())
              throw InternalError("joinable needs a value for each token");
            SourceLine line{.tokens = std::move(tokens),
                            .longer = std::move(longer),
                            .split = std::move(split),
                            .joinable = std::move(joinable),
                            .keeps_numbers = numbers.has_value(),
                            .zones = std::move(zones),
                            .walls = std::move(walls),
                            .clause_marks = std::move(clause_marks),
                            .marks = std::move(marks),
                            .ends = std::move(ends)};
            for (const GivenSpan* span : PySequenceRef<GivenSpan>(given)) line.given.push_back(*span);
            if (numbers)
              for (const NumberSpan* number : PySequenceRef<NumberSpan>(*numbers)) line.numbers.push_back(*number);
            new (self) SourceLine(std::move(line));
          },
          "tokens"_a, "given"_a = nb::tuple(), nb::kw_only(), "longer"_a = std::vector<SourceLine::Range>(),
          "split"_a = std::vector<std::uint32_t>(), "joinable"_a = std::vector<bool>(), "numbers"_a = nb::none(),
          "zones"_a = std::vector<SourceLine::Range>(), "walls"_a = std::vector<std::uint32_t>(),
          "clause_marks"_a = std::vector<std::uint32_t>(), "marks"_a = std::vector<std::uint32_t>(),
          "ends"_a = std::vector<std::uint32_t>(),
          "tokens: words of the finest segmentation. longer: spans of several tokens that also form a word. split: tokens\n"
          "that are single characters of such a word. joinable: by token; joinable neighbors form a word if a table\n"
          "has it. numbers: the only numbers that phrases may say; None: phrases may say any. zones, walls: limits of\n"
          "reordering. clause_marks: tokens that separate clauses, in any order. marks: dashes, brackets and quotation\n"
          "marks, which no phrase translates as words. ends: marks at the ends of sentences.");
}

void bind_tiler(nb::module_& m) {
  nb::class_<NumberWords>(m, "NumberWords", "The words of a vocabulary that say a number.")
      .def(nb::init<const Vocabulary&, const std::vector<std::string>&, const std::vector<std::string>&>(),
           "vocabulary"_a, "words"_a, "beside_digits"_a = std::vector<std::string>(), nb::keep_alive<1, 2>(),
           "words: number words without digits, in lower case. beside_digits: words that are number words beside\n"
           "digits, as they are written.")
      .def(
          "__contains__", [](const NumberWords& self, WordId word) { return self.contains(word); }, "word"_a);
  nb::class_<TableInUse>(m, "TableInUse", "A phrase table of a model, and how its options become tiles.")
      .def(
          "__init__",
          [](TableInUse* self, const PhraseTable& table, std::size_t components, double table_threshold, bool backs_off,
             const NumberWords* number_words) {
            require_threshold(table_threshold);
            if (components == 0 || components > kMaxScores) throw InputError("a table has 1 to 100 scores");
            new (self) TableInUse{.table = &table,
                                  .backs_off = backs_off,
                                  .components = components,
                                  .table_threshold = table_threshold,
                                  .number_words = number_words};
          },
          "table"_a, "components"_a, "table_threshold"_a = 0.0, "backs_off"_a = false, "number_words"_a = nb::none(),
          nb::keep_alive<1, 2>(), nb::keep_alive<1, 6>(),
          "components: the number of scores of its options. table_threshold: options need this fraction of their\n"
          "phrase's best p(e|f). backs_off: used only for spans that earlier tables lack. number_words: needed for lines with\n"
          "numbers.");
  nb::class_<DictionaryInUse>(m, "DictionaryInUse",
                              "A dictionary for words that phrase tables lack or have rarely seen.")
      .def(
          "__init__",
          [](DictionaryInUse* self, const PhraseTable& table, std::string between, std::uint32_t rare,
             std::optional<std::uint32_t> origin) {
            new (self) DictionaryInUse{.table = &table,
                                       .between = std::move(between),
                                       .rare = rare,
                                       .origin = origin.value_or(GivenTranslations::kNoOrigin)};
          },
          "table"_a, "between"_a, "rare"_a, "origin"_a = nb::none(), nb::keep_alive<1, 2>(),
          "between: joins the tokens of an entry. rare: a word seen at most this often is rare. origin: the feature\n"
          "of origin of its translations.");
  nb::class_<Tiler>(m, "Tiler", "Makes the tiles of lines from phrase tables, a dictionary and given translations.")
      .def(nb::init<const PySequenceRef<TableInUse>::Sequence&, std::size_t, std::optional<DictionaryInUse>,
                    std::size_t, std::optional<std::uint32_t>, bool, std::optional<std::size_t>>(),
           "tables"_a, "longest"_a, nb::kw_only(), "dictionary"_a = nb::none(), "origins"_a = 0,
           "split_origin"_a = nb::none(), "reordering"_a = false, "distribution_size"_a = nb::none(),
           nb::keep_alive<1, 4>(),
           "longest: words of a phrase. origins: the number of features of origin, which follow the scores of the\n"
           "tables. split_origin: the one that counts split characters. reordering: whether the scores of the first\n"
           "table's reordering model count. distribution_size: keeps this many most probable translations of a\n"
           "phrase (0: all), with scores that sum to 1 over each span; None: the tables' own scores.")
      .def("tile", &tile, "lines"_a, "fallback"_a = nb::none(),
           nb::sig("def tile(self, lines: collections.abc.Sequence[SourceLine], "
                   "fallback: collections.abc.Callable[[str], GivenTranslations | None] | None = None) -> list[Tiles]"),
           "The tiles of each line. Components are the scores of each table, then the features of origin. fallback:\n"
           "translates single words outside of numbers that nothing else translates.");
}

}  // namespace

void bind_tiling(nb::module_& m) {
  bind_lines(m);
  bind_tiler(m);
}

}  // namespace widl
