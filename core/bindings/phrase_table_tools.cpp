#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "errors.hpp"
#include "phrase_table/moses_import.hpp"
#include "phrase_table/phrase_table.hpp"
#include "phrase_table/table_filter.hpp"
#include "phrase_table/table_statistics.hpp"
#include "phrase_table/table_writer.hpp"

namespace widl {
namespace {

using namespace nb::literals;

/// ln of scores.
template <class... Scores>
std::vector<double> logs_of(const Scores&... scores) {
  std::vector<double> logs;
  const auto add = [&](const auto& some) {
    for (Probability p : some) logs.push_back(p.log());
  };
  (add(scores), ...);
  return logs;
}

/// Links as (source, target).
std::vector<std::pair<int, int>> links_of(const StoredOption& option) {
  std::vector<std::pair<int, int>> links;
  for (AlignmentPoint point : option.alignment) links.emplace_back(point.source, point.target);
  return links;
}

using OptionTuple = std::tuple<std::vector<WordId>, std::vector<double>, std::array<std::uint32_t, 3>,
                               std::vector<std::pair<int, int>>, std::vector<double>>;

nb::bytes write_options(const std::vector<OptionTuple>& options) {
  const auto stored = [](const std::vector<double>& values) {
    std::vector<Probability> scores;
    for (double value : values) scores.push_back(Probability::of(value));
    return scores;
  };
  for (const OptionTuple& option : options)
    if (std::get<1>(option).size() < 4) throw InputError("an option needs at least four scores");
  std::string bytes;
  const std::size_t further = options.empty() ? 0 : std::get<1>(options.front()).size() - 4;
  ValueWriter writer(bytes, options.size(), further);
  for (const auto& [words, probabilities, counts, links, orientations] : options) {
    std::vector<AlignmentPoint> alignment;
    for (auto [source, target] : links)
      alignment.push_back({static_cast<std::uint16_t>(source), static_cast<std::uint16_t>(target)});
    StoredOption option{words, {}, counts, alignment};
    if (probabilities.size() != further + 4) throw InputError("all options need the same number of scores");
    const std::vector<Probability> scores = stored(probabilities);
    const std::vector<Probability> orientation = stored(orientations);
    std::copy_n(scores.begin(), option.probabilities.size(), option.probabilities.begin());
    option.more = std::span(scores).subspan(option.probabilities.size());
    option.orientation = orientation;
    writer.add(option);
  }
  return to_bytes(bytes);
}

struct TableOption {
  std::vector<std::string> words;
  std::vector<double> scores;
  std::array<std::uint32_t, 3> counts;
  std::vector<std::pair<int, int>> links;
  std::vector<double> orientation;
};

std::vector<TableOption> options_of(const PhraseTable& table, std::string_view phrase,
                                    std::optional<std::size_t> limit) {
  std::vector<TableOption> matches;
  std::optional<OptionReader> options = table.find(phrase);
  if (!options) return matches;
  for (StoredOption option; (!limit || matches.size() < *limit) && options->next(option);) {
    std::vector<std::string> words;
    for (WordId word : option.words) words.emplace_back(table.target_vocabulary().word(word));
    matches.push_back({std::move(words),
                       logs_of(option.probabilities, option.more),
                       {option.counts[0], option.counts[1], option.counts[2]},
                       links_of(option),
                       logs_of(option.orientation)});
  }
  return matches;
}

/// The links of the option with these target words; none if the table lacks it.
std::optional<std::vector<std::pair<int, int>>> links_of_pair(const PhraseTable& table, std::string_view phrase,
                                                              const std::vector<std::string_view>& words) {
  std::vector<WordId> target;
  for (std::string_view word : words) {
    std::optional<WordId> id = table.target_vocabulary().find(word);
    if (!id) return std::nullopt;
    target.push_back(*id);
  }
  std::optional<OptionReader> options = table.find(phrase);
  if (!options) return std::nullopt;
  for (StoredOption option; options->next(option);)
    if (std::ranges::equal(option.words, target)) return links_of(option);
  return std::nullopt;
}

using Items = std::vector<std::pair<nb::bytes, nb::bytes>>;

PhraseBatch batch_of(const Items& items) {
  PhraseBatch batch;
  for (const auto& [phrase, value] : items) {
    batch.keys += view(phrase);
    batch.values += view(value);
    batch.end_phrase();
  }
  return batch;
}

Items items_of(const PhraseBatch& batch) {
  Items items;
  for (std::size_t i = 0; i < batch.size(); ++i) items.emplace_back(to_bytes(batch.key(i)), to_bytes(batch.value(i)));
  return items;
}

void bind_table(nb::module_& m) {
  m.def(
      "write_options", &write_options, "options"_a,
      "Encodes options for a table: word ids, four or more scores, counts, links, the probabilities of a reordering model.");

  nb::class_<PhraseBatch>(m, "PhraseBatch", "Source phrases and their encoded options.")
      .def(
          "__init__", [](PhraseBatch* self, const Items& items) { new (self) PhraseBatch(batch_of(items)); }, "items"_a,
          "items: phrases, their words joined by one space, with their encoded options.")
      .def_static(
          "parse",
          [](const nb::bytes& serialized) {
            return released([bytes = view(serialized)] { return PhraseBatch(bytes); });
          },
          "serialized"_a, "Parses the result of `serialized`.")
      .def(
          "serialized", [](const PhraseBatch& self) { return to_bytes(released([&] { return self.serialized(); })); },
          "The whole batch as bytes, for a file.")
      .def("__len__", &PhraseBatch::size)
      .def_prop_ro("items", &items_of, "(phrase, options), sorted word by word by bytes, within and across batches.")
      .def_prop_ro("phrases",
                   [](const PhraseBatch& self) {
                     std::vector<std::string_view> phrases;
                     for (std::size_t i = 0; i < self.size(); ++i) phrases.push_back(self.key(i));
                     return phrases;
                   })
      .def_ro("pairs", &PhraseBatch::pairs, "Distinct phrase pairs in the batch.")
      .def_ro("occurrences", &PhraseBatch::occurrences, "Number of occurrences of these pairs.");
  nb::class_<TableOption>(m, "TableOption", "An option of a source phrase.")
      .def_ro("words", &TableOption::words)
      .def_ro("scores", &TableOption::scores, "ln of the scores.")
      .def_ro("counts", &TableOption::counts, "c(e), c(f) and c(f, e).")
      .def_ro("links", &TableOption::links, "(position in f, position in e)")
      .def_ro("orientation", &TableOption::orientation, "ln of the scores of a reordering model.");
  nb::class_<PhraseTable>(m, "PhraseTable",
                          "A phrase table in a memory-mapped file. Any number of threads may read it.")
      .def(
          "__init__",
          [](PhraseTable* self, const std::filesystem::path& path) { new (self) PhraseTable(path.string()); }, "path"_a)
      .def_prop_ro("metadata", [](const PhraseTable& self) { return to_bytes(self.metadata()); })
      .def_prop_ro("target_vocabulary", &PhraseTable::target_vocabulary, nb::rv_policy::reference_internal)
      .def("__len__", &PhraseTable::source_phrases)
      .def("options", &options_of, "phrase"_a, "limit"_a = nb::none(),
           "The options of a source phrase, its words joined by one space, or the first `limit`. An empty list if the\n"
           "table lacks the phrase.")
      .def("links", &links_of_pair, "phrase"_a, "words"_a,
           "The links of the option of a source phrase that has these words; None if the table lacks it.")
      .def(
          "values",
          [](const PhraseTable& self, const std::vector<std::string_view>& phrases) {
            PhraseBatch batch;
            for (std::string_view phrase : phrases) {
              std::optional<OptionReader> options = self.find(phrase);
              if (!options) continue;
              batch.keys += phrase;
              append_value(batch, *options);
            }
            return batch;
          },
          "phrases"_a, "The phrases that the table has, with their options.")
      .def(
          "contains",
          [](const PhraseTable& self, const std::vector<std::string_view>& phrases) {
            std::vector<bool> contained;
            for (std::string_view phrase : phrases) self.prefetch_word(phrase);
            for (std::string_view phrase : phrases) contained.push_back(self.find(phrase).has_value());
            return contained;
          },
          "phrases"_a, "Whether the table has each of the source phrases.")
      .def(
          "counts",
          [](const PhraseTable& self, const std::vector<std::string_view>& phrases) {
            std::vector<std::optional<std::uint32_t>> counts;
            for (std::string_view phrase : phrases) {
              std::optional<OptionReader> options = self.find(phrase);
              StoredOption first;
              counts.push_back(options && options->next(first) ? std::optional(first.counts[1]) : std::nullopt);
            }
            return counts;
          },
          "phrases"_a, "Count of each source phrase, 0 if unknown; None for phrases that the table lacks.");

  nb::class_<PhraseTable::Cursor>(m, "TableCursor", "All source phrases of a table, in the order of the file.")
      .def(nb::init<const PhraseTable&>(), "table"_a, nb::keep_alive<1, 2>())
      .def(
          "next_batch",
          [](PhraseTable::Cursor& self, std::size_t size, bool with_options) {
            nb::gil_scoped_release release;
            PhraseBatch batch;
            while (batch.size() < size && self.next(batch, with_options)) {}
            return batch.size() > 0 ? std::optional(std::move(batch)) : std::nullopt;
          },
          "size"_a, "with_options"_a = true,
          "The next phrases, at most `size`, with or without their options; None after the last.");

  nb::class_<TableWriter>(m, "TableWriter", "Writes the file of a phrase table.")
      .def(
          "__init__",
          [](TableWriter* self, const std::filesystem::path& path, const std::filesystem::path& directory) {
            new (self) TableWriter(path.string(), directory.string());
          },
          "path"_a, "directory"_a,
          "path: an existing file. directory: holds a temporary file about twice as large as the table.")
      .def("add", &TableWriter::add, "batch"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Adds source phrases, each once. The file keeps their order.")
      .def(
          "finish",
          [](TableWriter& self, std::string_view metadata, const std::vector<std::string_view>& target_words) {
            nb::gil_scoped_release release;
            self.finish(metadata, target_words);
          },
          "metadata"_a, "target_words"_a)
      .def_prop_ro("source_phrases", &TableWriter::source_phrases, "Number of phrases added.");
}

void bind_moses(nb::module_& m) {
  nb::class_<MosesLayout>(m, "MosesLayout", "The common layout of all lines of a Moses text table.")
      .def(nb::init<std::uint32_t, std::uint32_t>(), nb::kw_only(), "fields"_a, "scores"_a = 4)
      .def_ro("fields", &MosesLayout::fields,
              "Number of fields between `|||`: 3 without links and counts, 4 without counts, 5 with both.")
      .def_ro("scores", &MosesLayout::scores);

  nb::class_<MosesImporter>(m, "MosesImporter", "Reads lines of a Moses text table in any order, and sorts them.")
      .def(
          "__init__",
          [](MosesImporter* self, const std::filesystem::path& directory, std::size_t memory, std::uint32_t scores) {
            new (self) MosesImporter(directory.string(), memory, scores);
          },
          "directory"_a, "memory"_a, "scores"_a = 0,
          "directory: holds a temporary file. memory: bytes sorted at once. scores: number per line; 0: as in line 1.")
      .def(
          "parse",
          [](MosesImporter& self, const nb::bytes& lines) {
            released([&, bytes = view(lines)] { self.parse(bytes); });
          },
          "lines"_a, "Reads whole lines. Raises InputError, `LINE: …`, for a malformed line.")
      .def(
          "parse_reordering",
          [](MosesImporter& self, const nb::bytes& lines) {
            released([&, bytes = view(lines)] { self.parse_reordering(bytes); });
          },
          "lines"_a, "Reads whole lines of a reordering table, after all lines of the phrase table.")
      .def_prop_ro("lines", &MosesImporter::lines)
      .def_prop_ro("max_length", &MosesImporter::max_length, "Length of the longest phrase on either side, in words.")
      .def_prop_ro("layout", &MosesImporter::layout);

  nb::class_<RunMerger>(m, "RunMerger", "Merges an importer's sorted lines into the values of a table.")
      .def(nb::init<MosesImporter&>(), "importer"_a, nb::keep_alive<1, 2>())
      .def(
          "next_batch", [](RunMerger& self) { return released([&] { return self.next(); }); },
          "The next batch, or None after the last. Raises InputError, `LINE: …`, for a repeated phrase pair.")
      .def("target_words", &RunMerger::words, "The target words in the order of their numbers.");

  nb::class_<MosesExporter>(m, "MosesExporter", "Writes a table as Moses text.")
      .def(nb::init<const Vocabulary&, MosesLayout>(), "target_vocabulary"_a, "layout"_a, nb::keep_alive<1, 2>())
      .def_static("of_reordering", &MosesExporter::of_reordering, "target_vocabulary"_a, nb::keep_alive<0, 1>(),
                  "An exporter that writes the scores of the reordering model.")
      .def(
          "text",
          [](MosesExporter& self, const PhraseBatch& batch) {
            return to_bytes(released([&] { return self.text(batch); }));
          },
          "batch"_a, "The lines of the phrases.")
      .def_prop_ro("pairs", &MosesExporter::pairs, "Lines written.")
      .def_prop_ro("left_out", &MosesExporter::left_out, "Number of phrase pairs omitted because they contain `|||`.");
}

void bind_selection(nb::module_& m) {
  nb::class_<SelectionTally>(m, "SelectionTally", "Number of phrase pairs read, and removed by each criterion.")
      .def_ro("pairs", &SelectionTally::pairs)
      .def_ro("min_probability", &SelectionTally::min_probability)
      .def_ro("min_count", &SelectionTally::min_count)
      .def_ro("limit", &SelectionTally::limit);

  nb::class_<TableFilter>(m, "TableFilter", "Selects options of a table in two passes: `count` all, then `select` all.")
      .def(
          "__init__",
          [](TableFilter* self, const Vocabulary& vocabulary, double min_probability, std::uint32_t min_count,
             std::size_t limit, std::optional<std::vector<double>> weights) {
            new (self) TableFilter(vocabulary, {min_probability, min_count, limit, std::move(weights)});
          },
          "target_vocabulary"_a, nb::kw_only(), "min_probability"_a = 0.0, "min_count"_a = 0, "limit"_a = 0,
          "weights"_a = nb::none(), nb::keep_alive<1, 2>(),
          "weights: of ln p(f|e), ln p(e|f), ln lex(f|e), ln lex(e|f) and further scores; they rank options for `limit`.\n"
          "None: p(e|f) ranks.")
      .def("count", &TableFilter::count, "batch"_a, nb::call_guard<nb::gil_scoped_release>(),
           "First pass: counts the words of the options that remain.")
      .def("words", &TableFilter::words, "The remaining words in the order of their new numbers. Ends the first pass.")
      .def("select", &TableFilter::select, "batch"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Second pass: the options that remain.")
      .def_prop_ro("tally", &TableFilter::tally);
}

void bind_statistics(nb::module_& m) {
  nb::class_<TableStatistics>(m, "TableStatistics", "Counts over the values of a table.")
      .def(nb::init<>())
      .def("add", &TableStatistics::add, "batch"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_ro("source_phrases", &TableStatistics::source_phrases)
      .def_ro("pairs", &TableStatistics::pairs)
      .def_ro("links", &TableStatistics::links)
      .def_ro("source_lengths", &TableStatistics::source_lengths, "Histogram of source phrase lengths, in words.")
      .def_ro("target_lengths", &TableStatistics::target_lengths,
              "Histogram of target phrase lengths, in words, by pair.")
      .def_ro("options", &TableStatistics::options, "Histogram of the number of options per source phrase.")
      .def_ro("counts", &TableStatistics::counts, "Histogram of the counts of pairs.")
      .def_ro(
          "probabilities", &TableStatistics::probabilities,
          "For each score, the number of values that are 1, from 0.1 to below 1, from 0.01 to below 0.1, …, below 1e-10.")
      .def_ro("entropy", &TableStatistics::entropy, "Entropy of p(e|f), summed over source phrases, in bits.")
      .def_ro("weighted_entropy", &TableStatistics::weighted_entropy,
              "`entropy`, with source phrases weighted by their counts.")
      .def_ro("weight", &TableStatistics::weight, "The sum of these weights.");
}

}  // namespace

void bind_phrase_table_tools(nb::module_& m) {
  bind_table(m);
  bind_moses(m);
  bind_selection(m);
  bind_statistics(m);
}

}  // namespace widl
