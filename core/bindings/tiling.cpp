#include "phrase_table/tiling.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "bytes.hpp"
#include "errors.hpp"
#include "held.hpp"
#include "phrase_table/moses_text.hpp"
#include "phrase_table/phrase_table.hpp"
#include "phrase_table/table_writer.hpp"
#include "stored_options.hpp"

namespace widl {
namespace {

using namespace nb::literals;

/// (end, word, whether it is a single character that was cut off)
using Edge = std::tuple<std::uint32_t, std::string_view, bool>;
/// (begin, end, translations)
using Required = std::tuple<std::uint32_t, std::uint32_t, std::vector<std::vector<std::string>>>;
/// (begin, end, wordings, required)
using Number = std::tuple<std::uint32_t, std::uint32_t, std::vector<std::vector<std::string>>, bool>;
/// (begin, end, words, probability, exclusive, copied, marks)
using Given =
    std::tuple<std::uint32_t, std::uint32_t, std::vector<std::string_view>, double, bool, bool, std::vector<float>>;

constexpr std::size_t kMaxMarks = 100;

void require_inside(std::uint32_t begin, std::uint32_t end, std::size_t length) {
  if (begin >= end || end > length) throw InputError("a span lies outside of the sentence");
}

void look_up(SentencePhrases* self, const std::vector<std::vector<Edge>>& edges,
             const std::vector<const PhraseTable*>& tables, const std::vector<bool>& back_off, std::size_t longest) {
  if (tables.empty() || back_off.size() != tables.size()) throw InternalError("whether each of the tables backs off");
  std::vector<std::vector<WordEdge>> all(edges.size());
  for (std::size_t at = 0; at < edges.size(); ++at)
    for (const auto& [end, word, cut_off] : edges[at]) {
      require_inside(static_cast<std::uint32_t>(at), end, edges.size());
      all[at].push_back({end, word, cut_off});
    }
  std::vector<TableInUse> uses;
  for (std::size_t t = 0; t < tables.size(); ++t) uses.push_back({tables[t], back_off[t]});
  new (self) SentencePhrases(all, std::move(uses), longest);
}

Tiles tile(const SentencePhrases& phrases, const std::vector<std::string_view>& source, std::vector<double> beams,
           std::vector<std::size_t> components, const std::vector<Given>& given,
           std::vector<Reordering::Range> zones, const std::vector<std::uint32_t>& walls, std::size_t marks,
           std::size_t cut_off_mark, bool reordering, std::optional<std::size_t> distribution_size) {
  const std::size_t tables = phrases.tables().size();
  if (beams.size() != tables || components.size() != tables) throw InternalError("a beam and components for each table");
  if (marks > kMaxMarks) throw InputError("there are at most " + std::to_string(kMaxMarks) + " marks");
  if (cut_off_mark > marks) throw InternalError("the number of a mark");
  for (double beam : beams)
    if (!(beam >= 0 && beam <= 1)) throw InputError("the probabilistic beam must be between 0 and 1");
  for (std::size_t scores : components)
    if (scores == 0 || scores > kMaxScores) throw InputError("a table has 1 to 100 scores");
  std::vector<GivenSpan> made;
  for (const auto& [begin, end, words, probability, exclusive, copied, values] : given) {
    require_inside(begin, end, source.size());
    if (words.empty()) throw InputError("a translation that is given has no words");
    if (!(probability > 0 && std::isfinite(probability)))
      throw InputError("the probability of a given translation must be a number above 0");
    made.push_back({begin, end, words, static_cast<float>(std::log(probability)), exclusive, copied, values});
  }
  const TilingOptions options{std::move(beams), std::move(components), marks, cut_off_mark, reordering,
                              distribution_size};
  Tiles tiles = tile_sentence(phrases, source, made, options);
  tiles.restrict_order(std::move(zones), walls);
  return tiles;
}

/// (words, ln of the scores, counts, links, ln of the scores of the reordering model)
using FoundOption = std::tuple<std::vector<std::string_view>, std::vector<double>, std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>,
                               std::vector<std::pair<int, int>>, std::vector<double>>;

std::vector<FoundOption> options_of(const PhraseTable& table, std::string_view phrase, std::optional<std::size_t> limit) {
  std::vector<FoundOption> found;
  std::optional<PhraseTable::Options> options = table.find(phrase);
  if (!options) return found;
  for (StoredOption option; (!limit || found.size() < *limit) && options->next(option);) {
    std::vector<std::string_view> words;
    for (WordId word : option.words) words.push_back(table.target_vocabulary().word(word));
    found.emplace_back(std::move(words), logs_of(option.probabilities, option.more),
                       std::tuple(option.counts[0], option.counts[1], option.counts[2]), links_of(option),
                       logs_of(option.orientation));
  }
  return found;
}

using TableItem = std::pair<nb::bytes, nb::bytes>;

void bind_table(nb::module_& m) {
  nb::class_<PhraseTable>(m, "PhraseTable", "A phrase table in a mapped file, which any number of threads may read.")
      .def(
          "__init__",
          [](PhraseTable* self, const std::filesystem::path& path) { new (self) PhraseTable(path.string()); }, "path"_a)
      .def_prop_ro("metadata", [](const PhraseTable& self) { return to_bytes(self.metadata()); })
      .def_prop_ro("target_vocabulary", &PhraseTable::target_vocabulary, nb::rv_policy::reference_internal)
      .def("__len__", &PhraseTable::source_phrases)
      .def("options", &options_of, "phrase"_a, "limit"_a = nb::none(),
           "The options of a source phrase, its words joined by one space, or the first `limit`: words, ln of the scores,\n"
           "counts of e, f and both, links, ln of the scores of a reordering model. An empty list if the table lacks it.")
      .def(
          "values",
          [](const PhraseTable& self, const std::vector<std::string_view>& phrases) {
            std::vector<std::optional<nb::bytes>> values;
            for (std::string_view phrase : phrases) {
              std::optional<PhraseTable::Options> options = self.find(phrase);
              std::string value;
              if (options) options->append_value(value);
              values.push_back(options ? std::optional(to_bytes(value)) : std::nullopt);
            }
            return values;
          },
          "phrases"_a, "The encoded options of each phrase, None for those that the table lacks.")
      .def(
          "counts",
          [](const PhraseTable& self, const std::vector<std::string_view>& phrases) {
            std::vector<std::optional<std::uint32_t>> counts;
            for (std::string_view phrase : phrases) {
              std::optional<PhraseTable::Options> options = self.find(phrase);
              StoredOption first;
              counts.push_back(options && options->next(first) ? std::optional(first.counts[1]) : std::nullopt);
            }
            return counts;
          },
          "phrases"_a, "How often each source phrase was seen, 0 if that is not known; None for those that the table lacks.");

  nb::class_<PhraseTable::Cursor>(m, "TableCursor", "All source phrases of a table, in the order of the file.")
      .def(nb::init<const PhraseTable&>(), "table"_a, nb::keep_alive<1, 2>())
      .def(
          "next_batch",
          [](PhraseTable::Cursor& self, std::size_t size) {
            std::vector<std::pair<std::string, std::string>> batch;
            released([&] {
              std::pair<std::string, std::string> item;
              while (batch.size() < size && self.next(item.first, &item.second)) batch.push_back(item);
            });
            std::vector<TableItem> items;
            for (const auto& [phrase, value] : batch) items.emplace_back(to_bytes(phrase), to_bytes(value));
            return items;
          },
          "size"_a, "The next phrases with their encoded options, `size` at most; none after the last.")
      .def(
          "next_phrases",
          [](PhraseTable::Cursor& self, std::size_t size) {
            nb::gil_scoped_release release;
            std::vector<std::string> batch;
            for (std::string phrase; batch.size() < size && self.next(phrase, nullptr);) batch.push_back(phrase);
            return batch;
          },
          "size"_a, "The same without their options.");

  nb::class_<TableWriter>(m, "TableWriter", "Writes the file of a phrase table.")
      .def(
          "__init__",
          [](TableWriter* self, const std::filesystem::path& path, const std::filesystem::path& directory) {
            new (self) TableWriter(path.string(), directory.string());
          },
          "path"_a, "directory"_a,
           "path: a file that exists. directory: of a temporary file, about as large as the table.")
      .def(
          "add",
          [](TableWriter& self, const std::vector<TableItem>& items) {
            std::vector<std::pair<std::string_view, std::span<const std::byte>>> held;
            for (const auto& [phrase, value] : items)
              held.emplace_back(std::string_view(phrase.c_str(), phrase.size()),
                                std::as_bytes(std::span(value.c_str(), value.size())));
            nb::gil_scoped_release release;
            for (const auto& [phrase, value] : held) self.add(phrase, value);
          },
          "items"_a, "Add (source phrase, encoded options), each phrase once; their order is that of the file.")
      .def(
          "finish",
          [](TableWriter& self, std::string_view metadata, const std::vector<std::string_view>& target_words) {
            nb::gil_scoped_release release;
            self.finish(metadata, target_words);
          },
          "metadata"_a, "target_words"_a)
      .def_prop_ro("source_phrases", &TableWriter::source_phrases, "That were added.");
}

}  // namespace

void bind_tiling(nb::module_& m) {
  bind_table(m);
  nb::class_<NumberWords>(m, "NumberWords", "Which words of a vocabulary say a number.")
      .def(nb::init<const Vocabulary&, const std::vector<std::string>&>(), "vocabulary"_a, "words"_a,
           "words: those without digits, in lower case.")
      .def(
          "__contains__",
          [](const NumberWords& self, WordId word) { return self.contains(word); }, "word"_a);
  nb::class_<SentencePhrases>(m, "SentencePhrases", "The phrases of a source sentence that phrase tables translate.")
      .def("__init__",
           [](SentencePhrases* self, const std::vector<std::vector<Edge>>& edges, const Held<PhraseTable>::Sequence& tables,
              const std::vector<bool>& back_off, std::size_t longest) {
             look_up(self, edges, Held<PhraseTable>(tables).pointers(), back_off, longest);
           },
           "edges"_a, "tables"_a, "back_off"_a, "longest"_a, nb::keep_alive<1, 3>(),
           "edges: by position the words that begin there, (end, word, whether it is a character that was cut off).\n"
           "back_off: by table, whether it is looked into only for spans that those before it lack.\n"
           "longest: words of a phrase at most.")
      .def(
          "require",
          [](SentencePhrases& self, const std::vector<Required>& spans) {
            std::vector<RequiredSpan> required;
            for (const auto& [begin, end, alternatives] : spans) required.push_back({begin, end, alternatives});
            return self.require(std::move(required));
          },
          "spans"_a,
          "Keep only phrases that cover the spans (begin, end, translations) that they touch, with options that contain\n"
          "one of the translations of each. Gives whether any translation is left for each of the spans.")
      .def(
          "keep_numbers",
          [](SentencePhrases& self, const std::vector<Number>& spans, const Held<NumberWords>::Sequence& words) {
            std::vector<const NumberWords*> of_tables = Held<NumberWords>(words).pointers();
            if (of_tables.size() != self.tables().size()) throw InternalError("number words for each table");
            std::vector<NumberSpan> numbers;
            for (const auto& [begin, end, wordings, required] : spans) numbers.push_back({begin, end, wordings, required});
            self.keep_numbers(std::move(numbers), std::move(of_tables));
          },
          "spans"_a, "words"_a, nb::keep_alive<1, 3>(),
          "Keep only options that say the numbers (begin, end, wordings, required) of their phrases, and no others; a phrase\n"
          "that touches a required one covers it. words: for each table, those that say a number.")
      .def("translated", &SentencePhrases::translated, "The spans (begin, end) that a table translates.")
      .def("frequent", &SentencePhrases::frequent, "rare"_a,
           "Of these those with several words, or with a word seen more than `rare` times, or unknown times.");
  m.def("tile_sentence", &tile, "phrases"_a, "source"_a, nb::kw_only(), "beams"_a, "components"_a,
        "given"_a = std::vector<Given>(), "zones"_a = std::vector<Reordering::Range>(),
        "walls"_a = std::vector<std::uint32_t>(), "marks"_a = 0, "cut_off_mark"_a = 0, "reordering"_a = false,
        "distribution_size"_a = nb::none(), nb::keep_alive<0, 1>(),
        "The tiles of a source sentence, from its phrases, translations that are given, (begin, end, words, probability,\n"
        "exclusive, copied, marks), zones (begin, end), and positions with a wall in front of them. beams, components: for\n"
        "each table, the probabilistic beam and the number of its scores. There are `marks` scores after those of the\n"
        "tables; those that a span leaves out are 0. cut_off_mark: of these, from 1, the one that counts characters that\n"
        "were cut off; 0: none. reordering: whether the first table's scores of a reordering model are used. distribution_size: the most\n"
        "probable translations of a phrase that are kept (0: all), with scores that sum to 1 over each span; none: the\n"
        "tables' own scores.");
}

}  // namespace widl
